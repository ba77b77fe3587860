import type { ProblemError } from '../../../../shared/error/problem.ts';
import type { Clock } from '../../base/clock.ts';
import type { JsonRpcId } from '../../rpc/message.ts';
import type { RawMessage } from '../../rpc/raw-message.ts';
import type { Fetch } from '../http-connections.ts';

/** What both ways to reach a remote server are set up with. */
export interface LinkContext {
  readonly url: URL;
  /** From the config, sent with every request. */
  readonly headers: Readonly<Record<string, string>>;
  /** Follows redirects within the server's own origin only, and carries the credentials of a signed-in user. */
  readonly fetch: Fetch;
  readonly clock: Clock;
  /** Aborts when the connection is no longer wanted. */
  readonly signal: AbortSignal;
  /** Whether the connection before this one failed, so that a new session has been tried as a cure. */
  readonly isRenewed: boolean;
  /** The negotiated revision, once it is known. */
  protocolVersion(): string | undefined;
  /** `relatedTo`: our request on whose own stream it came. */
  message(message: RawMessage, relatedTo?: JsonRpcId): void;
  /** No answer will come to this request; a ConnectionClosedError says whether it was taken. */
  lost(id: JsonRpcId, reason: Error): void;
  noise(text: string): void;
  /** The connection has ended from the other side. */
  over(reason: ProblemError): void;
  /** Whether an HTTP error with a JSON-RPC error in its body is an answer; else it may mean another transport. */
  acceptsErrorAnswers(): boolean;
}

/** An open way to a remote server. */
export interface RemoteLink {
  /**
   * Resolves when the server has taken the message, which for an answer in one piece is when the answer has been
   * delivered. Rejects with ConnectionClosedError: HttpStatusError where the server answered with one, `cause`
   * SessionGoneError where it has forgotten the session.
   */
  send(message: RawMessage): Promise<void>;
  /** Tells the server that the session is over. */
  sayGoodbye(): Promise<void>;
  /** Ends everything under way, at once. */
  close(): void;
}

/** Longest message in characters, the same as over stdio. */
export const longestMessage = 64 * 1024 * 1024;
