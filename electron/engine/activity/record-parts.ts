import type { ProblemCode } from '../../../shared/error/problem.ts';
import { isRecord } from '../../../shared/json.ts';
import type { ActivityOutcome } from '../../../shared/model/activity/activity.ts';
import { RpcError } from '../jsonrpc/message.ts';
import { RawMessage } from '../jsonrpc/raw-message.ts';
import type { CallRecord, ServerRequestRecord, UnroutableCall } from '../routing/contract.ts';
import { decisionOf } from './audit-heads.ts';
import type { RecordAudit } from './contract.ts';
import type { RecordBatch } from './record-batch.ts';
import { type CallRecording, rowOf } from './shared-calls.ts';

/** Records a call that has ended. */
export function recordCall(batch: RecordBatch, call: CallRecord, recording: CallRecording): void {
  const { request, answer, error, startedAt, endedAt = startedAt } = call;
  const args = paramsOf(request);
  const result = error === undefined ? answer && resultOf(answer) : jsonOf(error.toObject());
  const measures = {
    at: startedAt,
    milliseconds: Math.max(0, endedAt - startedAt - call.humanWaitMs),
    requestBytes: request.byteLength ?? args?.length ?? 0,
    answerBytes: answer?.byteLength ?? result?.length ?? 0,
  };
  const bodies = { args, result };
  if (isOrdinary(call) && batch.addOrdinary(call, measures, bodies, recording)) return;
  const { auditPrefix, isAuditOnly } = recording;
  const audit = auditPrefix === undefined ? undefined : auditOf(call, auditPrefix);
  const row = { ...rowOf(call), ...measures };
  batch.add(row, { ...bodies, digested: request.argumentsBytes }, audit, isAuditOnly);
}

/** Returns true for a call that is recorded in the same words as others like it. */
function isOrdinary({ error, fallback, repeated, correlationId }: CallRecord): boolean {
  return error === undefined && fallback === undefined && !repeated && correlationId === undefined;
}

function auditOf({ id, correlationId, decision }: CallRecord, prefix: string): RecordAudit {
  return { id: `${prefix}${id}`, correlationId, ...decisionOf(decision) };
}

/** Records a call that could not be routed, with the names that the client used if nothing else is known. */
export function recordUnroutable(
  batch: RecordBatch,
  unroutable: UnroutableCall,
  audit: RecordAudit | undefined,
  isAuditOnly: true | undefined,
): void {
  const { sessionId, request, at, error } = unroutable;
  const args = paramsOf(request);
  const target = targetOf(error);
  const name = target.tool ?? request.param('name') ?? request.param('uri');
  batch.add(
    {
      at,
      kind: 'call',
      clientId: sessionId,
      serverKey: target.serverKey,
      method: request.method,
      name: typeof name === 'string' ? name : undefined,
      outcome: 'refused',
      requestBytes: request.byteLength ?? args?.length ?? 0,
      text: error.message,
    },
    { args, result: jsonOf(error.toObject()) },
    audit && { ...audit, decision: target.decision },
    isAuditOnly,
  );
}

/**
 * Returns the tool and server that our own errors name (see error-map.ts), and whether the call was denied.
 */
function targetOf({ data }: RpcError): {
  readonly serverKey?: string | undefined;
  readonly tool?: string | undefined;
  readonly decision?: 'DENY' | undefined;
} {
  if (!isRecord(data)) return {};
  const { code, serverKey, tool } = data;
  return {
    serverKey: typeof serverKey === 'string' ? serverKey : undefined,
    tool: typeof tool === 'string' ? tool : undefined,
    decision: denials.has(code) ? 'DENY' : undefined,
  };
}

const denials: ReadonlySet<unknown> = new Set<ProblemCode>([
  'call.not_allowed',
  'call.token_needed',
  'call.identity_ended',
  'access.unreadable',
]);

export function recordServerRequest(batch: RecordBatch, question: ServerRequestRecord): void {
  const { serverKey, sessionId, request, startedAt, endedAt, outcome, answer } = question;
  const args = paramsOf(request);
  const result = answerBody(answer);
  batch.add(
    {
      at: startedAt,
      kind: 'question',
      clientId: sessionId,
      serverKey,
      method: request.method.slice(0, maxMethod),
      outcome: outcome satisfies ActivityOutcome,
      milliseconds: endedAt - startedAt,
      requestBytes: request.byteLength ?? args?.length ?? 0,
      answerBytes:
        answer instanceof RawMessage ? (answer.byteLength ?? result?.length ?? 0) : (result?.length ?? 0),
      text: answer instanceof Error ? answer.message : undefined,
    },
    { args, result },
  );
}

/** Characters of a method, which a server may invent. */
const maxMethod = 200;

function answerBody(answer: unknown): Buffer | undefined {
  if (answer instanceof RawMessage) return resultOf(answer);
  if (answer instanceof RpcError) return jsonOf(answer.toObject());
  return answer instanceof Error ? jsonOf({ message: answer.message }) : jsonOf(answer);
}

/** Returns the params of a request as bytes. */
function paramsOf(message: RawMessage): Buffer | undefined {
  return message.paramsBytes ?? jsonOf(message.params);
}

/** Returns the result of an answer, or its error, as bytes. */
function resultOf(answer: RawMessage): Buffer | undefined {
  return answer.resultBytes ?? jsonOf(answer.kind === 'failure' ? answer.error : answer.result);
}

function jsonOf(value: unknown): Buffer | undefined {
  return value === undefined ? undefined : Buffer.from(JSON.stringify(value));
}
