import type { OpenAPIHono } from '@hono/zod-openapi';
import type { Context, Next } from 'hono';
import type { ApiEnv } from './api-env.ts';
import { ApiError } from './api-error.ts';

/** Answers 405 for another method of a known path, and 404 for anything else. */
export function answerNotFound(app: OpenAPIHono<ApiEnv>): (context: Context<ApiEnv>) => never {
  return ({ req }) => {
    const allow = methodsOf(app, req.path);
    if (allow.length === 0) {
      throw new ApiError(
        404,
        'NotFoundError',
        'path_not_found',
        `Nothing is served at ${req.path.slice(0, 200)}.`,
        {
          fix: 'See /docs for the available paths.',
        },
      );
    }
    const sentence = `${req.method} is not supported for this path.`;
    throw new ApiError(405, 'BadRequestError', 'method_not_allowed', sentence, { allow });
  };
}

/** Answers OPTIONS with the methods of a path, without requiring a token. */
export function answerOptions(
  app: OpenAPIHono<ApiEnv>,
): (context: Context<ApiEnv>, next: Next) => Promise<void> {
  return async (context, next) => {
    const allow = context.req.method === 'OPTIONS' ? methodsOf(app, context.req.path) : [];
    if (allow.length === 0) await next();
    else
      context.res = new Response(null, { status: 204, headers: { allow: [...allow, 'OPTIONS'].join(', ') } });
  };
}

function methodsOf(app: OpenAPIHono<ApiEnv>, path: string): readonly string[] {
  const methods = app.openAPIRegistry.definitions.flatMap((definition) =>
    definition.type === 'route' && patternOf(definition.route.path).test(path)
      ? [definition.route.method.toUpperCase()]
      : [],
  );
  return [...new Set(methods)];
}

function patternOf(path: string): RegExp {
  const parts = path.split('/').map((part) => (part.startsWith('{') ? '[^/]+' : part.replaceAll('.', '\\.')));
  return new RegExp(`^${parts.join('/')}$`);
}
