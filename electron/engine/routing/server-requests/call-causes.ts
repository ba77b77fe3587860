import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/emitter.ts';
import type { JsonRpcId } from '../../jsonrpc/message.ts';
import type { Connection, Instances, SupervisedServer } from '../../servers/contract.ts';
import type { ActiveCall, ActiveCalls, SentRequest } from '../active-calls.ts';
import { hubSessionId } from '../contract.ts';
import { type Caller, ignore } from './contract.ts';

/** The session whose call caused a server's message. */
export type Cause =
  | { readonly kind: 'certain'; readonly caller: Caller; readonly requestId?: JsonRpcId }
  /** No call is in progress on this connection. */
  | { readonly kind: 'none' }
  /** Calls of several clients are in progress, and nothing tells them apart. */
  | { readonly kind: 'ambiguous' };

export interface CallCausesOptions {
  readonly clock: Clock;
  readonly calls: Pick<ActiveCalls, 'sentOver'>;
  readonly instances: Pick<Instances, 'isolates'>;
}

/**
 * How long an abandoned call still counts, in milliseconds, once the server has read its cancellation, unless
 * the server answers it first. A server that obeys says no more about the call, so its silence must not block
 * others for long.
 */
const lingerMs = 5_000;
/**
 * As above, for a server that has not read the cancellation, or that has answered a call long after its
 * cancellation.
 */
const stubbornLingerMs = 60_000;
/** Within this time, in milliseconds, a response may simply have crossed the cancellation. */
const crossingToleranceMs = 1_000;

/**
 * Finds the calls that may have caused a server's message: those in progress on its connection, and those that
 * the hub no longer waits for but the server may still be processing. A server that is being replaced has two
 * connections, whose ids are independent.
 */
export class CallCauses {
  readonly #options: CallCausesOptions;
  readonly #abandoned = new WeakMap<Connection, AbandonedCalls>();
  readonly #questions = new OpenQuestions();

  constructor(options: CallCausesOptions) {
    this.#options = options;
  }

