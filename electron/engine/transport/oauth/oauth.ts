import type { Clock } from '../../base/clock.ts';
import { digestOf } from '../../base/digest.ts';
import { Emitter } from '../../base/emitter.ts';
import type { Fetch, HttpConnections } from '../http-client/http-connections.ts';
import type { OAuth, OAuthSecrets, OAuthServer } from './contract.ts';
import { LazySignIn } from './lazy-sign-in.ts';

export interface OAuthPorts {
  readonly secrets: OAuthSecrets;
  readonly clock: Clock;
  /**
   * Environment with the usual proxy variables, and `PATCHBAY_CLIENT_METADATA_URL`: the client id metadata
   * document for all entries that name none.
   */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** Signs the user in to remote servers; see {@link OAuth}. */
export function createOAuth({ secrets, clock, env }: OAuthPorts): OAuth {
  const closing = new AbortController();
  let opening: Promise<HttpConnections> | undefined;
  const fetch = createBoundedFetch(async (url, init) => {
    opening ??= openConnections(env);
    return (await opening).fetch(url, init);
  }, closing.signal);
  const changes = new Emitter<{ readonly key: string; readonly credentials: boolean }>();
  const signIns = new Map<string, { readonly fingerprint: string; readonly signIn: LazySignIn }>();

  /** Returns the sign-in for a server with its current configuration. */
  function signInFor(server: OAuthServer): LazySignIn {
    const { key, url, options = {} } = server;
    const fingerprint = digestOf({ url, options });
    const known = signIns.get(key);
    if (known?.fingerprint === fingerprint) return known.signIn;
    known?.signIn.dispose();
    const changed = (credentials: boolean) => {
      if (signIns.get(key)?.signIn === signIn) changes.fire({ key, credentials });
    };
    const signIn: LazySignIn = new LazySignIn(withDocument(server, env), {
      secrets,
      fetch,
      clock,
      onChanged: changed,
    });
    signIns.set(key, { fingerprint, signIn });
    return signIn;
  }

  return {
    authorization: signInFor,
    view: (key) => signIns.get(key)?.signIn.view(),
    signIn: (server) => signInFor(server).signIn(),
    pendingUrl: (key) => signIns.get(key)?.signIn.link(),
    browserNotOpened: (key) => signIns.get(key)?.signIn.unopened(),
    signOut: (server) => signInFor(server).signOut(),
    onChange: changes.event,
    async close() {
      closing.abort();
      changes.dispose();
      for (const { signIn } of signIns.values()) signIn.dispose();
      await (await opening)?.close();
    },
  };
}

function withDocument(server: OAuthServer, env: OAuthPorts['env']): OAuthServer {
  const clientMetadataUrl = env?.PATCHBAY_CLIENT_METADATA_URL;
  if (clientMetadataUrl === undefined || clientMetadataUrl === '') return server;
  return { ...server, options: { clientMetadataUrl, ...server.options } };
}

/** Loaded with the first sign-in: most hubs never need it. */
async function openConnections(env: OAuthPorts['env']): Promise<HttpConnections> {
  const { openHttpConnections } = await import('../http-client/http-connections.ts');
  return openHttpConnections(env);
}

/** Limits requests to authorization servers: their answers must be short and prompt. */
function createBoundedFetch(fetch: Fetch, signal: AbortSignal): Fetch {
  return async (url, init) => {
    const limits = [signal, AbortSignal.timeout(timeoutMs), ...(init?.signal ? [init.signal] : [])];
    const response = await fetch(url, { ...init, signal: AbortSignal.any(limits) });
    const { status, headers } = response;
    const body = await readBody(response);
    return new Response(body.length === 0 ? null : body, { status, headers: new Headers([...headers]) });
  };
}

/** An event stream has no end to wait for: MCP servers open one for a GET at any address. */
async function readBody(response: Response): Promise<Uint8Array<ArrayBuffer>> {
  if (/^\s*text\/event-stream\b/i.test(response.headers.get('content-type') ?? '')) {
    await response.body?.cancel();
    return new Uint8Array();
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > maxBytes) throw new RangeError(`The answer is longer than ${maxBytes} bytes.`);
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

/** For one request, in milliseconds. */
const timeoutMs = 15_000;
const maxBytes = 1_048_576;
