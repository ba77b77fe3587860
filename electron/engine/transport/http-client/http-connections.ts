import { Agent, type Dispatcher, Pool, ProxyAgent, fetch as undiciFetch } from 'undici';
import { violatesHttp } from './network-error.ts';
import { asProxyError } from './proxy-error.ts';
import { proxyFor } from './proxy-rule.ts';
import { createTolerantFetch } from './tolerant-fetch.ts';

export type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** Network connections and a fetch that uses them. */
export interface HttpConnections {
  readonly fetch: Fetch;
  /** Closes idle connections, and from now on uses each one for a single request: some servers serve one at a time. */
  separate(): void;
  /** Closes all connections. */
  close(): Promise<void>;
}

/**
 * Creates a fetch without a timeout for answers; Node's own gives up after five silent minutes. Uses the
 * proxies named in `env`, and TLS 1.2 or later whatever flags the process was started with. After an answer
 * that violates HTTP, its origin is asked in a more tolerant way, except through a proxy.
 */
export function openHttpConnections(env: Readonly<Record<string, string | undefined>> = {}): HttpConnections {
  let direct = new Agent(directOptions);
  let isSeparate = false;
  const proxies = new Map<string, Dispatcher>();
  const tolerantFetch = createTolerantFetch(tolerantOptions);
  const oddOrigins = new Set<string>();

  function dispatcherFor(proxy: string | undefined): Dispatcher {
    if (proxy === undefined) return direct;
    const known = proxies.get(proxy) ?? openProxy(proxy);
    proxies.set(proxy, known);
    return known;
  }

  return {
    async fetch(url, init) {
      const address = new URL(url);
      const proxy = proxyFor(address, env);
      if (proxy === undefined && oddOrigins.has(address.origin)) return tolerantFetch(url, init);
      // The package's types and Node's own describe the same objects under two names.
      const options = { ...init, dispatcher: dispatcherFor(proxy) } as unknown as Parameters<
        typeof undiciFetch
      >[1];
      try {
        return (await undiciFetch(url, options)) as unknown as Response;
      } catch (error) {
        if (violatesHttp(error)) oddOrigins.add(address.origin);
        throw proxy === undefined ? error : asProxyError(proxy, error);
      }
    },
    separate() {
      if (isSeparate) return;
      isSeparate = true;
      void direct.close().catch(() => undefined);
      direct = new Agent({ ...directOptions, pipelining: 0 });
    },
    async close() {
      await Promise.all([direct, ...proxies.values()].map((dispatcher) => dispatcher.destroy()));
    },
  };
}

/** Accepts headers as large as browsers do; policies and cookies can exceed Node's limit of 16 KiB. */
const maxHeaderSize = 256 * 1024;
const dispatcherOptions = { headersTimeout: 0, bodyTimeout: 0, maxHeaderSize };
const connectOptions = { timeout: 10_000, minVersion: 'TLSv1.2' } as const;
/** Milliseconds that an idle connection without TLS is kept: a server that serves one at a time answers no other. */
const plainIdleMs = 500;
const directOptions: Agent.Options = {
  ...dispatcherOptions,
  connect: connectOptions,
  factory: (origin, options) =>
    new Pool(origin, {
      ...options,
      ...(new URL(origin).protocol === 'http:' ? { keepAliveTimeout: plainIdleMs } : {}),
    }),
};
const tolerantOptions = { maxHeaderSize, minVersion: connectOptions.minVersion };

function openProxy(proxy: string): Dispatcher {
  const uri = URL.canParse(proxy) ? new URL(proxy) : undefined;
  // The proxy address may contain a password, so the error names only the protocol.
  if (uri === undefined) throw new Error('the proxy in the environment is not a URL');
  if (uri.protocol !== 'http:' && uri.protocol !== 'https:') {
    throw new Error(`proxies of type ${uri.protocol} are not supported`);
  }
  return new ProxyAgent({
    ...dispatcherOptions,
    uri: proxy,
    requestTls: connectOptions,
    proxyTls: connectOptions,
    // Many proxies tunnel only https, and expect plain http requests the way browsers send them.
    proxyTunnel: false,
    factory: (origin, options) => new Pool(origin, { ...dispatcherOptions, ...options }),
  });
}
