import type { Problem } from '../../../../shared/error/problem.ts';
import type { Event } from '../../base/emitter.ts';
import type { AccessRefusal } from '../http-problem.ts';

/** What an entry says of its sign-in, under `patchbay.oauth`; all of it is optional, most servers need none. */
export interface OAuthOptions {
  /** A client that was registered by hand with the authorization server. */
  readonly clientId?: string;
  readonly clientSecret?: string;
  /** Address of a client id metadata document, used where the authorization server takes such ids. */
  readonly clientMetadataUrl?: string;
  readonly scopes?: readonly string[];
  /** For a client whose redirect address was registered with a fixed port. */
  readonly callbackPort?: number;
  /** The redirect address as it was registered; a free port is added where it has none. */
  readonly redirectUri?: string;
  /** False: the service is not told which server the token is for (RFC 8707), since it refuses to be. */
  readonly resource?: boolean;
}

/** A server that may want its user signed in. */
export interface OAuthServer {
  readonly key: string;
  readonly url: string;
  readonly options?: OAuthOptions;
}

/** What a server said when it refused a request (RFC 6750, RFC 9728). */
export interface AuthChallenge {
  readonly status: number;
  readonly error?: string;
  /** Text of `error_description`, fit to be shown. */
  readonly said?: string;
  readonly scope?: string;
  readonly resourceMetadataUrl?: string;
}

/** Credentials for the requests to one server. */
export interface RemoteAuthorization {
  /**
   * The access token to send, refreshed if its end is near; undefined while nobody is signed in. Rejects with
   * ConnectionClosedError when it has ended and cannot be refreshed now.
   */
  token(): Promise<string | undefined>;
  /** `refused` did not help. Resolves to a token that may, or undefined if only the user can. */
  renew(refused: string | undefined, challenge: AuthChallenge): Promise<string | undefined>;
  /** The problem to show, with the sign-in as its fix. */
  problem(challenge: AuthChallenge, hadToken: boolean): Problem;
  /**
   * A request without a token was refused: finds out whether a sign-in helps, a client id or a key. `isAlone`: the server
   * answers others, so that the view offers it while the server goes on.
   */
  wanted(challenge: AuthChallenge, refusal: AccessRefusal, isAlone?: boolean): Promise<Problem>;
}

/** Where sign-ins are kept. */
export interface OAuthSecrets {
  get(name: string): Promise<string | undefined>;
  set(name: string, value: string): Promise<void>;
  delete(name: string): Promise<void>;
  /** Runs the task alone, among all processes that share the secrets, for this name. */
  exclusive<T>(name: string, task: () => Promise<T>): Promise<T>;
}

/** How a server's sign-in stands; plain data. */
export interface SignInView {
  readonly signedIn: boolean;
  /** The browser is open and the answer awaited. */
  readonly pending: boolean;
  /** When the wait for it began, epoch milliseconds. */
  readonly since?: number;
  /** No browser could be opened: the address has to be copied. */
  readonly unopened?: true;
  /** Why the last attempt failed. */
  readonly problem?: Problem;
}

/** Signs the user in to remote servers and keeps the sign-ins fresh. No browser is opened here. */
export interface OAuth {
  authorization(server: OAuthServer): RemoteAuthorization;
  /** Undefined for a server that has never asked for a sign-in. */
  view(key: string): SignInView | undefined;
  /**
   * Begins a sign-in and resolves to the address to open in a browser; what becomes of it is told by `onChange`. A
   * second call ends the first attempt. Rejects with ProblemError `server.sign_in_failed`.
   */
  signIn(server: OAuthServer): Promise<{ readonly url: string }>;
  /** The address of the attempt under way. */
  link(key: string): string | undefined;
  /** Notes that no browser could be opened for the attempt under way. */
  unopened(key: string): void;
  /** Forgets the sign-in, here and, where it can be told, at the authorization server. */
  signOut(server: OAuthServer): Promise<void>;
  /** The view of a server changed; `credentials` is true if a connection made before should be made anew. */
  readonly onChange: Event<{ readonly key: string; readonly credentials: boolean }>;
  /** Ends attempts under way. */
  close(): Promise<void>;
}
