import type { Decision } from '../../../shared/model/access.ts';
import type { Disposable } from '../base/emitter.ts';
import type { CatalogueView, NamedItem } from '../catalogue/contract.ts';
import type { JsonRpcId, RpcError } from '../rpc/message.ts';
import type { RawMessage, RawRequest } from '../rpc/raw-message.ts';
import type { Connection, SupervisedServer } from '../supervise/contract.ts';

export { noSession } from '../supervise/instances-contract.ts';

/** One request of a client on its way to a server. */
export interface RouteRequest {
  /** Id of the session that asks, or {@link noSession}. */
  readonly sessionId: string;
  /** As the client sent it. */
  readonly message: RawRequest;
  /** The asking client's view, which decides what names mean. */
  readonly view: CatalogueView;
  /** Aborts when the client cancels or leaves; the server is told, and the answer is dropped. */
  readonly signal: CallSignal;
  /** A progress notice of this very call, its token already mapped back to the client's. */
  readonly onProgress: (notice: RawMessage) => void;
  /**
   * For a call that may become a task, whose progress goes on after its answer: takes over the telling of it, which ends
   * when it is disposed of. Not called for a call without a progress token, or without an answer.
   */
  readonly keepProgress?: ((progress: Disposable) => void) | undefined;
  /** Where it goes, for what names nothing in its params; else the params are read to find that out. */
  readonly serverKey?: string | undefined;
  /** The client's own id of it. */
  readonly requestId?: JsonRpcId | undefined;
  readonly watcher?: CallWatcher | undefined;
  /** Until when it waits for a server that is not there yet, in epoch milliseconds, where the router would wait longer. */
  readonly reachBy?: number | undefined;
}

/** Hears where one call is. An object rather than functions: there is one for each call. */
export interface CallWatcher {
  /** It had to wait for this connection; it goes on when this resolves. */
  reached?(server: SupervisedServer, connection: Connection): Promise<void> | undefined;
  /** It is on its way over this connection under this id; called again if it has to be sent once more. */
  sent(server: SupervisedServer, connection: Connection, id: JsonRpcId): void;
  /** It is over, with this error if with any; not called where no server was found for it. */
  over(error?: RpcError): void;
}

/** A function or an object that is there anyway. */
export type AbortListener = (() => void) | { handleEvent(): void };

/** The part of an AbortSignal that calls need: a real one is costly to make for every call. */
export interface CallSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: 'abort', listener: AbortListener, options?: { readonly once?: boolean }): void;
  removeEventListener(type: 'abort', listener: AbortListener): void;
}

/**
 * Finds the server, forwards the raw message, resolves with the raw message that answers it. Rejects with RpcError only.
 */
export interface Router {
  /** `tools/call`, `prompts/get`, `resources/read`, `resources/subscribe`, `resources/unsubscribe`, `completion/complete`; any other with `serverKey`. */
  forward(request: RouteRequest): Promise<unknown>;
}

/**
 * Decides whether a session may do what it asks for. Asked once for each request, on its path; a router without one lets
 * everything through.
 */
export interface CallAuthorizer {
  /** Of a tool. The same object for the same decision. */
  decide(sessionId: string, tool: NamedItem): Decision;
  /** What the client is told where it may not. */
  refusal(sessionId: string, tool: NamedItem, decision: Decision): RpcError;
  /**
   * Has somebody asked, for a decision that says so; `tell` tells the client what it waits for. Rejects with RpcError where
   * it was not allowed, where nobody answered, and where the client no longer waits.
   */
  ask(request: RouteRequest, tool: NamedItem, tell: (message: string) => void): Promise<void>;
  /** Whether it may have what a server has beside tools; the error to answer with where it may not. */
  refusesServer(sessionId: string, serverKey: string): RpcError | undefined;
}

/**
 * How a call ended. `ok`: with a result, whatever a tool says in it. `error`: with the server's own error. `lost`: its
 * connection ended while the server may have been at work on it. `refused`: no server got it, for the reason in `error`.
 */
