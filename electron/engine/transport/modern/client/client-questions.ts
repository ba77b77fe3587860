import { isRecord, scalarText } from '../../../../../shared/json.ts';
import { type Clock, delay } from '../../../base/clock.ts';
import type { Disposable } from '../../../base/emitter.ts';
import { readMember } from '../../../jsonrpc/json/edit-json.ts';
import { type JsonRpcErrorObject, rpcErrorCodes } from '../../../jsonrpc/message.ts';
import type { RawMessage } from '../../../jsonrpc/raw-message.ts';
import { toRaw, type WireMessage } from '../../../jsonrpc/read-message.ts';
import { jsonBytes, messageOf, parseParams, resultMessage } from '../edit-message.ts';
import { askingMethods, hopKeys, modernErrorCodes } from '../protocol.ts';
import { type MissingCapabilities, missingForQuestion, questionMethods } from '../question-capability.ts';
import { type Call, endWithError, sendResult } from './client-call.ts';
import { answersTo, askedParams, inputRequests, noAnswerTo, type Question } from './client-question.ts';
import { createHandle, digestRequest, RequestStates } from './request-state.ts';

export interface ClientQuestionsOptions {
  readonly clock: Clock;
  /** Sends the answer to a question into the session. */
  readonly answer: (message: WireMessage) => void;
  /** Ends a call in the session whose client never came back. */
  readonly abandon: (call: Call) => void;
}

/** Parked call that a retry continues, with its answer if that has come meanwhile; or the reason for none. */
export type Retried =
  | { readonly call: Call; readonly outcome: RawMessage | undefined }
  | { readonly error: JsonRpcErrorObject };

/**
 * Questions of servers within the calls of a stateless client. Those of one turn end the request with
 * `input_required`; the call is parked until the client comes back with the answers, or never does.
 */
export class ClientQuestions {
  readonly #options: ClientQuestionsOptions;
  readonly #states = new RequestStates();
  /** By handle, the one that has waited longest first. */
  readonly #parked = new Map<string, Call>();
  #expiry: Disposable | undefined;
  #isClosed = false;

  constructor(options: ClientQuestionsOptions) {
    this.#options = options;
  }

  /** Number of parked calls. */
  get size(): number {
    return this.#parked.size;
  }

