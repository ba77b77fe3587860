import { isRecord } from '../../../../shared/json.ts';
import { masked, maskText } from '../../base/mask-text.ts';
import { type Members, textOf } from './read-answer.ts';

/** An authorization server said no, or something that is no answer; its words are for people and may be shown. */
export class ServiceRefusal extends Error {
  readonly status: number;
  /** The error code, where the answer has one. */
  readonly code: string | undefined;
  /** The service's own words: bounded, without control characters and without secrets. */
  readonly words: string | undefined;

  constructor(status: number, code: string | undefined, words: string | undefined) {
    super(`The service refused: HTTP ${status}`);
    this.name = 'ServiceRefusal';
    this.status = status;
    this.code = code;
    this.words = words;
  }
}

/** Whether waiting may help: the service is busy, down or starting. */
export function isPassingRefusal({ status, code }: ServiceRefusal): boolean {
  if (code !== undefined && finalCodes.has(code)) return false;
  return passingCodes.has(code ?? '') || [408, 425, 429].includes(status) || status >= 500;
}

/** Judges from a failed refresh whether the sign-in is over, perhaps over, or there is only no answer now. */
export function judgeRefresh(error: unknown): 'over' | 'doubtful' | 'passing' {
  if (!(error instanceof ServiceRefusal) || isPassingRefusal(error)) return 'passing';
  const { status, code } = error;
  const isPlain = code !== undefined ? code !== 'server_error' : status === 400 || status === 401;
  return isPlain ? 'over' : 'doubtful';
}

const finalCodes: ReadonlySet<string> = new Set(['invalid_grant', 'invalid_client', 'unauthorized_client']);
const passingCodes: ReadonlySet<string> = new Set(['temporarily_unavailable', 'slow_down']);

/** Reads a refusal; `secrets` are what was sent, and may be quoted. */
export function readRefusal(
  status: number,
  text: string,
  members: Members | undefined,
  secrets: readonly string[],
): ServiceRefusal {
  const show = (found: string | undefined) => (found === undefined ? undefined : showable(found, secrets));
  if (members === undefined) return new ServiceRefusal(status, undefined, show(pageText(text)));
  const inner = isRecord(members.error) ? members.error : undefined;
  const code = firstText(inner === undefined ? [members.error] : [inner.error, inner.code, inner.type]);
  const words = firstText([
    members.error_description,
    inner?.message,
    inner?.description,
    members.message,
    members.description,
    members.detail,
    members.title,
  ]);
  return new ServiceRefusal(status, show(code), show(words));
}

/** A text from elsewhere as it may be shown. */
export function showable(text: string, secrets: readonly string[] = []): string {
  let shown = text.slice(0, 2000);
  for (const secret of secrets) if (secret.length > 3) shown = shown.replaceAll(secret, masked);
  return maskText(shown.replace(/\p{C}/gu, ' ')).slice(0, 300).trim();
}

function firstText(values: readonly unknown[]): string | undefined {
  return values.map(textOf).find((text) => text !== undefined);
}

/** A sentence as it is; of a page its title. */
function pageText(text: string): string | undefined {
  const start = text.slice(0, 5000);
  if (!/^\s{0,100}</.test(start)) return textOf(start);
  return textOf(/<title>([^<]{1,200})/i.exec(start)?.[1]);
}
