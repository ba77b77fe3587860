import { editMembers, readMember } from '../../../jsonrpc/json/edit-json.ts';
import { type JsonRpcId, rpcErrorCodes } from '../../../jsonrpc/message.ts';
import type { RawMessage } from '../../../jsonrpc/raw-message.ts';
import { toRaw } from '../../../jsonrpc/read-message.ts';
import { isObject, jsonBytes, withoutReserved } from '../edit-message.ts';

/** A question of a server for a stateless client. */
export interface Question {
  readonly key: string;
  /** Id of the session's request; undefined if the call is sent again once it is answered. */
  readonly id: JsonRpcId | undefined;
  readonly method: string;
  /** As JSON: forwarded as they were written. */
  readonly params: Buffer;
}

/** Returns the params of a question without members that a stateless client does not know. */
export function askedParams(question: RawMessage): Buffer {
  const stripped = withoutReserved(question, ['params', '_meta']);
  const bytes = stripped.paramsBytes ?? jsonBytes(stripped.params ?? {});
  const isElicitation = question.method === 'elicitation/create';
  const edited = isElicitation
    ? editMembers(bytes, [], [{ name: 'elicitationId', value: undefined }])
    : bytes;
  return editMembers(edited, ['_meta'], [{ name: 'progressToken', value: undefined }]);
}

/** Returns the questions as `inputRequests`, in JSON. */
export function inputRequests(questions: Iterable<Question>): Buffer {
  const parts = [...questions].map(({ key, method, params }) =>
    Buffer.concat([
      Buffer.from(`${JSON.stringify(key)}:{"method":${JSON.stringify(method)},"params":`),
      params,
      Buffer.from('}'),
    ]),
  );
  const comma = Buffer.from(',');
  const joined = parts.flatMap((part, at) => (at === 0 ? [part] : [comma, part]));
  return Buffer.concat([Buffer.from('{'), ...joined, Buffer.from('}')]);
}

/** Reads the answers in the `inputResponses` of a request, by question; only objects count. */
export function answersTo(questions: Iterable<Question>, request: RawMessage): ReadonlyMap<Question, Buffer> {
  const responses = readMember(request.line(), ['params', 'inputResponses']);
  const answers = new Map<Question, Buffer>();
  for (const question of questions) {
    const answer = responses && readMember(responses, [question.key]);
    if (answer !== undefined && isObject(answer)) answers.set(question, answer);
  }
  return answers;
}

/** Returns an answer in place of the client's, so that the server does not wait forever. */
export function noAnswerTo({ id, method }: Question, message: string): RawMessage | undefined {
  if (id === undefined) return undefined;
  const answer =
    method === 'elicitation/create'
      ? { result: { action: 'cancel' } }
      : { error: { code: rpcErrorCodes.internalError, message } };
  return toRaw({ jsonrpc: '2.0', id, ...answer });
}
