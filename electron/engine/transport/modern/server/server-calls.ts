import { type Clock, delay } from '../../../base/clock.ts';
import { TransientMap } from '../../../base/transient-map.ts';
import {
  ConnectionClosedError,
  InterruptedError,
  type JsonRpcErrorObject,
  type JsonRpcId,
  rpcErrorCodes,
} from '../../../jsonrpc/message.ts';
import type { RawMessage } from '../../../jsonrpc/raw-message.ts';
import type { WireMessage } from '../../../jsonrpc/read-message.ts';
import { editMessage, resultMessage, stampMeta, withoutReserved } from '../edit-message.ts';
import { hopKeys } from '../protocol.ts';
import { declaresTasksIn, needsTasks, withTasksExtension } from '../task-shapes.ts';
import { RoundProgress } from './round-progress.ts';
import type { ServerEnvelope } from './server-envelope.ts';
import { type AskingCall, type Question, ServerQuestions } from './server-questions.ts';
import type { ServerTasks } from './server-tasks.ts';

export interface ServerCallsOptions {
  readonly clock: Clock;
  readonly envelope: ServerEnvelope;
  readonly tasks: ServerTasks;
  /** True if the server has the extension for tasks. */
  readonly hasTasks: boolean;
  /** Returns an id that no request of the hub has. */
  readonly nextId: () => number;
  readonly send: (message: RawMessage) => Promise<void>;
  readonly deliver: (message: WireMessage, relatedTo?: JsonRpcId) => void;
  readonly lost: (id: JsonRpcId, reason: Error) => void;
}

/** A request of the hub to the server, over all its rounds. */
interface Call extends AskingCall {
  readonly request: RawMessage;
  /** True if the request came with the capabilities of a stateless client. */
  readonly isStateless: boolean;
  /** As JSON. */
  capabilities: string;
  task: TaskUse;
  wireId: number;
}

/**
 * Treatment of a task in the answer: passed to a stateless client, made one of a client with a session, or followed
 * to its end within the call. `refuse`: nothing that was asked for.
 */
type TaskUse = 'pass' | 'make' | 'follow' | 'refuse';

/**
 * Calls of a stateless server. Each goes out with the envelope under the hub's own id; one that is answered with
 * questions is repeated with the hub's answers, under a new id each time.
 */
export class ServerCalls {
  readonly #options: ServerCallsOptions;
  readonly #calls = new TransientMap<number, Call>();
  readonly #questions: ServerQuestions<Call>;
  readonly #progress = new RoundProgress();
  #isClosed = false;

  constructor(options: ServerCallsOptions) {
    this.#options = options;
    this.#questions = new ServerQuestions(options.deliver);
  }

  has(wireId: number): boolean {
    return this.#calls.has(wireId);
  }

  /** The hub's id of a call, by the id that the server knows. */
  idOf(wireId: number): JsonRpcId | undefined {
    return this.#calls.get(wireId)?.id;
  }

