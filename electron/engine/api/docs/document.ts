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
    servers: [{ url: '/', description: 'Patchbay itself.' }],
    tags: [
      { name: 'servers', description: 'Register, change, connect and watch servers.' },
      { name: 'tools', description: 'List tools by server, and search them.' },
      { name: 'skills', description: 'Skills of tools, and their review.' },
      { name: 'calls', description: 'Call tools.' },
      {
        name: 'mcp',
        description:
          'For agents: register a server’s tools, call them with a correlation ID and an idempotency key, and manage grants.',
      },
      { name: 'identities', description: 'Clients and agents, and their tokens.' },
      { name: 'events', description: 'Live events.' },
      { name: 'hub', description: 'Patchbay itself.' },
    ],
  });
}

export type OpenApiDocument = ReturnType<ApiApp['getOpenAPI31Document']>;