  /**
   * `relatedTo` is the id of the call, if the transport knows it. `isOwn` is true for a server that only one
   * session uses.
   */
  causeOf(
    connection: Connection | undefined,
    relatedTo: JsonRpcId | undefined,
    isOwn: boolean = false,
  ): Cause {
    if (connection === undefined) return { kind: 'none' };
    const active = this.#active(connection);
    const abandoned = this.#abandoned.get(connection)?.all ?? [];
    if (relatedTo !== undefined) {
      const call = active.find(({ sent }) => sent.id === relatedTo);
      if (call !== undefined) return causeOf(call);
      const left = abandoned.find(({ sentAs }) => sentAs === relatedTo);
      // Otherwise the request has ended or is the hub's own, so no call in progress caused the message.
      return left === undefined ? { kind: 'none' } : { kind: 'certain', caller: left.caller };
    }
    const callers = new Set([...active, ...abandoned].map(({ caller }) => caller));
    const [caller] = callers;
    if (caller === undefined) return { kind: 'none' };
    if (callers.size > 1) return { kind: 'ambiguous' };
    const isShared = !isOwn && caller.isStateless?.() === true;
    if (isShared && this.#freeToAsk(active).length + abandoned.length > 1) return { kind: 'ambiguous' };
    const likely = this.#likeliest(active);
    return likely === undefined ? { kind: 'certain', caller } : causeOf(likely);
  }

  /**
   * Determines the cause of a current message when abandoned calls hide it: the cause becomes certain once
   * they have lingered in silence, within seconds. Undefined if waiting cannot help.
   */
  causeAfterSilence(connection: Connection | undefined): Promise<Cause> | undefined {
    if (connection === undefined) return undefined;
    const active = this.#active(connection);
    const latest = this.#likeliest(active);
    const isOne = active.every(({ caller }) => caller === latest?.caller);
    const isClear = isOne && (this.#freeToAsk(active).length < 2 || latest?.caller.isStateless?.() !== true);
    const abandoned = this.#abandoned.get(connection);
    // Until the server has read a cancellation, the cancelled call is as likely to be the cause as any other.
    const isRead = abandoned?.all.every(({ isCancellationRead }) => isCancellationRead) ?? true;
    if (latest === undefined || !isClear || !isRead || abandoned?.isStubborn === true) return undefined;
    return this.#causeAfter(connection, latest, abandoned?.all ?? []);
  }

  /** Resolves as the answer does; until then the call has an open question. */
  whileAsked<T>(caller: Caller, requestId: JsonRpcId | undefined, answer: Promise<T>): Promise<T> {
    const question = this.#questions.open(caller, requestId);
    return answer.finally(() => question.dispose());
  }

  /** Returns the calls without an open question: a server that waits for an answer asks no more about that call. */
  #freeToAsk(active: readonly CausingCall[]): readonly CausingCall[] {
    return active.filter((call) => !this.#questions.has(call));
  }

  /**
   * Returns one of several calls of one session. Any will do for a client with a session, because they differ only
   * in the stream used to reach it. Where none is free, the server asks several things of one call at once.
   */
  #likeliest(active: readonly CausingCall[]): CausingCall | undefined {
    return this.#freeToAsk(active).at(-1) ?? this.#questions.latestOf(active) ?? active.at(-1);
  }

  /** The hub no longer waits for a request, but the server may still be processing it. */
  abandon(call: ActiveCall): void {
    const { asked, sent } = call;
    if (sent === undefined || asked.caller === undefined || !this.attributes(call, sent.server)) return;
    const { connection, id } = sent;
    const known = this.#abandoned.get(connection);
    const calls = known ?? new AbandonedCalls(this.#options.clock, connection);
    if (known === undefined) this.#abandoned.set(connection, calls);
    calls.add(asked.caller, id);
  }

  /** The server has answered an abandoned call, so it is done with it. */
  onLateAnswer(connection: Connection | undefined, sentAs: JsonRpcId): void {
    if (connection !== undefined) this.#abandoned.get(connection)?.onLateAnswer(sentAs);
  }

  /**
   * Waits for the abandoned calls to end. One that is answered after all was in progress the whole time, so it
   * may be the cause.
   */
  async #causeAfter(
    connection: Connection,
    latest: CausingCall,
    lingering: readonly AbandonedCall[],
  ): Promise<Cause> {
    const endings = await Promise.all(lingering.map(({ ended }) => ended));
    if (endings.includes('answered')) return { kind: 'ambiguous' };
    const { sent, caller } = latest;
    if (this.#active(connection).some((call) => call.sent === sent)) return causeOf(latest);
    const isLingering = this.#abandoned.get(connection)?.all.some(({ sentAs }) => sentAs === sent.id);
    return isLingering === true ? { kind: 'certain', caller } : { kind: 'none' };
  }

  /**
   * Checks whether messages of a server may belong to the call: a request without a session uses none of the
   * per-session instances.
   */
  attributes({ asked, sessionId }: ActiveCall, { key }: SupervisedServer): boolean {
    return (
      asked.caller !== undefined && !(sessionId === hubSessionId && this.#options.instances.isolates(key))
    );
  }

  #active(connection: Connection): readonly CausingCall[] {
    return this.#options.calls.sentOver(connection).flatMap((call) => {
      const { asked, sent } = call;
      if (asked.caller === undefined || sent === undefined || !this.attributes(call, sent.server)) return [];
      return [{ sent, caller: asked.caller, requestId: asked.requestId }];
    });
  }
}

/** The calls in which the client has been asked something and has not answered yet. */
class OpenQuestions {
  /** By session and request, in the order of their latest questions. */
  readonly #calls = new Map<Caller, Map<JsonRpcId, number>>();