  /** `declared` are the capabilities of the client, as JSON, if it is stateless; with a session it has others. */
  begin(message: RawMessage, declared: string | undefined): Promise<void> {
    const { envelope, nextId } = this.#options;
    const { id } = message;
    const isStateless = declared !== undefined;
    const task = this.#taskUse(message, declared);
    const call: Call = {
      id: id ?? 0,
      request: isStateless || message.param('task') === undefined ? message : withoutTask(message),
      isStateless,
      capabilities: declared ?? sessionCapabilities(message, task, envelope),
      task,
      wireId: typeof id === 'number' ? id : nextId(),
      round: 0,
      isAsking: false,
      requestState: undefined,
      questions: [],
      elicitations: [],
    };
    if (!isStateless) this.#progress.begin(call.request);
    return this.#send(
      call,
      stampMeta(call.request, envelope.members(call.capabilities), String(call.wireId)),
    );
  }

  /** Tells whether progress of a call may be passed on. */
  passesProgress(notification: RawMessage): boolean {
    return this.#progress.passes(notification);
  }

  /** Ends a call for the hub, which has cancelled it; returns the id that the server knows. */
  cancel(id: unknown): number | undefined {
    const call = this.#calls.values().find((one) => one.id === id);
    return call && this.#end(call);
  }

  /** Handles the end of a request without an answer. */
  lost(wireId: number, reason: Error): void {
    const call = this.#calls.get(wireId);
    if (call === undefined) return;
    this.#end(call);
    this.#options.lost(call.id, reason);
  }

  answered(wireId: number, message: RawMessage): void {
    const call = this.#calls.get(wireId);
    if (call === undefined) return;
    if (message.kind === 'failure') this.#takeFailure(call, message);
    else this.#takeResult(call, message);
  }

  /** Takes an answer of the hub, and repeats the call once all questions of the round are answered. */
  answerQuestion(message: RawMessage): void {
    const answered = this.#questions.answer(message);
    if (answered === undefined) return;
    const { call } = answered;
    if (answered.next === 'end') this.#deliverError(call, answered.error);
    else if (answered.next === 'repeat' && this.#calls.get(call.wireId) === call)
      this.#repeat(call, call.questions);
  }

  /** Ends calls that wait for answers as interrupted, not lost: the server is not working on them. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const call of [...this.#calls.values()]) {
      if (!call.isAsking) continue;
      this.#end(call);
      const isOpen = call.questions.some(({ answer }) => answer === undefined);
      this.#options.lost(call.id, interrupted(call, isOpen ? undefined : []));
    }
  }

  #taskUse(message: RawMessage, declared: string | undefined): TaskUse {
    if (message.method !== 'tools/call') return 'refuse';
    if (declared !== undefined) return declaresTasksIn(declared) ? 'pass' : 'refuse';
    return this.#options.hasTasks && message.param('task') !== undefined ? 'make' : 'refuse';
  }

  #send(call: Call, message: RawMessage): Promise<void> {
    const { wireId } = call;
    this.#calls.set(wireId, call);
    return this.#options.send(message).catch((error: unknown) => {
      if (this.#calls.get(wireId) !== call) return;
      this.#end(call);
      throw error;
    });
  }

  /** Repeats a call that the server runs only as a task, and follows the task if the client knows none. */
  #takeFailure(call: Call, message: RawMessage): void {
    const { code = 0, data } = message.error ?? {};
    if (call.task === 'refuse' && !call.isStateless && needsTasks(code, data)) {
      call.task = 'follow';
      call.capabilities = withTasksIn(call.capabilities);
      this.#repeat(call, []);
      return;
    }
    this.#deliverAnswer(call, message);
  }

  #takeResult(call: Call, message: RawMessage): void {
    const type = resultType(message);
    if (type === 'input_required') {
      // The first of two answers to one request counts, or the call would be sent twice.
      if (!call.isAsking) this.#ask(call, message);
      return;
    }
    if (type === 'complete') {
      this.#questions.complete(call);
      this.#complete(call, withoutReserved(message, ['result', '_meta']));
      return;
    }
    if (type === 'task' && call.task !== 'refuse') {
      this.#takeTask(call, withoutReserved(message, ['result', '_meta']));
      return;
    }
    const text = `The server answered with an unknown resultType: ${type.slice(0, 64)}`;
    this.#deliverError(call, { code: rpcErrorCodes.internalError, message: text });
  }

  #complete(call: Call, message: RawMessage): void {
    if (call.task !== 'make') {
      this.#deliverAnswer(call, message);
      return;
    }
    this.#end(call);
    this.#options.tasks.completed(call.id, message);
  }

  #takeTask(call: Call, message: RawMessage): void {
    if (call.task === 'pass') {
      this.#deliverAnswer(call, message);
      return;
    }
    this.#end(call);
    if (call.task === 'make') this.#options.tasks.created(call.id, message);
    else void this.#follow(call, message);
  }

  async #follow(call: Call, message: RawMessage): Promise<void> {
    const { tasks, deliver } = this.#options;
    const outcome = await tasks.follow(call.id, message);
    if (outcome === undefined) return;
    if ('error' in outcome) deliver({ jsonrpc: '2.0', id: call.id, error: outcome.error });
    else deliver(resultMessage(call.id, outcome.result));
  }

  /** Asks the hub what the server asks, or repeats the call at once if it only needs more time. */
  #ask(call: Call, message: RawMessage): void {
    const asked = this.#questions.ask(call, message);
    if (asked === 'later') void this.#repeatLater(call);
    else if (asked !== 'asked') this.#deliverError(call, asked.error);
  }

  async #repeatLater(call: Call): Promise<void> {
    await delay(this.#options.clock, stateOnlyDelayMs * call.round);
    if (!this.#isClosed && this.#calls.get(call.wireId) === call) this.#repeat(call, []);
  }

  /** Sends the call with the answers of the last round, if any, under a new id. */
  #repeat(call: Call, answers: readonly Question[]): void {
    const { envelope, nextId, lost } = this.#options;
    this.#endRound(call);
    this.#progress.nextRound(call.request);
    call.wireId = nextId();
    call.questions = [];
    call.isAsking = false;
    const stamped = stampMeta(call.request, envelope.members(call.capabilities), String(call.wireId));
    this.#send(call, withAnswers(stamped, call, answers)).catch((error: unknown) => {
      const isUnsent = error instanceof ConnectionClosedError && !error.sent;
      const reason = error instanceof Error ? error : new Error(String(error));
      lost(call.id, isUnsent && call.round > 0 ? interrupted(call, answers, reason) : reason);
    });
  }

  #deliverAnswer(call: Call, message: RawMessage): void {
    this.#end(call);
    const isNamed = message.id === call.id;
    this.#options.deliver(isNamed ? message : message.with({ id: JSON.stringify(call.id) }));
  }

  #deliverError(call: Call, error: JsonRpcErrorObject): void {
    this.#end(call);
    this.#options.deliver({ jsonrpc: '2.0', id: call.id, error });
  }

  #end(call: Call): number {
    if (!call.isStateless) this.#progress.end(call.request);
    return this.#endRound(call);
  }

  /** Forgets a round and returns its id; questions that are still open are cancelled. */
  #endRound(call: Call): number {
    this.#calls.delete(call.wireId);
    this.#questions.cancel(call);
    return call.wireId;
  }
}

