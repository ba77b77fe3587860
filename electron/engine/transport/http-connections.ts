import { Agent, type Dispatcher, Pool, ProxyAgent, fetch as undiciFetch } from 'undici';
import { proxyFor } from './proxy-rule.ts';

export type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** Network connections and a fetch that uses them. */
export interface HttpConnections {
  readonly fetch: Fetch;
  /** Closes all connections. */
  close(): Promise<void>;
}

/**
 * Creates a fetch without a timeout for answers; Node's own gives up after five silent minutes. Uses the
 * proxies named in `env`, and TLS 1.2 or later whatever flags the process was started with.
 */
export function openHttpConnections(env: Readonly<Record<string, string | undefined>> = {}): HttpConnections {
  const direct = new Agent({ ...dispatcherOptions, connect: connectOptions });
  const proxies = new Map<string, Dispatcher>();

  function dispatcherFor(url: URL): Dispatcher {
    const proxy = proxyFor(url, env);
    if (proxy === undefined) return direct;
    const known = proxies.get(proxy) ?? openProxy(proxy);
    proxies.set(proxy, known);
    return known;
  }

  return {
    async fetch(url, init) {
      // The package's types and Node's own describe the same objects under two names.
      const options = { ...init, dispatcher: dispatcherFor(new URL(url)) } as unknown as Parameters<
        typeof undiciFetch
      >[1];
      return (await undiciFetch(url, options)) as unknown as Response;
    },
    async close() {
      await Promise.all([direct, ...proxies.values()].map((dispatcher) => dispatcher.destroy()));
    },
  };
}

/** Accepts headers as large as browsers do; policies and cookies can exceed Node's limit of 16 KiB. */
const dispatcherOptions = { headersTimeout: 0, bodyTimeout: 0, maxHeaderSize: 256 * 1024 };
const connectOptions = { timeout: 10_000, minVersion: 'TLSv1.2' } as const;

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
