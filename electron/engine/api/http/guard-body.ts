import { isUtf8 } from 'node:buffer';
import type { MiddlewareHandler } from 'hono';
import type { ApiEnv } from './api-env.ts';
import { ApiError, badRequest } from './api-error.ts';

export const maxBodyBytes = 4 * 1024 * 1024;

/**
 * Reads the whole body up to the limit and checks type, size and encoding before anything parses it. Keeps
 * the bytes, so that parts can be passed on unchanged.
 */
export const guardBody: MiddlewareHandler<ApiEnv> = async (context, next) => {
  const { req } = context;
  if (req.method !== 'POST' && req.method !== 'PATCH') return next();
  if (Number(req.header('content-length') ?? 0) > maxBodyBytes) throw tooLarge();
  guardType(req.header('content-type'), req.header('content-encoding'));
  const bytes = await readBody(req.raw.body);
  if (!isUtf8(bytes)) throw badRequest('invalid_encoding', 'The body is not UTF-8.');
  context.set('body', bytes);
  // Validators read this instead of the stream, which is already consumed.
  req.bodyCache.text = Promise.resolve(bytes.toString('utf8')) as never;
  return next();
};

function guardType(type: string | undefined, encoding: string | undefined): void {
  if (encoding !== undefined && encoding !== 'identity') {
    throw unsupported(`Bodies encoded as ${JSON.stringify(encoding.slice(0, 40))} are not supported.`);
  }
  const [kind = '', ...parameters] = (type ?? '')
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  if (kind === '') return;
  const charset = parameters
    .find((part) => part.startsWith('charset='))
    ?.slice(8)
    .replaceAll('"', '');
  if (kind !== 'application/json') throw unsupported('The body must be application/json.');
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8') {
    throw unsupported('The body must be in UTF-8.');
  }
}

async function readBody(body: ReadableStream<Uint8Array> | null): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of body ?? []) {
    size += piece.length;
    if (size > maxBodyBytes) throw tooLarge();
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

function tooLarge(): ApiError {
  return new ApiError(413, 'BadRequestError', 'body_too_large', 'The body is larger than 4 MiB.');
}

function unsupported(sentence: string): ApiError {
  return new ApiError(415, 'BadRequestError', 'unsupported_media_type', sentence, {
    fix: 'Send JSON in UTF-8 with Content-Type: application/json.',
  });
}
