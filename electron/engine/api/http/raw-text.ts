import type { Context } from 'hono';
import type { ApiEnv } from './api-env.ts';

/** Sends text that is already JSON; the caller guarantees that it fits the schema. */
export function rawText(context: Context<ApiEnv>, text: string, type = 'application/json'): never {
  return context.body(text, 200, { 'content-type': type }) as never;
}