  /** Takes a question, which must belong to a call that the client waits for. */
  ask(call: Call | undefined, message: RawMessage): void {
    const { method = '', id } = message;
    const params = parseParams(message);
    const refusal = this.#refusalOf(call, method, params);
    if (refusal !== undefined || call === undefined) {
      const error = { code: rpcErrorCodes.methodNotFound, message: refusal ?? '' };
      this.#options.answer(toRaw({ jsonrpc: '2.0', id: id ?? null, error }));
      return;
    }
    call.questions.push({ key: keyFor(call, params), id: id ?? 0, method, params: askedParams(message) });
    // Questions of the same turn become one round.
    call.batch ??= this.#options.clock.after(batchMs, () => {
      call.batch = undefined;
      // The server may have withdrawn them.
      if (call.waiting !== undefined && call.questions.length > 0) this.#park(call);
    });
  }

  /** Asks the client to visit pages; the call is sent again afterwards, as the server did not act on it. */
  askForVisits(call: Call, urls: readonly Buffer[]): void {
    const method = 'elicitation/create';
    const missing = missingForQuestion(call.envelope.capabilities, method, { mode: 'url' });
    if (missing !== undefined) {
      endWithError(call, missingError(missing));
      return;
    }
    if (!this.#mayAsk(call)) {
      endWithError(call, tooManyVisits);
      return;
    }
    call.questions = urls.map((params, at) => ({ key: `q${at + 1}`, id: undefined, method, params }));
    this.#park(call);
  }

  /** Takes a parked call back for a client that has come back with its state. */
  unpark(message: RawMessage, requestState: unknown): Retried {
    const { method = '' } = message;
    const named = this.#states.parse(requestState);
    if (named === 'earlier-run') return { error: { ...stateInvalid, data: earlierRun } };
    const call = named && this.#parked.get(named.handle);
    const digest = digestRequest(message);
    const binding = named && { handle: named.handle, round: named.round, method, digest };
    const isSealed = binding !== undefined && this.#states.verify(scalarText(requestState), binding);
    if (call?.parked === undefined || !isSealed) return { error: stateInvalid };
    const { outcome } = call.parked;
    this.#parked.delete(named?.handle ?? '');
    call.parked = undefined;
    return { call, outcome };
  }

  /**
   * Takes the answers of a client that has come back, and asks again for those that are missing. True if the call
   * is to be sent again.
   */
  takeAnswers(call: Call, message: RawMessage): boolean {
    const answers = this.#passAnswers(call, message);
    const visits = [...answers].filter(([{ id }]) => id === undefined);
    const isDeclined = visits.some(([, answer]) => !isAccepted(answer));
    if (isDeclined) endWithError(call, visitDeclined);
    else if (call.questions.length > 0) this.#park(call);
    return !isDeclined && call.questions.length === 0 && visits.length > 0;
  }

  /**
   * Takes the answers for a call that has ended meanwhile: of several calls of one client, the questions may have
   * been of another one.
   */
  takeLateAnswers(call: Call, message: RawMessage): void {
    this.#passAnswers(call, message);
    this.cancel(call, 'The call is over');
  }

  /** Handles the end of a question by its server, in a call that is parked. */
  withdraw(questionId: unknown): void {
    for (const call of this.#parked.values())
      call.questions = call.questions.filter(({ id }) => id !== questionId);
  }

  /** Ends the questions of a call that is over. */
  cancel(call: Call, message: string): void {
    if (call.questions.length === 0 && call.batch === undefined) return;
    call.batch?.dispose();
    call.batch = undefined;
    for (const question of call.questions.splice(0)) {
      const answer = noAnswerTo(question, message);
      if (answer !== undefined) this.#options.answer(answer);
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#expiry?.dispose();
    this.#parked.clear();
  }

  #passAnswers(call: Call, message: RawMessage): ReadonlyMap<Question, Buffer> {
    const answers = answersTo(call.questions, message);
    call.questions = call.questions.filter((question) => !answers.has(question));
    for (const [{ id }, answer] of answers)
      if (id !== undefined) this.#options.answer(resultMessage(id, answer));
    return answers;
  }

  #refusalOf(
    call: Call | undefined,
    method: string,
    params: Readonly<Record<string, unknown>>,
  ): string | undefined {
    if (call === undefined) return `${method} can only be asked within a call of this client`;
    if (!askingMethods.has(call.method)) return `The client can be asked nothing within ${call.method}`;
    if (!questionMethods.has(method)) return `${method} is not a question of this protocol`;
    const missing = missingForQuestion(call.envelope.capabilities, method, params);
    if (missing !== undefined) {
      call.missing = { ...call.missing, ...missing };
      return `The client does not support ${method}`;
    }
    return this.#mayAsk(call)
      ? undefined
      : 'The server asks too often, or too many calls of this client wait';
  }

  #mayAsk({ round, questions }: Call): boolean {
    return round < maxRounds && (questions.length > 0 || this.#hasRoom());
  }

  /**
   * Tells whether one more call may be parked. If too many are, the one that has waited longest is given up: its
   * client has most likely gone. One that somebody may still be reading is not.
   */
  #hasRoom(): boolean {
    if (this.#parked.size < maxParked) return true;
    const [oldest] = this.#parked;
    if (oldest === undefined || this.#waitedFor(oldest[1]) < readingMs) return false;
    void this.#giveUp(...oldest);
    return true;
  }

  #waitedFor({ parked }: Call): number {
    return parked === undefined ? 0 : this.#options.clock.uptime() - parked.since;
  }

  /** Ends the HTTP request or its like with the open questions; the call stays alive in the session. */
  #park(call: Call): void {
    const { waiting, method } = call;
    if (waiting === undefined) return;
    call.round += 1;
    const handle = createHandle();
    const digest = digestRequest(waiting.request);
    const state = this.#states.create({ handle, round: call.round, method, digest });
    call.parked = { since: this.#options.clock.uptime(), outcome: undefined };
    call.waiting = undefined;
    this.#parked.set(handle, call);
    this.#expiry ??= this.#options.clock.after(parkedMs, () => this.#expire());
    sendResult(waiting, questionsResult(call.questions, state));
  }

  /** One timer serves all parked calls, as each may wait as long as the others. */
  #expire(): void {
    this.#expiry = undefined;
    for (const [handle, call] of this.#parked) {
      const leftMs = parkedMs - this.#waitedFor(call);
      if (leftMs > 0) {
        this.#expiry = this.#options.clock.after(leftMs, () => this.#expire());
        return;
      }
      void this.#giveUp(handle, call);
    }
  }

  /** Ends a parked call whose client never came back: its questions first, then the call itself. */
  async #giveUp(handle: string, call: Call): Promise<void> {
    this.#parked.delete(handle);
    call.parked = undefined;
    this.cancel(call, 'The client did not answer in time');
    await delay(this.#options.clock, endingMs);
    if (!this.#isClosed) this.#options.abandon(call);
  }
}

