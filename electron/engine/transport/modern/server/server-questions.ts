import { z } from 'zod';
import { isRecord } from '../../../../../shared/json.ts';
import { readMember } from '../../../jsonrpc/json/edit-json.ts';
import { type JsonRpcErrorObject, type JsonRpcId, rpcErrorCodes } from '../../../jsonrpc/message.ts';
import type { RawMessage } from '../../../jsonrpc/raw-message.ts';
import { readMessage, type WireMessage } from '../../../jsonrpc/read-message.ts';
import { editMessage, jsonBytes } from '../edit-message.ts';
import { hopKeys } from '../protocol.ts';
import { questionMethods } from '../question-capability.ts';

/** A question of the server, asked as a request of a session-based server. */
export interface Question {
  readonly id: string;
  readonly key: string;
  readonly method: string;
  answer: Buffer | undefined;
}

/** A call that may be answered with questions. */
export interface AskingCall {
  /** The hub's id. */
  readonly id: JsonRpcId;
  round: number;
  /** True once the round was answered with questions, or with a request for time. */
  isAsking: boolean;
  requestState: Buffer | undefined;
  questions: readonly Question[];
  /** Ids of URL elicitations, whose completion is reported when the call succeeds. */
  readonly elicitations: string[];
}

/** Tells what an answer with questions means: they were asked, the server only needs more time, or it asks wrongly. */
export type Asked = 'asked' | 'later' | { readonly error: JsonRpcErrorObject };

/** Tells what the answer to a question means for its call. */
export type Answered<Call> =
  | { readonly call: Call; readonly next: 'wait' | 'repeat' }
  | { readonly call: Call; readonly next: 'end'; readonly error: JsonRpcErrorObject };

/** Questions of a stateless server within calls, as requests of a server with sessions. */
export class ServerQuestions<Call extends AskingCall> {
  readonly #deliver: (message: WireMessage, relatedTo?: JsonRpcId) => void;
  readonly #open = new Map<string, { readonly call: Call; readonly question: Question }>();
  #last = 0;

  constructor(deliver: (message: WireMessage, relatedTo?: JsonRpcId) => void) {
    this.#deliver = deliver;
  }

  /** Asks the hub what the server asks. */
  ask(call: Call, message: RawMessage): Asked {
    call.isAsking = true;
    const result = message.resultBytes ?? jsonBytes(message.result);
    const state = readMember(result, ['requestState']);
    call.requestState = state?.toString('utf8') === 'null' ? undefined : state;
    const asking = questionsIn(message.result);
    call.round += 1;
    if (asking === undefined) return failed('The server asks for input in an unreadable form');
    if (asking.length > maxQuestions)
      return failed(
        `The server asks ${asking.length} questions at once; at most ${maxQuestions} are allowed`,
      );
    if (call.round > maxRounds)
      return failed(`The server has asked ${maxRounds} times within one call and may never stop`);
    if (asking.length === 0)
      return call.requestState === undefined
        ? failed('The server asks for input without saying which')
        : 'later';
    const asked = asking.map(([key, { method, params }]) => {
      const bytes = isRecord(params) ? readMember(result, ['inputRequests', key, 'params']) : undefined;
      return this.#question(call, key, method, bytes ?? jsonBytes({}));
    });
    call.questions = asked.map(({ question }) => question);
    for (const { request } of asked) this.#deliver(request, call.id);
    return 'asked';
  }

  /** Takes an answer of the hub; undefined if it answers no open question. */
  answer(message: RawMessage): Answered<Call> | undefined {
    const known = typeof message.id === 'string' ? this.#open.get(message.id) : undefined;
    if (known === undefined) return undefined;
    const { call, question } = known;
    this.#open.delete(question.id);
    if (message.kind === 'result') question.answer = message.resultBytes ?? jsonBytes(message.result);
    else if (question.method === 'elicitation/create') question.answer = jsonBytes({ action: 'cancel' });
    else return { call, next: 'end', error: refusalOf(question, message.error ?? noError) };
    const isComplete = call.questions.every(({ answer }) => answer !== undefined);
    return { call, next: isComplete ? 'repeat' : 'wait' };
  }

  /** Cancels the questions of a call that nobody has answered. */
  cancel({ questions }: Call): void {
    for (const { id, answer } of questions) {
      if (answer !== undefined || !this.#open.delete(id)) continue;
      const params = { requestId: id };
      this.#deliver({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
    }
  }

  /** Reports the URL elicitations of a call as complete, once it has succeeded. */
  complete({ elicitations }: Call): void {
    const method = 'notifications/elicitation/complete';
    for (const elicitationId of elicitations)
      this.#deliver({ jsonrpc: '2.0', method, params: { elicitationId } });
  }

  #question(call: Call, key: string, method: string, params: Buffer) {
    this.#last += 1;
    const question: Question = { id: `patchbay-input-${this.#last}`, key, method, answer: undefined };
    this.#open.set(question.id, { call, question });
    const head = `{"jsonrpc":"2.0","id":"${question.id}","method":${JSON.stringify(method)},"params":`;
    const read = readMessage(Buffer.concat([Buffer.from(head), params, Buffer.from('}\n')]));
    if (read === undefined) throw new Error('A server request cannot be read');
    const isUrl = method === 'elicitation/create' && read.params?.mode === 'url';
    if (isUrl) call.elicitations.push(question.id);
    const named = isUrl
      ? editMessage(read, ['params'], [{ name: 'elicitationId', value: jsonBytes(question.id) }])
      : read;
    const keyed = [{ name: hopKeys.inputKey, value: jsonBytes(key) }];
    return { question, request: editMessage(named, ['params', '_meta'], keyed) };
  }
}

/** PHP and others write `null` for what is absent, and `[]` for an object without members. */
const noMembers = z.array(z.unknown()).max(0);
const questionSchema = z.object({
  method: z.string(),
  params: z.union([z.looseObject({}), noMembers]).nullish(),
});

/** Returns the questions by their keys; undefined if they are unreadable. */
function questionsIn(result: unknown) {
  const requests = isRecord(result) ? (result.inputRequests ?? {}) : undefined;
  if (noMembers.safeParse(requests).success) return [];
  if (!isRecord(requests)) return undefined;
  const read = z.array(z.tuple([z.string(), questionSchema])).safeParse(Object.entries(requests));
  return read.success ? read.data : undefined;
}

/** Blames the server for a method that no client knows, instead of the call. */
function refusalOf({ method }: Question, error: JsonRpcErrorObject): JsonRpcErrorObject {
  if (error.code !== rpcErrorCodes.methodNotFound || questionMethods.has(method)) return error;
  const message = `The server asks for ${method.slice(0, 64)}, which no client answers: ${error.message}`;
  return { ...error, code: rpcErrorCodes.internalError, message };
}

/** A question may come in at most this many rounds of one call. */
const maxRounds = 10;
const maxQuestions = 32;
const noError = { code: rpcErrorCodes.internalError, message: 'The request failed without an error' };

function failed(message: string): Asked {
  return { error: { code: rpcErrorCodes.internalError, message } };
}
