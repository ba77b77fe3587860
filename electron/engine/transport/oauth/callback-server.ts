import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { failureName, signInFailed } from './sign-in-problem.ts';

/** Page shown in the browser; `location` redirects it. */
export interface CallbackPage {
  readonly status: number;
  readonly title: string;
  readonly text: string;
  readonly location?: string;
}

/** The browser's return. */
export interface CallbackVisit {
  readonly params: URLSearchParams;
  /** True if a person's browser navigated there, as far as its headers show. */
  readonly isNavigation: boolean;
}

/** A small local server that the browser is redirected to. */
export interface CallbackServer {
  /** Addresses of the server, the preferred one first. */
  readonly redirectUris: readonly string[];
  /** The registered port, if another program uses it and a free one replaces it. */
  readonly occupiedPort?: number;
  /** Finishes open responses, then stops; idempotent. */
  close(): void;
}

export interface CallbackAddress {
  /** Default: a free port. */
  readonly port?: number;
  /** The registered address; a port in it overrides `port`. */
  readonly redirectUri?: string;
}

/**
 * Listens on the loopback addresses of this machine, whatever host the redirect address names, and on a free
 * port if the chosen one is in use; rejects with ProblemError if neither works. `onVisit` is called for each
 * return and supplies the page to show.
 */
export async function openCallbackServer(
  address: CallbackAddress,
  onVisit: (visit: CallbackVisit) => Promise<CallbackPage>,
): Promise<CallbackServer> {
  const registered = address.redirectUri === undefined ? undefined : new URL(address.redirectUri);
  const port = registered === undefined || registered.port === '' ? address.port : Number(registered.port);
  const path = registered?.pathname ?? defaultPath;
  const listener: Listener = (request, response) => void answer(request, response, path, onVisit);
  // Services should accept any loopback port (RFC 8252, 7.3).
  const servers = await listen(port, listener).catch((error: unknown) => {
    if (port === undefined || failureName(error) !== 'EADDRINUSE') throw cannotListen(port, error);
    return listen(undefined, listener).catch(() => {
      throw cannotListen(port, error);
    });
  });
  const chosen = (servers[0].address() as AddressInfo).port;
  return {
    redirectUris:
      registered === undefined
        ? hosts.map((host) => `http://${host}:${chosen}${defaultPath}`)
        : [withPort(address.redirectUri ?? '', registered, chosen)],
    ...(port === undefined || port === chosen ? {} : { occupiedPort: port }),
    close: () => {
      for (const server of servers) {
        server.close();
        server.closeIdleConnections();
      }
    },
  };
}

const hosts = ['127.0.0.1', 'localhost'];
const defaultPath = '/callback';

function cannotListen(port: number | undefined, error: unknown) {
  const sentence = 'Patchbay could not open the local address that the browser returns to.';
  const fix = 'Try again, or choose another patchbay.oauth.callbackPort.';
  return signInFailed(sentence, fix, { port, error: failureName(error) }, error);
}

/** Keeps the registered text if the port is the same, because services compare the text. */
function withPort(text: string, registered: URL, port: number): string {
  if (registered.port === String(port)) return text;
  const url = new URL(registered);
  url.port = String(port);
  return url.href;
}

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Listens on both loopback addresses, because `localhost` may mean either; on one if the other does not
 * exist.
 */
async function listen(
  port: number | undefined,
  listener: Listener,
  tries = 5,
): Promise<readonly [Server, ...Server[]]> {
  const first = await listenOn('127.0.0.1', port ?? 0, listener);
  const chosen = (first.address() as AddressInfo).port;
  try {
    return [first, await listenOn('::1', chosen, listener)];
  } catch (error) {
    // Another program uses this port there, and a browser that resolves `localhost` might reach it.
    if (port !== undefined || tries <= 1 || failureName(error) !== 'EADDRINUSE') return [first];
    first.close();
    return listen(port, listener, tries - 1);
  }
}

async function listenOn(host: string, port: number, listener: Listener): Promise<Server> {
  const server = createServer(listener);
  server.listen({ host, port });
  await once(server, 'listening');
  // A page left open must not keep the program running.
  server.unref();
  return server;
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  onVisit: (visit: CallbackVisit) => Promise<CallbackPage>,
): Promise<void> {
  // Some services write the address as they would into a page.
  const target = (request.url ?? '').replaceAll('&amp;', '&');
  const url = URL.canParse(target, 'http://127.0.0.1') ? new URL(target, 'http://127.0.0.1') : undefined;
  const isCallback = url !== undefined && withoutSlash(url.pathname) === withoutSlash(path);
  // A HEAD request is not a return: it must not use up the code.
  if (isCallback && request.method === 'HEAD') return sendPage(response, headPage);
  if (!isCallback || request.method !== 'GET') return sendPage(response, notFoundPage);
  sendPage(response, await onVisit({ params: url.searchParams, isNavigation: isNavigation(request) }));
}

function withoutSlash(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : path;
}

/** Newer browsers say what the response is for; older ones send no such header. */
function isNavigation({ headers }: IncomingMessage): boolean {
  const { 'sec-fetch-dest': destination = 'document' } = headers;
  return destination === 'document';
}

const headPage: CallbackPage = {
  status: 200,
  title: 'Patchbay',
  text: 'Patchbay is waiting for a sign-in here.',
};
const notFoundPage: CallbackPage = { status: 404, title: 'Not found', text: 'There is nothing here.' };

/** The address contains a code, so the page loads nothing and sends no referrer. */
function sendPage(response: ServerResponse, { status, title, text, location }: CallbackPage): void {
  response.writeHead(status, {
    ...(location === undefined ? {} : { location }),
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    connection: 'close',
  });
  response.end(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)} – Patchbay</title>
<style>body { font: 16px/1.5 system-ui, sans-serif; max-width: 32rem; margin: 20vh auto; padding: 0 1rem }</style>
<h1>${escaped(title)}</h1>
<p>${escaped(text)}</p>
</html>
`);
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
