import type { Decision } from '../../../shared/model/access/access.ts';
import type { Disposable } from '../base/emitter.ts';
import type { CatalogueView, NamedItem } from '../catalogue/contract.ts';
import type { JsonRpcId, RpcError } from '../jsonrpc/message.ts';
import type { RawMessage, RawRequest } from '../jsonrpc/raw-message.ts';
import type { Caller } from './server-requests/contract.ts';

export { hubSessionId } from '../servers/contract.ts';

/** A client's request to a server. */
export interface CallRequest {
  /** Id of the requesting session, or {@link hubSessionId}. */
  readonly sessionId: string;
  /** The session that gets what the server sends during the call. */
  readonly caller?: Caller | undefined;
  /** The message as the client sent it. */
  readonly message: RawRequest;
  /** The requesting client's view, which resolves names; it may take time. */
  readonly view: CatalogueView | Promise<CatalogueView>;
  /** Cancels the call when it aborts. */
  readonly signal?: AbortSignal | undefined;
  /** Receives progress of this call, with the client's token restored. */
  readonly onProgress: (notification: RawMessage) => void;
  /**
   * Takes over the progress of a call that may become a task, which continues after the response until it is
   * disposed. Not called without a progress token or a response.
   */
  readonly keepProgress?: ((progress: Disposable) => void) | undefined;
  /** Called each time the call is sent to a server. */
  readonly onSent?: ((serverKey: string) => void) | undefined;
  /** Target server of a request whose params name nothing; otherwise the target is read from the params. */
  readonly serverKey?: string | undefined;
  /** The client's id of the request, by which it can cancel it. */
  readonly requestId?: JsonRpcId | undefined;
  /** The id by which the caller knows the call. */
  readonly correlationId?: string | undefined;
  /**
   * Latest time to wait for a server that is not connected, in epoch milliseconds, if the router would wait
   * longer.
   */
  readonly connectBy?: number | undefined;
}

/**
 * Decides whether a session may make a request. Called once for each request, on its path. A router without
 * one allows everything.
 */
export interface CallAuthorizer {
  /** Decides about a tool call. Returns the same object for the same decision. */
  decide(sessionId: string, tool: NamedItem): Decision;
  /** Creates the error for the client of a denied call. */
  refusal(sessionId: string, tool: NamedItem, decision: Decision): RpcError;
  /**
   * Asks for approval if the decision requires it; `notify` informs the client what it is waiting for. Rejects
   * with RpcError if the call was denied, if nobody answered, or if the client no longer waits.
   */
  requestApproval(call: UnapprovedCall, tool: NamedItem, notify: (message: string) => void): Promise<void>;
  /** Checks access to whatever a server has besides tools; returns the error if access is denied. */
  refusesServer(sessionId: string, serverKey: string): RpcError | undefined;
}

/** A call that a person must allow first; `signal` aborts when its client no longer waits. */
export interface UnapprovedCall extends Pick<CallRequest, 'sessionId' | 'message'> {
  readonly signal: AbortSignal;
}

/**
 * How a call ended. `ok`: with a result, even if the tool marks it as an error. `error`: with the server's
 * error. `lost`: the connection ended while the server may have been processing it. `refused`: no server
 * received it, for the reason in `error`.
 */
export type CallOutcome = 'ok' | 'error' | 'timeout' | 'cancelled' | 'lost' | 'refused';

/** A call as listeners see it: the same object from start to end, filled in along the way. */
export interface CallRecord {
  /** Correlates the events of one call; increases by one with each call. */
  readonly id: number;
  readonly sessionId: string;
  /** The server that the call names; `fallback` may have answered. */
  readonly serverKey: string;
  readonly method: string;
  /**
   * The raw name of the tool or prompt, or the URI of the resource; undefined if the request names nothing.
   */
  readonly name: string | undefined;
  /** The message as the client sent it, by reference: keeping it keeps its bytes in memory. */
  readonly request: RawRequest;
  readonly startedAt: number;
  /** Number of times it was sent, over all servers. */
  readonly attempts: number;
  /** The tool that was called last, if it is not the one that the call names. */
  readonly fallback: ToolAddress | undefined;
  /** Fallbacks that could not be called, as named in the config. */
  readonly skipped: readonly string[] | undefined;
  /** The authorization decision; undefined if it is not a tool call, or without an authorizer. */
  readonly decision: Pick<Decision, 'effect' | 'cached'> | undefined;
  /** True if the stored result of its idempotency key was returned and nothing was sent. */
  readonly repeated: boolean;
  /** The id by which the caller knows the call, if it gave one. */
  readonly correlationId: string | undefined;
  /** Undefined until the call has ended, as are the members below. */
  readonly outcome: CallOutcome | undefined;
  readonly endedAt: number | undefined;
  /** The server's response; undefined if no server answered. */
  readonly answer: RawMessage | undefined;
  /** The error sent to the client, if any. */
  readonly error: RpcError | undefined;
  /**
   * How much of the call's time a person took, in milliseconds: to approve it, or to answer its server. It
   * says nothing about the server. 0 until the call has ended.
   */
  readonly humanWaitMs: number;
}

/** A tool by its server and its raw name. */
export interface ToolAddress {
  readonly serverKey: string;
  readonly name: string;
}

/**
 * Observes calls: activity, health, audit, metrics. Called synchronously on the path of each call, so it must
 * return quickly. Its exceptions are thrown elsewhere and never reach the call.
 */
export interface CallListener {
  /** The call has a target server, though it may still have to wait for it. */
  started?(call: CallRecord): void;
  /** Called once for each started call, before its client gets the response. */
  ended?(call: CallRecord): void;
  /** The call was never started: its target is unknown or must not be called. */
  unroutable?(call: UnroutableCall): void;
}

/** A call that was refused before a server was found for it. */
export interface UnroutableCall {
  readonly sessionId: string;
  readonly request: RawRequest;
  readonly at: number;
  readonly error: RpcError;
}

/** A server's request to a client, once it has ended. */
export interface ServerRequestRecord {
  readonly serverKey: string;
  /** The session it was meant for; undefined if none was found. */
  readonly sessionId: string | undefined;
  /** The message as the server sent it, by reference as in {@link CallRecord}. */
  readonly request: RawRequest;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly outcome: CallOutcome;
  /** The client's raw response, or the error. */
  readonly answer: unknown;
}

/**
 * Observes the requests of servers to clients. Its exceptions are thrown elsewhere and never reach the
 * request.
 */
export interface ServerRequestListener {
  /** A request has started. */
  requestStarted?(
    request: Pick<ServerRequestRecord, 'serverKey' | 'sessionId' | 'request' | 'startedAt'>,
  ): void;
  requestEnded(request: ServerRequestRecord): void;
}

/** The stored state of a tool's circuit breaker. Times are in epoch milliseconds. */
export interface BreakerSnapshot extends ToolAddress {
  readonly state: 'closed' | 'open' | 'half-open';
  /** Consecutive failures. */
  readonly failures: number;
  /** Consecutive successes since it became half-open. */
  readonly successes: number;
  /** Undefined while closed, as is `until`. */
  readonly openedAt: number | undefined;
  /** When the next call is allowed as a trial. */
  readonly until: number | undefined;
}

/** Storage of circuit breakers. Errors are reported and affect no call. */
export interface BreakerStore {
  /** Loads every circuit that is not closed. */
  load(): Promise<readonly BreakerSnapshot[]>;
  /** Replaces the stored state of this tool; a closed circuit need not be stored. */
  save(snapshot: BreakerSnapshot): Promise<void>;
}
