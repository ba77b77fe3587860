import { type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { connect as connectTcp, isIP } from 'node:net';
import { Duplex, Readable, Transform } from 'node:stream';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import { Headers, Request, Response } from 'undici';
import type { Fetch } from './http-connections.ts';

type TolerantOptions = RequestOptions & Pick<ConnectionOptions, 'minVersion'>;

/**
 * Creates a fetch that reads answers which violate HTTP in ways that browsers accept: header lines without CR,
 * control characters, an unasked `100 Continue`, one length stated several times. Each request has a connection
 * of its own, so that such an answer cannot be taken for that of another request.
 */
export function createTolerantFetch(options: TolerantOptions): Fetch {
  return async (url, { signal, ...init } = {}) => {
    // The package's types and Node's own describe the same objects under two names.
    const asked = new Request(url, init as unknown as ConstructorParameters<typeof Request>[1]);
    const body = Buffer.from(await asked.arrayBuffer());
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const isSecure = new URL(url).protocol === 'https:';
      const send = isSecure ? requestHttps : requestHttp;
      const sent = send(
        url,
        {
          ...options,
          ...(signal ? { signal } : {}),
          method: asked.method,
          headers: Object.fromEntries(asked.headers),
          createConnection: () => connectTolerantly(new URL(url), options),
          insecureHTTPParser: true,
        },
        resolve,
      );
      sent.on('error', reject).end(body);
    });
    return toResponse(answer) as unknown as globalThis.Response;
  };
}

function connectTolerantly({ protocol, hostname, port }: URL, { minVersion }: TolerantOptions): Duplex {
  const host = hostname.replace(/^\[|\]$/g, '');
  const socket =
    protocol === 'https:'
      ? connectTls({
          host,
          port: Number(port || 443),
          ALPNProtocols: ['http/1.1'],
          servername: isIP(host) === 0 ? host : '',
          ...(minVersion === undefined ? {} : { minVersion }),
        })
      : connectTcp({ host, port: Number(port || 80) });
  return Duplex.from({ writable: socket, readable: socket.pipe(mendHead(socket)) });
}

/** Passes an answer on, with each length that is stated several times, always the same, stated once. */
function mendHead(socket: Duplex): Transform {
  let head: Buffer | undefined = Buffer.alloc(0);
  const mended = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (head === undefined) return done(null, chunk);
      head = Buffer.concat([head, chunk]);
      const end = headEnd(head);
      if (end === undefined && head.length < maxHeadLength) return done();
      const text = head.toString('latin1', 0, end ?? 0);
      const written = Buffer.concat([Buffer.from(withOneLength(text), 'latin1'), head.subarray(end ?? 0)]);
      head = undefined;
      done(null, written);
    },
    flush(done) {
      done(null, head);
    },
  });
  socket.on('error', (error) => mended.destroy(error));
  return mended;
}

/** Returns the end of the headers of the first answer that is not only an interim one. */
function headEnd(bytes: Buffer): number | undefined {
  const text = bytes.toString('latin1');
  const end = /^(?:HTTP\/1\.\d 1\d\d[^\n]*\n(?:[^\r\n][^\n]*\n)*\r?\n)*(?:[^\r\n][^\n]*\n)+\r?\n/.exec(
    text,
  )?.[0].length;
  return end;
}

function withOneLength(head: string): string {
  const lengths = [...head.matchAll(lengthHeader)].flatMap(([, values = '']) =>
    values.split(',').map((value) => value.trim()),
  );
  const [first] = lengths;
  if (lengths.length < 2 || !lengths.every((length) => length === first)) return head;
  let isStated = false;
  return head.replace(lengthHeader, (_line, _values, end: string) => {
    if (isStated) return '';
    isStated = true;
    return `Content-Length: ${first}${end}`;
  });
}

const lengthHeader = /^content-length[ \t]*:([\d, \t]*)(\r?\n)/gim;
const maxHeadLength = 256 * 1024;

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