  open(caller: Caller, requestId: JsonRpcId | undefined): Disposable {
    if (requestId === undefined) return { dispose: ignore };
    const calls = this.#calls.get(caller) ?? new Map<JsonRpcId, number>();
    this.#calls.set(caller, calls);
    const count = calls.get(requestId) ?? 0;
    calls.delete(requestId);
    calls.set(requestId, count + 1);
    return { dispose: () => this.#close(caller, requestId) };
  }

  has({ caller, requestId }: CausingCall): boolean {
    return requestId !== undefined && this.#calls.get(caller)?.has(requestId) === true;
  }

  /** Returns the one of these calls of one session that was asked about last. */
  latestOf(calls: readonly CausingCall[]): CausingCall | undefined {
    const caller = calls[0]?.caller;
    const asked = caller === undefined ? [] : [...(this.#calls.get(caller)?.keys() ?? [])];
    return asked.reverse().flatMap((id) => calls.filter(({ requestId }) => requestId === id))[0];
  }

  #close(caller: Caller, requestId: JsonRpcId): void {
    const calls = this.#calls.get(caller);
    const left = (calls?.get(requestId) ?? 0) - 1;
    if (left > 0) calls?.set(requestId, left);
    else calls?.delete(requestId);
    if (calls?.size === 0) this.#calls.delete(caller);
  }
}

/** A call in progress at a server. */
interface CausingCall {
  readonly sent: SentRequest;
  readonly caller: Caller;
  readonly requestId: JsonRpcId | undefined;
}

function causeOf({ caller, requestId }: CausingCall): Cause {
  return requestId === undefined ? { kind: 'certain', caller } : { kind: 'certain', caller, requestId };
}

/** A call that the hub no longer waits for. Its client no longer reads its stream either. */
interface AbandonedCall {
  readonly sentAs: JsonRpcId;
  readonly caller: Caller;
  /** Uptime in milliseconds. */
  readonly since: number;
  readonly ended: Promise<CallEnding>;
  readonly end: (ending: CallEnding) => void;
  isCancellationRead: boolean;
  timer: Disposable;
}

type CallEnding = 'answered' | 'silent';

/** The abandoned calls of one connection, and how its server handles cancellations. */
class AbandonedCalls {
  readonly #clock: Clock;
  readonly #connection: Connection;
  readonly #calls = new Set<AbandonedCall>();
  #isStubborn = false;
  /** The latest ping, and the next one if scheduled. */
  #lastPing: Promise<unknown> = Promise.resolve();
  #nextPing: Promise<void> | undefined;

  constructor(clock: Clock, connection: Connection) {
    this.#clock = clock;
    this.#connection = connection;
  }

  get all(): readonly AbandonedCall[] {
    return [...this.#calls];
  }

  get isStubborn(): boolean {
    return this.#isStubborn;
  }

  add(caller: Caller, sentAs: JsonRpcId): void {
    let resolve: (ending: CallEnding) => void = ignore;
    const ended = new Promise<CallEnding>((settle) => {
      resolve = settle;
    });
    const end = (ending: CallEnding) => {
      call.timer.dispose();
      this.#calls.delete(call);
      resolve(ending);
    };
    const call: AbandonedCall = {
      sentAs,
      caller,
      since: this.#clock.uptime(),
      ended,
      end,
      isCancellationRead: false,
      timer: this.#clock.after(stubbornLingerMs, () => end('silent')),
    };
    this.#calls.add(call);
    if (!this.#isStubborn) void this.#whenAllRead().then(() => this.#onCancellationRead(call));
  }

  /** Handles a late response; the call may have stopped counting by then. */
  onLateAnswer(sentAs: JsonRpcId): void {
    const call = this.all.find((each) => each.sentAs === sentAs);
    if (call === undefined || this.#clock.uptime() - call.since > crossingToleranceMs)
      this.#isStubborn = true;
    call?.end('answered');
  }

  #onCancellationRead(call: AbandonedCall): void {
    if (!this.#calls.has(call)) return;
    call.isCancellationRead = true;
    call.timer.dispose();
    call.timer = this.#clock.after(lingerMs, () => call.end('silent'));
  }

  /** Resolves once the server has read everything sent so far, as its response to a ping shows. */
  #whenAllRead(): Promise<void> {
    this.#nextPing ??= this.#lastPing.then(() => {
      this.#nextPing = undefined;
      this.#lastPing = this.#connection.request('ping').result.catch(ignore);
      return this.#lastPing.then(ignore);
    });
    return this.#nextPing;
  }
}
