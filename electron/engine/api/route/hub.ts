import { z } from '@hono/zod-openapi';
import type { ApiPorts } from '../contract.ts';
import { describeApi } from '../docs/document.ts';
import { docsPage } from '../docs/page.ts';
import { defineRoute, jsonAnswer } from '../http/define-route.ts';
import { rawText } from '../http/raw-text.ts';
import type { ApiApp } from './api-app.ts';

const hub = { tags: ['hub'], security: [] };

const healthRoute = defineRoute({
  ...hub,
  method: 'get',
  path: '/healthz',
  summary: 'Health check.',
  responses: {
    200: jsonAnswer(
      'Patchbay is running.',
      z.object({ status: z.literal('ok'), version: z.string() }).openapi('Healthz'),
    ),
  },
});
const documentRoute = defineRoute({
  ...hub,
  method: 'get',
  path: '/openapi.json',
  summary: 'This description.',
  responses: { 200: jsonAnswer('OpenAPI 3.1.', z.record(z.string(), z.unknown())) },
});
const pageRoute = defineRoute({
  ...hub,
  method: 'get',
  path: '/docs',
  summary: 'This description as a web page.',
  responses: {
    200: { description: 'A page.', content: { 'text/html': { schema: { type: 'string' } } } },
  },
});

/** Routes that need no token. */
export function hubRoutes(app: ApiApp, { version }: ApiPorts): void {
  app.openapi(healthRoute, (context) => context.json({ status: 'ok' as const, version }, 200));
  app.openapi(documentRoute, (context) => rawText(context, JSON.stringify(describeApi(app, version))));
  app.openapi(pageRoute, () => {
    const headers = {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
    };
    return new Response(docsPage(describeApi(app, version)), { headers });
  });
}
