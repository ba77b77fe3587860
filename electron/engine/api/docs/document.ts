import type { ApiApp } from '../route/api-app.ts';

/** Creates the OpenAPI document from the schemas that validate and type the routes. */
export function describeApi(app: ApiApp, version: string): OpenApiDocument {
  return app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Patchbay',
      version,
      description:
        'Patchbay over HTTP, for administrators and agents. Served on this machine only. The admin token is in admin.token in the data folder.',
      license: { name: 'MIT' },
    },
    servers: [{ url: '/', description: 'This Patchbay.' }],
    tags: [
      { name: 'servers', description: 'Servers: register, change, connect, watch.' },
      { name: 'tools', description: 'Tools by server, and tool search.' },
      { name: 'skills', description: 'Skills of tools, and decisions on them.' },
      { name: 'calls', description: 'Calling tools.' },
      {
        name: 'mcp',
        description:
          'For agents: register a server’s tools, call them with a correlation id and an idempotency key, and manage grants.',
      },
      { name: 'identities', description: 'Clients and agents, and their tokens.' },
      { name: 'events', description: 'Live events.' },
      { name: 'hub', description: 'Patchbay itself.' },
    ],
  });
}

export type OpenApiDocument = ReturnType<ApiApp['getOpenAPI31Document']>;