/** Milliseconds before a call is repeated that only needs more time; grows with each round. */
const stateOnlyDelayMs = 250;

/** Sets the answers of the last round and the state of the server, in place of earlier ones. */
function withAnswers(
  request: RawMessage,
  { requestState }: AskingCall,
  answers: readonly Question[],
): RawMessage {
  const responses = answers.map(({ key, answer }) => `${JSON.stringify(key)}:${answer?.toString('utf8')}`);
  const value = responses.length === 0 ? undefined : Buffer.from(`{${responses.join(',')}}`);
  return editMessage(
    request,
    ['params'],
    [
      { name: 'inputResponses', value },
      { name: 'requestState', value: requestState },
    ],
  );
}

/** The end of a call between two rounds; without answers, its questions are open. */
function interrupted(call: Call, answers: readonly Question[] | undefined, cause?: Error): InterruptedError {
  const { requestState, isStateless } = call;
  const state = isStateless ? (requestState?.toString('utf8') ?? 'null') : undefined;
  const resume =
    answers && ((request: RawMessage) => withMark(withAnswers(request, { ...call, requestState }, answers)));
  return new InterruptedError({ state, resume }, cause);
}

/** Marks a call that goes on, which a server with sessions must not get. */
function withMark(request: RawMessage): RawMessage {
  return editMessage(request, ['params', '_meta'], [{ name: hopKeys.goesOn, value: Buffer.from('true') }]);
}

/** Returns the capabilities for a call of a client with a session, as JSON. */
function sessionCapabilities(message: RawMessage, task: TaskUse, { capabilities }: ServerEnvelope): string {
  const own = message.paramText('sessionCapabilities') ?? capabilities.plain;
  return task === 'make' ? withTasksIn(own) : own;
}

/** Adds the extension for tasks to capabilities in JSON. */
function withTasksIn(capabilities: string): string {
  return JSON.stringify(withTasksExtension(JSON.parse(capabilities)));
}

function withoutTask(message: RawMessage): RawMessage {
  return editMessage(message, ['params'], [{ name: 'task', value: undefined }]);
}

/** The type of a result; a server that leaves it out means a complete one. */
function resultType({ resultType: json }: RawMessage): string {
  if (json === undefined || json === '"complete"') return 'complete';
  const type: unknown = JSON.parse(json);
  return typeof type === 'string' ? type : 'complete';
}
