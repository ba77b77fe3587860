import { type ChildProcess, fork } from 'node:child_process';
import { order } from './order.ts';
import { fixture } from './programs.ts';

export interface AuthCounts {
  /** Tokens given for a code, and for a refresh token. */
  readonly code: number;
  readonly refresh: number;
  /** Token requests that were refused. */
  readonly failed: number;
  readonly registered: number;
  /** Requests to the MCP server with a token that it refused. */
  readonly refused: number;
  /** Calls of `write` that had to wait. */
  readonly held: number;
}

/** A real authorization server (oidc-provider) and a guarded MCP server with the tools `read` and `write`. */
export interface AuthServer extends AsyncDisposable {
  readonly issuer: string;
  /** Address of the MCP server. */
  readonly url: string;
  counts(): Promise<AuthCounts>;
  /** Access and refresh tokens that were given. */
  tokens(): Promise<readonly string[]>;
  /** `decline`: the user says no; `down`: the authorization server answers 503; `hold`: calls of `write` wait. */
  set(changes: {
    readonly decline?: boolean;
    readonly down?: boolean;
    readonly hold?: boolean;
  }): Promise<void>;
  /** Ends what was granted, or only the access tokens. */
  revoke(what?: { readonly accessTokensOnly?: boolean }): Promise<void>;
  /** The MCP server knows nothing of its sessions any more, as after a restart. */
  forgetSessions(): Promise<void>;
}

interface Options {
  readonly accessTokenTtl?: number;
  readonly registration?: boolean;
  readonly lazy?: boolean;
}

/** `lazy`: only the tool `read` wants a sign-in. */
export async function authServer(options: Options = {}): Promise<AuthServer> {
  const { server, issuer, url } = await order<Opened>(running(), 'open', { input: options });
  const toServer = <T>(name: string, input?: unknown) => order<T>(running(), name, { server, input });
  return {
    issuer,
    url,
    counts: () => toServer('counts'),
    tokens: () => toServer('tokens'),
    set: (changes) => toServer('set', changes),
    revoke: (what) => toServer('revoke', what),
    forgetSessions: () => toServer('forget'),
    [Symbol.asyncDispose]: () => toServer('close'),
  };
}

interface Opened {
  /** Number of the server within the process that runs all of them. */
  readonly server: number;
  readonly issuer: string;
  readonly url: string;
}

let program: ChildProcess | undefined;

/** Started at the first order; ends with this program, which it does not keep alive. */
function running(): ChildProcess {
  if (program !== undefined) return program;
  program = fork(fixture('auth-server'), { stdio: 'ignore' });
  program.setMaxListeners(0);
  program.unref();
  program.channel?.unref();
  program.once('exit', () => {
    program = undefined;
  });
  return program;
}
