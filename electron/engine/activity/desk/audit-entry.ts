import { digestOfText } from '../../base/digest.ts';
import { memberSpans } from '../../rpc/json-spans.ts';
import type { AuditEntry } from '../../store/state/audit/audit.ts';
import type { AuditHead, RecordHead } from '../contract.ts';
import { canonicalJson } from './canonical-json.ts';
import type { RecordMasking } from './masking.ts';

/** What the audit log keeps of a call: nothing of it is secret any more. */
export interface AuditedCall {
  readonly head: RecordHead;
  readonly audit: AuditHead;
  readonly outcome: AuditEntry['outcome'];
  /** The whole params, as they were sent. */
  readonly params: Buffer | undefined;
  /** Masked and whole. */
  readonly args: string | undefined;
  readonly result: string | undefined;
  readonly text: string | undefined;
}

export function toAuditEntry(call: AuditedCall, masking: RecordMasking): AuditEntry {
  const { head, audit, args, result, text } = call;
  const { decision, cached } = audit;
  const isDenied = decision === 'DENY' && call.outcome === 'refused';
  return {
    id: audit.id,
    at: head.at,
    kind: 'invocation',
    action: 'call',
    actor: short(masking.text(audit.agent ?? head.clientName ?? head.clientId ?? '')),
    outcome: isDenied ? 'denied' : call.outcome,
    serverKey: head.serverKey,
    tool: head.name === undefined ? undefined : short(masking.text(head.name)),
    text: text === undefined ? undefined : short(text),
    correlationId: audit.correlationId ?? correlationIn(call.params, masking) ?? audit.id,
    method: head.method,
    paramsHash: args === undefined ? undefined : digestOfText(canonicalJson(args)),
    resultSummary: result === undefined ? undefined : result.slice(0, longest),
    attempts: head.attempts ?? 1,
    milliseconds: head.milliseconds,
    decision,
    cached,
  };
}

const longest = 500;

function short(text: string): string {
  return text.length <= longest ? text : `${text.slice(0, longest - 1)}…`;
}

/** What its caller knows it by. */
function correlationIn(params: Buffer | undefined, masking: RecordMasking): string | undefined {
  if (params?.includes(correlationMember) !== true) return undefined;
  const span = memberSpans(params, '_meta').at(-1);
  const meta = span && parse(params.subarray(span.start, span.end).toString('utf8'));
  const id =
    typeof meta === 'object' && meta !== null && correlationMember in meta ? meta[correlationMember] : '';
  return typeof id === 'string' && id !== '' ? masking.text(id).slice(0, longestId) : undefined;
}

const correlationMember = 'patchbay/correlationId';
const longestId = 200;

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