export type CallOutcome = 'ok' | 'error' | 'timeout' | 'cancelled' | 'lost' | 'refused';

/** One call as whoever watches calls sees it: the same object from its start to its end, filled in as it goes. */
export interface CallRecord {
  /** Correlates what is told of one call; grows by one with each. */
  readonly id: number;
  readonly sessionId: string;
  /** The server it names; `fallback` may have answered. */
  readonly serverKey: string;
  readonly method: string;
  /** The tool's or prompt's own name at its server, or the resource's URI; undefined for what names nothing. */
  readonly name: string | undefined;
  /** As the client sent it. By reference: to keep it is to keep its bytes. */
  readonly request: RawRequest;
  readonly startedAt: number;
  /** How often it was handed to a connection, all servers together. */
  readonly attempts: number;
  /** The tool that was asked last, where that is another one than the call names. */
  readonly fallback: ToolAddress | undefined;
  /** Fallbacks that could not be asked, as the config names them. */
  readonly skipped: readonly string[] | undefined;
  /** Why it may be made; undefined for what calls no tool, and where nobody decides. */
  readonly decision: Pick<Decision, 'effect' | 'cached'> | undefined;
  /** The first result under its idempotency key was given again; nothing was sent. */
  readonly repeated: boolean;
  /** Undefined until it has ended, as are the members below. */
  readonly outcome: CallOutcome | undefined;
  readonly endedAt: number | undefined;
  /** As the server sent it; undefined where no server answered. */
  readonly answer: RawMessage | undefined;
  /** What the client was told, where that is no result. */
  readonly error: RpcError | undefined;
}

/** A tool by its server and its own name there. */
export interface ToolAddress {
  readonly serverKey: string;
  readonly name: string;
}

/**
 * Hears of calls while they run: activity, health, audit, metrics. Called synchronously on the path of each call, so it
 * takes note and returns. What it throws surfaces elsewhere and never reaches the call.
 */
export interface CallListener {
  /** It has a server to go to. It may still have to wait for that. */
  started(call: CallRecord): void;
  /** Once for each call that was started, before its client is answered. */
  ended(call: CallRecord): void;
  /** One that was never started: what it names is nowhere, or not to be called. */
  strayed?(stray: StrayCall): void;
}

/** A call that was refused before a server was found for it. */
export interface StrayCall {
  readonly sessionId: string;
  readonly request: RawRequest;
  readonly at: number;
  readonly error: RpcError;
}

/** One request of a server to a client, once it is over. */
export interface QuestionRecord {
  readonly serverKey: string;
  /** The session it was for; undefined where none was found. */
  readonly sessionId: string | undefined;
  /** As the server sent it. By reference, as in {@link CallRecord}. */
  readonly request: RawRequest;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly outcome: CallOutcome;
  /** The raw answer of the client, or what it was refused with. */
  readonly answer: unknown;
}

/** Hears of what servers ask of clients. What it throws surfaces elsewhere and never reaches the request. */
export interface QuestionListener {
  /** One has begun. */
  asking?(question: Pick<QuestionRecord, 'serverKey' | 'sessionId' | 'request' | 'startedAt'>): void;
  asked(question: QuestionRecord): void;
}

/** The circuit of one tool as it is kept across restarts. Times in epoch milliseconds. */
export interface BreakerSnapshot extends ToolAddress {
  readonly state: 'closed' | 'open' | 'half-open';
  /** Failures in a row. */
  readonly failures: number;
  /** Successes in a row since it was half open. */
  readonly successes: number;
  /** Undefined while it is closed, as is `until`. */
  readonly openedAt: number | undefined;
  /** When the next call is let through as a trial. */
  readonly until: number | undefined;
}

/** Where circuits are kept. What it rejects with is reported and harms no call. */
export interface BreakerMemory {
  /** Every circuit that is not closed. */
  load(): Promise<readonly BreakerSnapshot[]>;
  /** Replaces what was kept of this tool; a closed circuit need not be kept. */
  save(snapshot: BreakerSnapshot): Promise<void>;
}
