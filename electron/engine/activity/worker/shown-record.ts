import type { ActivityRow } from '../../../../shared/model/activity/activity.ts';
import type { MaskedJson } from '../../base/mask/mask-json.ts';
import { memberSpans } from '../../jsonrpc/json/json-spans.ts';
import type { ActivityRecord, RecordedClient, RecordedServer } from '../contract.ts';
import type { RecordContents } from '../packed-contents.ts';
import { connectionTestNote, isConnectionTest } from './connection-test.ts';
import type { MaskedArguments, MaskedBody, Masking } from './masking.ts';

/** A record with what its batch says of its client and server; nothing in it is masked. */
interface FullRecord {
  readonly record: ActivityRecord;
  readonly client: RecordedClient;
  readonly server: RecordedServer;
  readonly contents: RecordContents;
}

/** A record with its secrets masked. */
export interface ShownRecord extends FullRecord {
  /** As sent. */
  readonly params: Buffer | undefined;
  readonly outcome: ActivityRow['outcome'];
  readonly shownArgs: MaskedArguments | undefined;
  readonly shownResult: MaskedBody | undefined;
  readonly name: string | undefined;
  readonly text: string | undefined;
  /** Secrets found in it. */
  readonly found: readonly string[];
}

/** Characters of a result that the audit log stores. */
export const summaryLength = 500;

export function maskRecord({ record, client, server, contents }: FullRecord, masking: Masking): ShownRecord {
  const { method, isAuditOnly, answerBytes } = record;
  const { args: params, text } = contents;
  const result = contents.result?.toString();
  const isBeginning = record.areArgumentsCut === true;
  const shownArgs = params && masking.arguments(argumentsIn(method, params).toString('utf8'), isBeginning);
  const secrets = shownArgs?.found ?? none;
  const resultBegins = record.isResultCut === true;
  const masked =
    result === undefined
      ? undefined
      : isAuditOnly
        ? masking.summary(result, resultBegins, secrets, summaryLength)
        : masking.result(result, resultBegins, secrets);
  const isPrivate = record.outcome === 'ok' && isConnectionTest(method, params);
  const shownResult = masked && {
    ...(isPrivate
      ? connectionTestNote(masked, answerBytes)
      : isBeginning
        ? unsearchedAnswer(masked)
        : masked),
    found: masked.found,
  };
  const found = shownResult?.found ?? secrets;
  const hasFailed = shownResult?.isError === true || record.hasFailed === true;
  const outcome = hasFailed && record.outcome === 'ok' ? 'tool-error' : record.outcome;
  const message = text ?? (outcome === 'tool-error' ? failureText(masked) : undefined);
  const shownText =
    message === undefined ? undefined : isBeginning ? unsearchedText : short(masking.text(message, found));
  const givenName = record.name ?? contents.name;
  const name = givenName === undefined ? undefined : masking.text(givenName, found);
  return {
    record,
    client,
    server,
    contents,
    params,
    outcome,
    shownArgs,
    shownResult,
    name,
    text: shownText,
    found,
  };
}

const none: readonly string[] = [];

/** Returns the arguments of a tool or prompt call; for other requests, all of their params. */
function argumentsIn(method: string | undefined, bytes: Buffer): Buffer {
  if (method !== 'tools/call' && method !== 'prompts/get') return bytes;
  const span = memberSpans(bytes, 'arguments').at(-1);
  return span === undefined ? bytes : bytes.subarray(span.start, span.end);
}

/** Replaces an answer that may repeat secrets from the unread end of the arguments. */
const unsearchedText =
  '(not stored: the arguments are too long to search for secrets that the answer may repeat)';

function unsearchedAnswer(answer: MaskedBody): MaskedJson {
  return { ...answer, text: JSON.stringify(unsearchedText), isCut: true };
}

/** Returns the first text of a failed tool's result. */
function failureText(result: MaskedJson | undefined): string | undefined {
  const value: unknown = result === undefined ? undefined : JSON.parse(result.text);
  const content =
    typeof value === 'object' && value !== null && 'content' in value ? value.content : undefined;
  const first: unknown = Array.isArray(content) ? content[0] : undefined;
  const isText = typeof first === 'object' && first !== null && 'text' in first;
  return isText && typeof first.text === 'string' ? first.text : undefined;
}

const maxText = 500;

export function short(text: string): string {
  return text.length <= maxText ? text : `${text.slice(0, maxText)}…`;
}
