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
      { name: 'tools', description: 'What the servers offer, by server; and finding it.' },
      { name: 'skills', description: 'What tools are good for, and who decides on it.' },
      { name: 'calls', description: 'Calling tools.' },
      {
        name: 'mcp',
        description:
          'For agents: register a server’s tools, call one with a correlation id and an idempotency key, and who may call what.',
      },
      { name: 'identities', description: 'Who may ask: clients and agents, and their tokens.' },
      { name: 'events', description: 'What happens, as it happens.' },
      { name: 'hub', description: 'Patchbay itself.' },
    ],
  });
}

export type OpenApiDocument = ReturnType<ApiApp['getOpenAPI31Document']>;
