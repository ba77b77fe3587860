import type { ActiveCall as ActiveCallView } from '../../../shared/model/activity/call.ts';
import { type Disposable, rethrowLater } from '../base/emitter.ts';
import { TransientMap } from '../base/transient-map.ts';
import type { CatalogueView } from '../catalogue/contract.ts';
import type { JsonRpcId, RpcError } from '../jsonrpc/message.ts';
import type { RawMessage, RawRequest } from '../jsonrpc/raw-message.ts';
import type { Connection, SupervisedServer } from '../servers/contract.ts';
import type {
  CallListener,
  CallOutcome,
  CallRecord,
  CallRequest,
  ToolAddress,
  UnroutableCall,
} from './contract.ts';
import type { CallProgress } from './progress-tokens.ts';
import type { Route } from './resolve-route.ts';
import type { Caller } from './server-requests/contract.ts';

/** Destination of a call. */
export interface SentRequest {
  readonly server: SupervisedServer;
  readonly connection: Connection;
  /** Our id of the request on this connection. */
  readonly id: JsonRpcId;
}

type CallState =
  | { readonly kind: 'active' }
  /** Abandoned or stopped before its result came; `response` is sent to the client, if present. */
  | { readonly kind: 'aborted'; readonly reason: unknown; readonly response: RpcError | undefined }
  | { readonly kind: 'over' };

/** A client's call from its arrival to its response. */
export class ActiveCall implements CallRecord {
  readonly id: number;
  /** Request of the client. */
  readonly asked: CallRequest;
  /** Undefined until its server is known; observers learn of the call then. */
  route: Route | undefined;
  /** The view that resolved its names. */
  view: CatalogueView | undefined;
  startedAt = 0;
  attempts = 0;
  fallback: ToolAddress | undefined;
  skipped: string[] | undefined;
  decision: CallRecord['decision'];
  repeated = false;
  outcome: CallOutcome | undefined;
  endedAt: number | undefined;
  answer: RawMessage | undefined;
  error: RpcError | undefined;
  humanWaitMs = 0;
  /** Set for a call with a progress token once it has a server. */
  progress: CallProgress | undefined;
  /** Last destination of the call. */
  sent: SentRequest | undefined;
  /** The attempt in progress, which is cancelled with the call. */
  attempt: { cancel(reason: unknown): void } | undefined;
  /** End of the server's time limit, counted from the first attempt; undefined if it has no limit. */
  deadlineAt: number | undefined;
  /** Set if the call goes on after its server went away between question and answer. */
  resumed: RawRequest | undefined;
  #state: CallState = { kind: 'active' };
  #controller: AbortController | undefined;

  constructor(id: number, asked: CallRequest) {
    this.id = id;
    this.asked = asked;
  }

  get sessionId(): string {
    return this.asked.sessionId;
  }

  /** The request as it is sent: with the answers to the server's questions, if it goes on elsewhere. */
  get request(): RawRequest {
    return this.resumed ?? this.asked.message;
  }

  get method(): string {
    return this.asked.message.method;
  }

  get correlationId(): string | undefined {
    return this.asked.correlationId;
  }

  /** Empty until the server is known. */
  get serverKey(): string {
    return this.route?.serverKey ?? '';
  }

  get name(): string | undefined {
    return this.route?.name;
  }

  get aborted(): boolean {
    return this.#state.kind === 'aborted';
  }

