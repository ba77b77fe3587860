import type { Context } from 'hono';
import type { ApiEnv } from './api-env.ts';
/** An answer that is text already; that it fits its schema is up to whoever wrote it. */
export declare function rawText(context: Context<ApiEnv>, text: string, type?: string): never;
