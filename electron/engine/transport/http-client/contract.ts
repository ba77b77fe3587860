import type { ProblemError } from '../../../../shared/error/problem.ts';
import type { Clock } from '../../base/clock.ts';
import type { JsonRpcId } from '../../jsonrpc/message.ts';
import type { RawMessage } from '../../jsonrpc/raw-message.ts';
import type { EraRefusal } from '../modern/era-watch.ts';
import type { Fetch, HttpConnections } from './http-connections.ts';
import type { EraChangedError } from './http-problem.ts';

/** Shared by both kinds of links to a remote server. */
export interface LinkContext {
  readonly url: URL;
  /** From the config, sent with every request. */
  readonly headers: Readonly<Record<string, string>>;
  /** Follows redirects only within the server's own origin, and adds the credentials of a signed-in user. */
  readonly fetch: Fetch;
  readonly clock: Clock;
  /** Aborts when the connection is no longer wanted. */
  readonly signal: AbortSignal;
  /** True if the previous connection failed, so that a new session has already been tried as a fix. */
  readonly isReconnect: boolean;
  /** Shared by the connections to a server, see {@link StreamMemory}. */
  readonly sessionStream: StreamMemory;
  /** Uses each connection for a single request, see {@link HttpConnections}. */
  separateConnections(): void;
  /** Returns the negotiated revision, once it is known. */
  protocolVersion(): string | undefined;
  /** Delivers a message; `relatedTo` is our request on whose stream it arrived. */
  message(message: RawMessage, relatedTo?: JsonRpcId): void;
  /** Reports that a request gets no answer; a ConnectionClosedError says whether it was processed. */
  unanswered(id: JsonRpcId, reason: Error): void;
  noise(text: string): void;
  /** Reports that the other side ended the connection. */
  closed(reason: ProblemError): void;
  /**
   * Returns true if an HTTP error with a JSON-RPC error in its body is an answer; otherwise it may mean that
   * the server speaks the other transport.
   */
  acceptsErrorAnswers(): boolean;
  /** Resolves with the reason to end the connection if a refusal shows that the server has another era by now. */
  eraChange(refusal: EraRefusal): Promise<EraChangedError | undefined>;
}

/** Remembers how a server behaves while its session stream is open. */
export interface StreamMemory {
  /** Uptime in milliseconds before which the stream is not opened, because it did not last or held up the rest. */
  notBefore: number;
  /** How often it was left closed in a row. */
  failures: number;
  /** True if the server may serve one connection at a time. */
  needsSeparateConnections: boolean;
}

/** An open link to a remote server. */
export interface RemoteLink {
  /**
   * Resolves when the server has accepted the message; for an answer in one piece, when that has been
   * delivered. Rejects with ConnectionClosedError: HttpStatusError if the server answered with one, or with
   * ReconnectError as `cause` if it has forgotten the session, or has another era.
   */
  send(message: RawMessage): Promise<void>;
  /** Ends the session on the server. */
  endSession(): Promise<void>;
  /** Ends all requests at once. */
  close(): void;
}

/** Longest message in characters, the same as over stdio. */
export const maxMessageLength = 64 * 1024 * 1024;
