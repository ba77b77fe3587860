import type { MiddlewareHandler } from 'hono';
import type { ApiPorts } from '../contract.ts';
import type { ApiEnv } from './api-env.ts';
import { adminOnly, unauthorized } from './api-error.ts';

/** Requires a known token, except on paths open to every local program. */
export function guardCaller(identify: ApiPorts['identify']): MiddlewareHandler<ApiEnv> {
  return async (context, next) => {
    if (openPaths.has(context.req.path)) return next();
    const token = /^Bearer +(\S+) *$/i.exec(context.req.header('authorization') ?? '')?.[1];
    if (token === undefined) {
      throw unauthorized('token_missing', 'A bearer token is required.', 'Send "Authorization: Bearer …".');
    }
    const caller = token.length > maxTokenLength ? undefined : identify(token);
    if (caller === undefined) {
      throw unauthorized(
        'token_invalid',
        'The token is unknown, revoked or expired.',
        'Use the admin token, or create a token for an identity.',
      );
    }
    context.set('caller', caller);
    return next();
  };
}

const maxTokenLength = 1_000;
const openPaths: ReadonlySet<string> = new Set(['/healthz', '/openapi.json', '/docs']);

/** Restricts routes to administrators. */
export const admin: MiddlewareHandler<ApiEnv> = async (context, next) => {
  if (context.get('caller').kind !== 'admin') throw adminOnly();
  return next();
};
