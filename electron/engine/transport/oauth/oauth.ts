import type { Clock } from '../../base/clock.ts';
import { digestOf } from '../../base/digest.ts';
import { Emitter } from '../../base/emitter.ts';
import type { HttpConnections } from '../http-connections.ts';
import { createBoundedFetch } from './bounded-fetch.ts';
import type { OAuth, OAuthSecrets, OAuthServer } from './contract.ts';
import { LateSignIn } from './late-sign-in.ts';

export interface OAuthPorts {
  readonly secrets: OAuthSecrets;
  readonly clock: Clock;
  /** Environment with the usual proxy variables. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** Signs the user in to remote servers; see {@link OAuth}. */
export function createOAuth({ secrets, clock, env }: OAuthPorts): OAuth {
  const over = new AbortController();
  let opening: Promise<HttpConnections> | undefined;
  const fetch = createBoundedFetch(async (url, init) => {
    opening ??= openConnections(env);
    return (await opening).fetch(url, init);
  }, over.signal);
  const changes = new Emitter<{ readonly key: string; readonly credentials: boolean }>();
  const signIns = new Map<string, { readonly mark: string; readonly signIn: LateSignIn }>();

  /** Returns the sign-in for a server with its current configuration. */
  function of(server: OAuthServer): LateSignIn {
    const { key, url, options = {} } = server;
    const mark = digestOf({ url, options });
    const known = signIns.get(key);
    if (known?.mark === mark) return known.signIn;
    known?.signIn.dispose();
    const changed = (credentials: boolean) => {
      if (signIns.get(key)?.signIn === signIn) changes.fire({ key, credentials });
    };
    const signIn: LateSignIn = new LateSignIn(server, { secrets, fetch, clock, changed });
    signIns.set(key, { mark, signIn });
    return signIn;
  }

  return {
    authorization: of,
    view: (key) => signIns.get(key)?.signIn.view(),
    signIn: (server) => of(server).signIn(),
    link: (key) => signIns.get(key)?.signIn.link(),
    unopened: (key) => signIns.get(key)?.signIn.unopened(),
    signOut: (server) => of(server).signOut(),
    onChange: changes.event,
    async close() {
      over.abort();
      changes.dispose();
      for (const { signIn } of signIns.values()) signIn.dispose();
      await (await opening)?.close();
    },
  };
}

/** Loaded with the first sign-in: most hubs never need it. */
async function openConnections(env: OAuthPorts['env']): Promise<HttpConnections> {
  const { openHttpConnections } = await import('../http-connections.ts');
  return openHttpConnections(env);
}
