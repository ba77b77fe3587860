import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { failureName, signInFailed } from './sign-in-problem.ts';

/** What the browser is shown. */
export interface CallbackPage {
  readonly status: number;
  readonly title: string;
  readonly text: string;
}

/** A small server on this machine that a browser is sent back to. */
export interface CallbackServer {
  readonly redirectUri: string;
  /** Lets pages under way be read, then stops; idempotent. */
  close(): void;
}

/**
 * Listens on a port of its own, a free one unless `port` is given; rejects with ProblemError if that is taken. `receive`
 * is told the query of each return and says what to show.
 */
export async function openCallbackServer(
  port: number | undefined,
  receive: (params: URLSearchParams) => Promise<CallbackPage>,
): Promise<CallbackServer> {
  const server = createServer((request, response) => void answer(request, response, receive));
  server.listen(port ?? 0, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    const sentence = 'The address on this machine that the browser is to come back to cannot be opened.';
    const fix = 'Try again, or choose another patchbay.oauth.callbackPort.';
    throw signInFailed(sentence, fix, { port, error: failureName(error) }, error);
  }
  // A page left open must not keep the program from ending.
  server.unref();
  const { port: chosen } = server.address() as AddressInfo;
  return {
    redirectUri: `http://127.0.0.1:${chosen}${path}`,
    close: () => {
      server.close();
      server.closeIdleConnections();
    },
  };
}

const path = '/callback';

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  receive: (params: URLSearchParams) => Promise<CallbackPage>,
): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://127.0.0.1');
  if (request.method !== 'GET' || url.pathname !== path) return show(response, notFound);
  show(response, await receive(url.searchParams));
}

const notFound: CallbackPage = { status: 404, title: 'Not found', text: 'There is nothing here.' };

/** The address holds a code, so the page loads nothing and tells nobody where it was. */
function show(response: ServerResponse, { status, title, text }: CallbackPage): void {
  response.writeHead(status, {
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