/** Milliseconds in which questions are gathered into one round. */
const batchMs = 20;
/** Milliseconds that a client has to come back with its answers. */
const parkedMs = 10 * 60_000;
/** Milliseconds of that in which a parked call is never given up for another one. */
const readingMs = 60_000;
/** Milliseconds that a server has to end a call by itself once its questions were cancelled. */
const endingMs = 5_000;
const maxParked = 1_000;
const maxRounds = 32;
const stateInvalid = {
  code: rpcErrorCodes.invalidParams,
  message:
    'This requestState is not valid, or not any more. Without it the request starts from the beginning, even if the earlier one took effect.',
};
const earlierRun = {
  reason: 'Patchbay may have been restarted in between; the outcome of the first request is unknown',
};

const visitDeclined = {
  code: rpcErrorCodes.internalError,
  message: 'The server does nothing until its page has been visited, and the visit was declined',
};
const tooManyVisits = {
  code: rpcErrorCodes.internalError,
  message: 'The server asks to open pages too often, or too many calls of this client are waiting',
};

/** Error for a call that failed because the client could not be asked something. */
export function missingError(requiredCapabilities: MissingCapabilities): JsonRpcErrorObject {
  const names = Object.keys(requiredCapabilities).join(', ');
  return {
    code: modernErrorCodes.missingCapability,
    message: `This needs capabilities that the client did not declare: ${names}`,
    data: { requiredCapabilities },
  };
}

function isAccepted(answer: Buffer): boolean {
  return readMember(answer, ['action'])?.equals(accepted) === true;
}

const accepted = jsonBytes('accept');

/** Key of a question that no other open question of the call has; that of a modern server stays. */
function keyFor(call: Call, { _meta }: Readonly<Record<string, unknown>>): string {
  const isUsed = (key: unknown) => call.questions.some((question) => question.key === key);
  const given = isRecord(_meta) ? _meta[hopKeys.inputKey] : undefined;
  if (typeof given === 'string' && !isUsed(given)) return given;
  do call.keys += 1;
  while (isUsed(`q${call.keys}`));
  return `q${call.keys}`;
}

/** Result that asks the client; the questions are as they were written. */
function questionsResult(questions: readonly Question[], state: string): RawMessage {
  const head = '{"jsonrpc":"2.0","id":0,"result":{"resultType":"input_required","inputRequests":';
  return messageOf(head, inputRequests(questions), `,"requestState":${JSON.stringify(state)}}}`);
}
