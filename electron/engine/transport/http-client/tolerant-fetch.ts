import { type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { Readable } from 'node:stream';
import { Headers, Request, Response } from 'undici';
import type { Fetch } from './http-connections.ts';

/**
 * Creates a fetch that reads answers which violate HTTP in ways that browsers accept: header lines without CR,
 * control characters, an unasked `100 Continue`. Each request has a connection of its own, so that such an
 * answer cannot be taken for that of another request.
 */
export function createTolerantFetch(options: RequestOptions): Fetch {
  return async (url, { signal, ...init } = {}) => {
    // The package's types and Node's own describe the same objects under two names.
    const asked = new Request(url, init as unknown as ConstructorParameters<typeof Request>[1]);
    const body = Buffer.from(await asked.arrayBuffer());
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const send = new URL(url).protocol === 'https:' ? requestHttps : requestHttp;
      const sent = send(
        url,
        {
          ...options,
          ...(signal ? { signal } : {}),
          method: asked.method,
          headers: Object.fromEntries(asked.headers),
          agent: false,
          insecureHTTPParser: true,
        },
        resolve,
      );
      sent.on('error', reject).end(body);
    });
    return toResponse(answer) as unknown as globalThis.Response;
  };
}

function toResponse(answer: IncomingMessage): Response {
  const { statusCode: status = 0, headersDistinct } = answer;
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(headersDistinct))
    for (const value of values) headers.append(name, value);
  if (!emptyStatuses.has(status)) return new Response(Readable.toWeb(answer), { status, headers });
  answer.resume();
  return new Response(null, { status, headers });
}

/** Statuses whose response has no body. */
const emptyStatuses: ReadonlySet<number> = new Set([204, 205, 304]);
