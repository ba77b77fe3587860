import type { ActivityOutcome } from '../../../shared/model/activity.ts';
import type { QuestionRecord, StrayCall } from '../route/contract.ts';
import { RpcError } from '../rpc/message.ts';
import { RawMessage } from '../rpc/raw-message.ts';
import { type Body, jsonOf, paramsOf, type RecordBatch, resultOf } from './record-batch.ts';

/** The name is as the client said it: nothing is known by it. */
export function recordStray(
  batch: RecordBatch,
  stray: StrayCall,
  clientName: string | undefined,
  audit: Parameters<RecordBatch['add']>[2],
): void {
  const { sessionId, request, at, error } = stray;
  const args = paramsOf(request);
  const name = request.param('name') ?? request.param('uri');
  batch.add(
    {
      at,
      kind: 'call',
      clientId: sessionId,
      clientName,
      method: request.method,
      name: typeof name === 'string' ? name : undefined,
      outcome: 'refused',
      requestBytes: request.size ?? lengthOf(args),
      text: error.message,
    },
    { args, result: jsonOf(error.toObject()) },
    audit,
  );
}

export function recordQuestion(
  batch: RecordBatch,
  question: QuestionRecord,
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
      requestBytes: request.size ?? lengthOf(args),
      answerBytes: answer instanceof RawMessage ? (answer.size ?? lengthOf(result)) : lengthOf(result),
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
  return body?.length ?? 0;
}
