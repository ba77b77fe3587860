import { parseJson } from '../../../../shared/json.ts';
import { memberSpans } from '../../jsonrpc/json/json-spans.ts';
import type { AuditEntry } from '../audit/audit.ts';
import type { RecordAudit } from '../contract.ts';
import type { Masking } from './masking.ts';
import { type ShownRecord, summaryLength } from './shown-record.ts';

/**
 * Builds the audit entry of a call; all secrets in it are masked already. `isPartial`: its bodies are
 * unknown.
 */
export function toAuditEntry(
  shown: ShownRecord,
  audit: RecordAudit,
  masking: Masking,
  isPartial: true | undefined,
): AuditEntry {
  const { record, client, contents, outcome, shownArgs, shownResult, name, text, found } = shown;
  const { at, serverKey, method, attempts = 1, milliseconds, clientId = '' } = record;
  const { id, decision, cached } = audit;
  return {
    id,
    at,
    kind: 'invocation',
    action: 'call',
    actor: short(masking.text(client.agent ?? client.clientName ?? clientId, found)),
    outcome: decision === 'DENY' && outcome === 'refused' ? 'denied' : outcome,
    serverKey,
    tool: name === undefined ? undefined : short(name),
    text: text === undefined ? undefined : short(text),
    correlationId: audit.correlationId ?? correlationIn(shown.params, masking, found) ?? id,
    method,
    paramsHash: contents.digest ?? shownArgs?.hash(),
    resultSummary: shownResult?.text.slice(0, summaryLength),
    attempts,
    milliseconds,
    decision,
    cached,
    isPartial,
  };
}

/** Characters. */
const maxText = 500;

function short(text: string): string {
  return text.length <= maxText ? text : `${text.slice(0, maxText - 1)}…`;
}

/** Returns the id by which the caller knows the call. */
function correlationIn(
  params: Buffer | undefined,
  masking: Masking,
  found: readonly string[],
): string | undefined {
  if (params?.includes(correlationMember) !== true) return undefined;
  const span = memberSpans(params, '_meta').at(-1);
  const meta = span && parseJson(params.subarray(span.start, span.end).toString('utf8'));
  const id =
    typeof meta === 'object' && meta !== null && correlationMember in meta ? meta[correlationMember] : '';
  return typeof id === 'string' && id !== '' ? masking.text(id, found).slice(0, maxId) : undefined;
}

const correlationMember = 'patchbay/correlationId';
const maxId = 200;
