import type { Context } from 'hono';
import type { ApiEnv } from './api-env.ts';

/** An answer that is text already; that it fits its schema is up to whoever wrote it. */
export function rawText(context: Context<ApiEnv>, text: string, type = 'application/json'): never {
  return context.body(text, 200, { 'content-type': type }) as never;
}
