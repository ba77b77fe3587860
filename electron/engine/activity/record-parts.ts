import type { ProblemCode } from '../../../shared/error/problem.ts';
import { isRecord } from '../../../shared/json.ts';
import type { ActivityOutcome } from '../../../shared/model/activity.ts';
import type { ServerRequestRecord, UnroutableCall } from '../route/contract.ts';
import { RpcError } from '../rpc/message.ts';
import { totalBytes } from '../rpc/pieces.ts';
import { RawMessage } from '../rpc/raw-message.ts';
import { type Body, jsonOf, paramsOf, type RecordBatch, resultOf } from './record-batch.ts';

/** Records a call that could not be routed, with the names that the client used if nothing else is known. */
export function recordUnroutable(
  batch: RecordBatch,
  unroutable: UnroutableCall,
  clientName: string | undefined,
  audit: Parameters<RecordBatch['add']>[2],
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
      clientName,
      serverKey: target.serverKey,
      method: request.method,
      name: typeof name === 'string' ? name : undefined,
      outcome: 'refused',
      requestBytes: request.byteLength ?? lengthOf(args),
      text: error.message,
    },
    { args, result: jsonOf(error.toObject()) },
    audit && { ...audit, decision: target.decision },
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

export function recordServerRequest(
  batch: RecordBatch,
  question: ServerRequestRecord,
  clientName: string | undefined,
): void {
  const { serverKey, sessionId, request, startedAt, endedAt, outcome, answer } = question;
  const args = paramsOf(request);
  const result = answerBody(answer);
  batch.add(
    {
      at: startedAt,
      kind: 'question',
      clientId: sessionId,
      clientName,
      serverKey,
      method: request.method,
      outcome: outcome satisfies ActivityOutcome,
      milliseconds: endedAt - startedAt,
      requestBytes: request.byteLength ?? lengthOf(args),
      answerBytes: answer instanceof RawMessage ? (answer.byteLength ?? lengthOf(result)) : lengthOf(result),
      text: answer instanceof Error ? answer.message : undefined,
    },
    { args, result },
  );
}

function answerBody(answer: unknown): Body {
  if (answer instanceof RawMessage) return resultOf(answer);
  if (answer instanceof RpcError) return jsonOf(answer.toObject());
  return answer instanceof Error ? jsonOf({ message: answer.message }) : jsonOf(answer);
}

function lengthOf(body: Body): number {
  return body === undefined ? 0 : totalBytes(body);
}
