import type { OpenAPIHono } from '@hono/zod-openapi';
import type { ApiEnv } from '../http/api-env.ts';

/** What routes are added to. */
export type ApiApp = OpenAPIHono<ApiEnv>;
