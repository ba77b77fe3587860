import { SerialQueue } from '../../electron/engine/base/serial-queue.ts';
import type {
  OAuth,
  OAuthOptions,
  OAuthSecrets,
  OAuthServer,
} from '../../electron/engine/transport/oauth/contract.ts';
import { createOAuth } from '../../electron/engine/transport/oauth/oauth.ts';
import { FakeClock } from './fake-clock.ts';

/** Secrets in memory, shared by all that receive them. */
export function memorySecrets(): OAuthSecrets & { readonly values: Map<string, string> } {
  const values = new Map<string, string>();
  const queue = new SerialQueue();
  return {
    values,
    get: async (name) => values.get(name),
    set: async (name, value) => void values.set(name, value),
    delete: async (name) => void values.delete(name),
    exclusive: (_name, task) => queue.run(task),
  };
}

export interface OAuthBench extends AsyncDisposable {
  readonly oauth: OAuth;
  readonly server: OAuthServer;
  readonly secrets: ReturnType<typeof memorySecrets>;
  readonly clock: FakeClock;
  /** Keys whose credentials changed. */
  readonly changes: string[];
  /** The token that a request would carry now. */
  token(): Promise<string | undefined>;
  /** Sends a request with this token, or without any, to the guarded server. */
  ask(token: string | undefined): Promise<Response>;
}

/** The hub's side of a sign-in to `url`, in a time of its own. */
export function oauthBench(
  url: string,
  {
    options,
    secrets = memorySecrets(),
    env = {},
  }: {
    options?: OAuthOptions;
    secrets?: ReturnType<typeof memorySecrets>;
    env?: Readonly<Record<string, string>>;
  } = {},
): OAuthBench {
  const clock = new FakeClock();
  const server: OAuthServer = { key: 'guarded', url, ...(options === undefined ? {} : { options }) };
  const oauth = createOAuth({ secrets, clock, env });
  const changes: string[] = [];
  oauth.onChange(({ key, credentials }) => {
    if (credentials) changes.push(key);
  });
  return {
    oauth,
    server,
    secrets,
    clock,
    changes,
    token: () => oauth.authorization(server).token(),
    ask: (token) =>
      fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'initialize',
          params: {
            protocolVersion: '2025-11-25',
            capabilities: {},
            clientInfo: { name: 't', version: '1' },
          },
        }),
      }),
    [Symbol.asyncDispose]: () => oauth.close(),
  };
}
