import type { Problem } from '../../../../shared/error/problem.ts';
import type { Event } from '../../base/emitter.ts';
import type { AccessRefusal } from '../http-problem.ts';

/** Sign-in options of an entry, under `patchbay.oauth`; all are optional, and most servers need none. */
export interface OAuthOptions {
  /** Client registered by hand with the authorization server. */
  readonly clientId?: string;
  readonly clientSecret?: string;
  /** Address of a client id metadata document, used if the authorization server accepts such ids. */
  readonly clientMetadataUrl?: string;
  readonly scopes?: readonly string[];
  /** For a client whose redirect address was registered with a fixed port. */
  readonly callbackPort?: number;
  /** The registered redirect address; a free port is added if it has none. */
  readonly redirectUri?: string;
  /** False if the service refuses to be told which server the token is for (RFC 8707). */
  readonly resource?: boolean;
}

/** A server that may require a sign-in. */
export interface OAuthServer {
  readonly key: string;
  readonly url: string;
  readonly options?: OAuthOptions;
}

/** Contents of a server's refusal (RFC 6750, RFC 9728). */
export interface AuthChallenge {
  readonly status: number;
  readonly error?: string;
  /** Text of `error_description`, safe to show. */
  readonly said?: string;
  readonly scope?: string;
  readonly resourceMetadataUrl?: string;
}

/** Credentials for requests to one server. */
export interface RemoteAuthorization {
  /**
   * Returns the access token, refreshed if it is about to expire; undefined while nobody is signed in.
   * Rejects with ConnectionClosedError if it has expired and cannot be refreshed now.
   */
  token(): Promise<string | undefined>;
  /**
   * Called when the token `refused` was not accepted. Resolves to a token that may work, or to undefined if
   * the user has to act.
   */
  renew(refused: string | undefined, challenge: AuthChallenge): Promise<string | undefined>;
  /** Returns the problem to show, with the sign-in as its fix. */
  problem(challenge: AuthChallenge, hadToken: boolean): Problem;
  /**
   * Called when a request without a token was refused: finds out whether a sign-in, a client id or a key
   * would help. The flag means that the server answers other requests; then the fix is offered while the
   * server keeps running.
   */
  diagnose(challenge: AuthChallenge, refusal: AccessRefusal, isAlone?: boolean): Promise<Problem>;
}

/** Storage for sign-ins. */
export interface OAuthSecrets {
  get(name: string): Promise<string | undefined>;
  set(name: string, value: string): Promise<void>;
  delete(name: string): Promise<void>;
  /** Runs the task exclusively for this name, among all processes that share the secrets. */
  exclusive<T>(name: string, task: () => Promise<T>): Promise<T>;
}

/** State of a server's sign-in; plain data. */
export interface SignInView {
  readonly signedIn: boolean;
  /** The browser is open and Patchbay is waiting for it. */
  readonly pending: boolean;
  /** Start of the wait, epoch milliseconds. */
  readonly since?: number;
  /** No browser could be opened: the user has to copy the address. */
  readonly unopened?: true;
  /** Reason why the last attempt failed. */
  readonly problem?: Problem;
}

/** Signs the user in to remote servers and keeps the sign-ins fresh. Does not open browsers. */
export interface OAuth {
  authorization(server: OAuthServer): RemoteAuthorization;
  /** Returns undefined for a server that has never asked for a sign-in. */
  view(key: string): SignInView | undefined;
  /**
   * Starts a sign-in and resolves to the address to open in a browser; `onChange` reports the outcome. A
   * second call ends the first attempt. Rejects with ProblemError `server.sign_in_failed`.
   */
  signIn(server: OAuthServer): Promise<{ readonly url: string }>;
  /** Returns the address of the pending attempt. */
  pendingUrl(key: string): string | undefined;
  /** Records that no browser could be opened for the pending attempt. */
  browserNotOpened(key: string): void;
  /** Removes the sign-in here and, if possible, at the authorization server. */
  signOut(server: OAuthServer): Promise<void>;
  /** Fires when a server's view changes; `credentials` is true if existing connections should reconnect. */
  readonly onChange: Event<{ readonly key: string; readonly credentials: boolean }>;
  /** Ends pending attempts. */
  close(): Promise<void>;
}