  /**
   * Aborts with the call. Created on demand: most calls only wait for their server, and creating a signal
   * costs as much as all the rest of a call.
   */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#state.kind === 'aborted') this.#controller.abort(this.#state.reason);
    return this.#controller.signal;
  }

  /** Passes progress to the client; progress after the response is for tasks only. */
  onProgress(notification: RawMessage): void {
    const { keepProgress, onProgress } = this.asked;
    if (this.#state.kind === 'active' || keepProgress !== undefined) onProgress(notification);
  }

  /**
   * Ends the call early. The server is sent a cancellation at once; the client gets `response`, or nothing if
   * it cancelled the request itself.
   */
  abort(reason: unknown, response: RpcError | undefined): void {
    if (this.#state.kind !== 'active') return;
    this.#state = { kind: 'aborted', reason, response };
    this.attempt?.cancel(reason);
    this.#controller?.abort(reason);
  }

  /** Returns the outcome of an aborted call for its client, which may never settle; otherwise undefined. */
  end(): Promise<never> | undefined {
    const state = this.#state;
    if (state.kind !== 'aborted') {
      this.#state = { kind: 'over' };
      return undefined;
    }
    return state.response === undefined ? new Promise(() => {}) : Promise.reject(state.response);
  }
}

/** All calls in progress, from their arrival to their response, and the observers of calls. */
export class ActiveCalls {
  readonly #calls = new TransientMap<number, ActiveCall>();
  readonly #listeners = new Set<CallListener>();
  readonly #lateListeners = new Set<CallListener>();
  /** Ended calls that the late listeners do not know yet. */
  #endedCalls: ActiveCall[] = [];
  #lastId = 0;

  /** Notifies the listener of every call with a target server, until disposed. */
  observe(listener: CallListener): Disposable {
    this.#listeners.add(listener);
    return { dispose: () => void this.#listeners.delete(listener) };
  }

  /** Does the same, but reports the end of a call only when its answer has been written, which is not delayed. */
  observeAfterAnswers(listener: CallListener): Disposable {
    this.#lateListeners.add(listener);
    return { dispose: () => void this.#lateListeners.delete(listener) };
  }

  /** Adds a call; {@link end} removes it. */
  begin(asked: CallRequest): ActiveCall {
    this.#lastId += 1;
    const call = new ActiveCall(this.#lastId, asked);
    this.#calls.set(call.id, call);
    return call;
  }

  /** Returns what the client gets in place of the router's outcome; undefined unless the call was aborted. */
  end(call: ActiveCall): Promise<never> | undefined {
    this.#calls.delete(call.id);
    return call.end();
  }

  /** Calls with a target server, oldest first. */
  all(): readonly ActiveCall[] {
    return this.#calls.values().filter(({ route }) => route !== undefined);
  }

  /** `nameOf` returns the client name of a session. */
  views(nameOf: (sessionId: string) => string): readonly ActiveCallView[] {
    return this.all().map(({ id, sessionId, serverKey, method, name, fallback, startedAt }) => {
      const calledName = fallback?.name ?? name;
      return {
        id,
        clientId: sessionId,
        clientName: nameOf(sessionId),
        serverKey: fallback?.serverKey ?? serverKey,
        method,
        ...(calledName === undefined ? {} : { name: calledName }),
        since: startedAt,
      };
    });
  }

  /** Undefined for a call that has ended. */
  find(id: number): ActiveCall | undefined {
    return this.#calls.get(id);
  }

  /** Calls that were last sent over this connection. */
  sentOver(connection: Connection): readonly ActiveCall[] {
    return this.#calls.values().filter(({ sent }) => sent?.connection === connection);
  }

  /** Ends a call with an error for its client; false if it has already ended. */
  stop(id: number, why: RpcError): boolean {
    const call = this.#calls.get(id);
    call?.abort(why, why);
    return call !== undefined;
  }

  /**
   * Ends the call that its client cancelled, which gets no response; ignores unknown ids (already answered).
   */
  cancel(caller: Caller, requestId: JsonRpcId, reason?: unknown): void {
    const matching = this.#of(caller).filter(
      ({ asked, aborted }) => !aborted && asked.requestId === requestId,
    );
    matching.at(-1)?.abort(reason, undefined);
  }

  /** Ends all calls of a session whose client has gone. */
  cancelAll(caller: Caller): void {
    for (const call of this.#of(caller)) call.abort(undefined, undefined);
  }

  /** Ends all calls of a session with this error, and resolves when the responses have been handed over. */
  async stopAll(caller: Caller, why: RpcError): Promise<void> {
    for (const call of this.#of(caller)) call.abort(why, why);
    // The router releases aborted calls, and the peer writes their responses, within this turn.
    await new Promise((resolve) => setImmediate(resolve));
  }

  notifyStarted(call: ActiveCall): void {
    notify(this.#listeners, (listener) => listener.started?.(call));
    notify(this.#lateListeners, (listener) => listener.started?.(call));
  }

  notifyEnded(call: ActiveCall): void {
    notify(this.#listeners, (listener) => listener.ended?.(call));
    if (this.#lateListeners.size === 0) return;
    this.#endedCalls.push(call);
    // Transports write within this turn of the event loop.
    if (this.#endedCalls.length === 1) setImmediate(() => this.notifyLate());
  }

  /** Reports all ended calls to the late listeners now. */
  notifyLate(): void {
    const calls = this.#endedCalls;
    this.#endedCalls = [];
    for (const call of calls) notify(this.#lateListeners, (listener) => listener.ended?.(call));
  }

  notifyUnroutable(unroutable: UnroutableCall): void {
    this.notifyLate();
    notify(this.#listeners, (listener) => listener.unroutable?.(unroutable));
    notify(this.#lateListeners, (listener) => listener.unroutable?.(unroutable));
  }

  #of(caller: Caller): readonly ActiveCall[] {
    return this.#calls.values().filter(({ asked }) => asked.caller === caller);
  }
}

function notify(listeners: ReadonlySet<CallListener>, report: (listener: CallListener) => void): void {
  for (const listener of listeners) {
    try {
      report(listener);
    } catch (error) {
      rethrowLater(error);
    }
  }
}
