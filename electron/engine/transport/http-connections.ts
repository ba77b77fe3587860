import { Agent, type Dispatcher, Pool, ProxyAgent, fetch as undiciFetch } from 'undici';
import { proxyFor } from './proxy-rule.ts';

export type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** Connections to the network and a fetch that uses them. */
export interface HttpConnections {
  readonly fetch: Fetch;
  /** Ends them all. */
  close(): Promise<void>;
}

/**
 * A fetch that waits as long as the server works: Node's own gives up on an answer after five silent minutes. Goes
 * through the proxies that `env` names; TLS is 1.2 or later, whatever the process was started with.
 */
export function openHttpConnections(env: Readonly<Record<string, string | undefined>> = {}): HttpConnections {
  const direct = new Agent({ ...patience, connect: connection });
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

/** Headers as large as browsers take them; Node's own bound is 16 KiB, which policies and cookies can fill. */
const patience = { headersTimeout: 0, bodyTimeout: 0, maxHeaderSize: 256 * 1024 };
const connection = { timeout: 10_000, minVersion: 'TLSv1.2' } as const;

function openProxy(proxy: string): Dispatcher {
  const uri = URL.canParse(proxy) ? new URL(proxy) : undefined;
  // Its address may carry a password, so the reason names no more than the kind.
  if (uri === undefined) throw new Error('the proxy in the environment is not a URL');
  if (uri.protocol !== 'http:' && uri.protocol !== 'https:') {
    throw new Error(`proxies of the kind ${uri.protocol} are not supported`);
  }
  return new ProxyAgent({
    ...patience,
    uri: proxy,
    requestTls: connection,
    proxyTls: connection,
    // Many proxies make a tunnel to nothing but https, and are asked for http itself as browsers ask them.
    proxyTunnel: false,
    factory: (origin, options) => new Pool(origin, { ...patience, ...options }),
  });
}
