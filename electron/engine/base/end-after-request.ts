import type { ServerResponse } from 'node:http';

/**
 * Sends the whole text of a response whose head has been written with its length, and ends the response once the
 * request has been read, or after a while. Where a connection is closed with bytes of the request unread, Windows drops
 * an answer that the client has not read yet.
 */
export function endAfterRequest(response: ServerResponse, text: string): void {
  const { req: request } = response;
  if (request.complete) {
    response.end(text);
    return;
  }
  response.write(text);
  const timer = setTimeout(end, lingerMs);
  request.once('end', end);
  request.once('close', end);
  request.resume();
  function end(): void {
    clearTimeout(timer);
    response.end();
  }
}

const lingerMs = 1_000;
