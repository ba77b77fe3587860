import { fork } from 'node:child_process';
import { once } from 'node:events';
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

/** `lazy`: only the tool `read` wants a sign-in. */
export async function authServer(
  options: {
    readonly accessTokenTtl?: number;
    readonly registration?: boolean;
    readonly lazy?: boolean;
  } = {},
): Promise<AuthServer> {
  const child = fork(fixture('auth-server'), [JSON.stringify(options)], { stdio: 'ignore' });
  const [{ issuer, resource }] = (await once(child, 'message')) as [{ issuer: string; resource: string }];
  let last = 0;

  function order<T>(name: string, input?: unknown): Promise<T> {
    last += 1;
    const id = last;
    return new Promise((resolve) => {
      const hear = (message: { readonly id: number; readonly answer: T }) => {
        if (message.id !== id) return;
        child.off('message', hear);
        resolve(message.answer);
      };
      child.on('message', hear);
      child.send({ id, order: name, input });
    });
  }

  return {
    issuer,
    url: resource,
    counts: () => order('counts'),
    tokens: () => order('tokens'),
    set: (changes) => order('set', changes),
    revoke: (what) => order('revoke', what),
    forgetSessions: () => order('forget'),
    async [Symbol.asyncDispose]() {
      const exited = once(child, 'exit');
      child.disconnect();
      await exited;
    },
  };
}
