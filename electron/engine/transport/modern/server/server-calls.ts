import { type Clock, delay } from '../../../base/clock.ts';
import { TransientMap } from '../../../base/transient-map.ts';
import { type JsonRpcErrorObject, type JsonRpcId, rpcErrorCodes } from '../../../jsonrpc/message.ts';
import type { RawMessage } from '../../../jsonrpc/raw-message.ts';
import type { WireMessage } from '../../../jsonrpc/read-message.ts';
import { editMessage, resultMessage, stampMeta, withoutReserved } from '../edit-message.ts';
import { declaresTasksIn, needsTasks } from '../task-shapes.ts';
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

  /** `declared` are the capabilities of the client, as JSON, if it is stateless. */
  begin(message: RawMessage, declared: string | undefined): Promise<void> {
    const { envelope, nextId } = this.#options;
    const { id } = message;
    const isStateless = declared !== undefined;
    const task = this.#taskUse(message, declared);
    const { plain, tasks } = envelope.capabilities;
    const call: Call = {
      id: id ?? 0,
      request: isStateless || message.param('task') === undefined ? message : withoutTask(message),
      isStateless,
      capabilities: declared ?? (task === 'make' ? tasks : plain),
      task,
      wireId: typeof id === 'number' ? id : nextId(),
      round: 0,
      isAsking: false,
      requestState: undefined,
      questions: [],
      elicitations: [],
    };
    return this.#send(
      call,
      stampMeta(call.request, envelope.members(call.capabilities), String(call.wireId)),
    );
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

  close(): void {
    this.#isClosed = true;
  }

  #taskUse(message: RawMessage, declared: string | undefined): TaskUse {
    if (message.method !== 'tools/call') return 'refuse';
    if (declared !== undefined) return declaresTasksIn(declared) ? 'pass' : 'refuse';
    return this.#options.hasTasks && message.param('task') !== undefined ? 'make' : 'refuse';
  }

  async #send(call: Call, message: RawMessage): Promise<void> {
    const { wireId } = call;
    this.#calls.set(wireId, call);
    try {
      await this.#options.send(message);
    } catch (error) {
      if (this.#calls.get(wireId) !== call) return;
      this.#end(call);
      throw error;
    }
  }

  /** A call that is only possible as a task was not begun; a client that knows none waits for its end. */
  #takeFailure(call: Call, message: RawMessage): void {
    const { code = 0, data } = message.error ?? {};
    if (call.task === 'refuse' && !call.isStateless && needsTasks(code, data)) {
      call.task = 'follow';
      call.capabilities = this.#options.envelope.capabilities.tasks;
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
    this.#end(call);
    call.wireId = nextId();
    call.questions = [];
    call.isAsking = false;
    const stamped = stampMeta(call.request, envelope.members(call.capabilities), String(call.wireId));
    const responses = answers.map(({ key, answer }) => `${JSON.stringify(key)}:${answer?.toString('utf8')}`);
    const edits = [
      ...(responses.length === 0
        ? []
        : [{ name: 'inputResponses', value: Buffer.from(`{${responses.join(',')}}`) }]),
      ...(call.requestState === undefined ? [] : [{ name: 'requestState', value: call.requestState }]),
    ];
    const round = edits.length === 0 ? stamped : editMessage(stamped, ['params'], edits);
    this.#send(call, round).catch((error: unknown) =>
      lost(call.id, error instanceof Error ? error : new Error(String(error))),
    );
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

  /** Forgets a round and returns its id; questions that are still open are cancelled. */
  #end(call: Call): number {
    this.#calls.delete(call.wireId);
    this.#questions.cancel(call);
    return call.wireId;
  }
}

/** Milliseconds before a call is repeated that only needs more time; grows with each round. */
const stateOnlyDelayMs = 250;

function withoutTask(message: RawMessage): RawMessage {
  return editMessage(message, ['params'], [{ name: 'task', value: undefined }]);
}

/** The type of a result; a server that leaves it out means a complete one. */
function resultType({ resultType: json }: RawMessage): string {
  const type: unknown = json === undefined ? undefined : JSON.parse(json);
  return typeof type === 'string' ? type : 'complete';
}
