import type { OpenAPIHono } from '@hono/zod-openapi';
import type { ApiEnv } from '../http/api-env.ts';

export type ApiApp = OpenAPIHono<ApiEnv>;
