import type { OpenAPIHono } from '@hono/zod-openapi';
import type { ApiEnv } from '../http/api-env.ts';

/** The app that routes are added to. */
export type ApiApp = OpenAPIHono<ApiEnv>;
