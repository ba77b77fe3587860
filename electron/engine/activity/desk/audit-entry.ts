import { memberSpans } from '../../rpc/json-spans.ts';
import type { AuditEntry } from '../../store/state/audit/audit.ts';
import { known, recordRow } from '../record-row.ts';
import type { Masking } from './masking.ts';
import type { ShownRecord } from './read-batch.ts';

/**
 * Builds the audit entry of a call; all secrets in it are masked already. `isPartial`: its bodies are
 * unknown.
 */
export function toAuditEntry(
  shown: ShownRecord,
  id: string,
  masking: Masking,
  isPartial: true | undefined,
): AuditEntry {
  const { numbers, outcome, digest, shownArgs, shownResult, text, found } = shown;
  const { audit, serverKey, method, attempts = 1 } = shown.head.head;
  const name = shown.head.name(found);
  return {
    id,
    at: numbers[recordRow.at] ?? 0,
    kind: 'invocation',
    action: 'call',
    actor: short(shown.head.actor(found)),
    outcome: audit?.decision === 'DENY' && outcome === 'refused' ? 'denied' : outcome,
    serverKey,
    tool: name === undefined ? undefined : short(name),
    text: text === undefined ? undefined : short(text),
    correlationId: audit?.correlationId ?? correlationIn(shown.params, masking, found) ?? id,
    method,
    paramsHash: digest?.toString('hex') ?? shownArgs?.hash(),
    resultSummary: shownResult?.text.slice(0, summaryLength),
    attempts,
    milliseconds: known(numbers[recordRow.milliseconds]),
    decision: audit?.decision,
    cached: audit?.cached,
    isPartial,
  };
}

/** Characters. */
export const summaryLength = 500;
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
  const meta = span && parse(params.subarray(span.start, span.end).toString('utf8'));
  const id =
    typeof meta === 'object' && meta !== null && correlationMember in meta ? meta[correlationMember] : '';
  return typeof id === 'string' && id !== '' ? masking.text(id, found).slice(0, maxId) : undefined;
}

const correlationMember = 'patchbay/correlationId';
const maxId = 200;

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
