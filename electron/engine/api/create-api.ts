import { getRequestListener } from '@hono/node-server';
import { OpenAPIHono } from '@hono/zod-openapi';
import type { Api, ApiPorts } from './contract.ts';
import { answerError, answerInvalid } from './http/answer-error.ts';
import type { ApiEnv } from './http/api-env.ts';
import { badRequest } from './http/api-error.ts';
import { guardBody } from './http/guard-body.ts';
import { guardCaller } from './http/guard-caller.ts';
import { answerNotFound, answerOptions } from './http/unserved.ts';
import type { ApiApp } from './route/api-app.ts';
import { approvalRoutes } from './route/approvals.ts';
import { breakerRoutes } from './route/breakers.ts';
import { callRoutes } from './route/calls.ts';
import { eventRoutes } from './route/events.ts';
import { hubRoutes } from './route/hub.ts';
import { identityRoutes } from './route/identities.ts';
import { metricsRoutes } from './route/metrics.ts';
import { policyRoutes } from './route/policies.ts';
import { registryRoutes } from './route/registry.ts';
import { searchRoutes } from './route/search.ts';
import { serverRoutes } from './route/servers.ts';
import { skillReviewRoutes } from './route/skill-review.ts';
import { skillRoutes } from './route/skills.ts';
import { toolSkillsRoutes } from './route/tool-skills.ts';
import { toolRoutes } from './route/tools.ts';

/**
 * Creates the REST API; one schema validates, types and documents each value. Loaded with the first request.
 */
export function createApi(ports: ApiPorts): Api {
  const app: ApiApp = new OpenAPIHono<ApiEnv>({ defaultHook: answerInvalid });
  const fail = answerError(ports.log);
  app.onError(fail);
  app.notFound(answerNotFound(app));
  app.use('*', async (context, next) => {
    await next();
    if (!context.res.headers.has('cache-control')) context.res.headers.set('cache-control', 'no-store');
  });
  app.use('*', answerOptions(app));
  app.use('*', guardCaller(ports.identify));
  app.use('*', guardBody);
  app.openAPIRegistry.registerComponent('securitySchemes', 'bearer', {
    type: 'http',
    scheme: 'bearer',
    description: 'The admin token, or the token of an identity.',
  });
  hubRoutes(app, ports);
  serverRoutes(app, ports);
  toolRoutes(app, ports);
  searchRoutes(app, ports);
  skillRoutes(app, ports);
  skillReviewRoutes(app, ports);
  toolSkillsRoutes(app, ports);
  callRoutes(app, ports);
  registryRoutes(app, ports);
  policyRoutes(app, ports);
  identityRoutes(app, ports);
  approvalRoutes(app, ports);
  breakerRoutes(app, ports);
  metricsRoutes(app, ports);
  const events = eventRoutes(app, ports);
  const listener = getRequestListener(app.fetch, {
    overrideGlobalObjects: false,
    errorHandler: () => {
      const wrong = badRequest('invalid_request', 'The request cannot be read.');
      const headers = { 'content-type': 'application/json' };
      return new Response(wrong.text(), { status: wrong.status, headers });
    },
  });
  return {
    handle: (request, response) => void listener(request, response),
    dispose: () => events.dispose(),
  };
}
