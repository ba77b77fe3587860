import type { ToolSummary } from '../../../../shared/model/tool/tool.ts';
import type { ApiCaller, ApiPorts, ServerRecord } from '../contract.ts';
import { defineRoute, jsonAnswer } from '../http/define-route.ts';
import { serverParam } from '../schema/server.ts';
import { toolGroupsSchema } from '../schema/tool.ts';
import { toolId } from '../tool-id.ts';
import type { ApiApp } from './api-app.ts';
import { type KnownServer, knownServer, knownServers } from './known-servers.ts';
import { serverInfo } from './server-answer.ts';

const listRoute = defineRoute({
  tags: ['tools'],
  method: 'get',
  path: '/api/v1/tools',
  summary: 'The tools that the caller may call, grouped by server.',
  responses: { 200: jsonAnswer('The tools.', toolGroupsSchema) },
});
const ofServerRoute = defineRoute({
  tags: ['tools'],
  method: 'get',
  path: '/api/v1/aggregator/servers/{id}/tools',
  summary: 'The tools of one server that the caller may call.',
  request: { params: serverParam },
  errors: [404, 422],
  responses: { 200: jsonAnswer('The tools.', toolGroupsSchema) },
});

export function toolRoutes(app: ApiApp, ports: ApiPorts): void {
  app.openapi(listRoute, async (context) => {
    const groups = groupsOf(ports, await knownServers(ports), context.get('caller'));
    return context.json({ ...groups, internal: [...internalTools] }, 200);
  });
  app.openapi(ofServerRoute, async (context) => {
    const known = await knownServer(ports, context.req.valid('param').id);
    return context.json({ ...groupsOf(ports, [known], context.get('caller')), internal: [] }, 200);
  });
}

/** Groups tools by server, leaving out servers without a tool the caller may call. */
function groupsOf(ports: ApiPorts, known: readonly KnownServer[], caller: ApiCaller) {
  const byServer = groupTools(ports.hub.tools());
  const groups = known.map(({ record, view }) => ({
    ...serverInfo(record, view),
    tools: (byServer.get(record.key) ?? [])
      .filter(({ name }) => maySee(ports, caller, record.key, name))
      .map((tool) => toolAnswer(record, tool)),
  }));
  const servers = groups.filter(({ tools }) => caller.kind === 'admin' || tools.length > 0);
  return { servers, total: servers.reduce((sum, { tools }) => sum + tools.length, 0) };
}

/** Groups tools by server key. */
export function groupTools(tools: readonly ToolSummary[]): ReadonlyMap<string, readonly ToolSummary[]> {
  const groups = new Map<string, ToolSummary[]>();
  for (const tool of tools) {
    const group = groups.get(tool.serverKey);
    if (group === undefined) groups.set(tool.serverKey, [tool]);
    else group.push(tool);
  }
  return groups;
}

/** Lists show only tools that the caller may call. */
export function maySee(ports: ApiPorts, caller: ApiCaller, serverKey: string, tool: string): boolean {
  return caller.kind === 'admin' || ports.mayCall(caller.id, serverKey, tool);
}

function toolAnswer(record: ServerRecord, tool: ToolSummary) {
  const { name, title, description, enabled, held, readOnly, destructive } = tool;
  return {
    id: toolId(record.id, name),
    name: `${record.key}.${name}`,
    original_name: name,
    enabled,
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(held === undefined ? {} : { held }),
    ...(readOnly === undefined ? {} : { read_only: readOnly }),
    ...(destructive === undefined ? {} : { destructive }),
  };
}

/** Built-in tools, which clients see if no others are available. */
const internalTools = [
  {
    id: 'patchbay_status',
    name: 'patchbay_status',
    original_name: 'patchbay_status',
    title: 'Patchbay status',
    enabled: true,
    read_only: true,
  },
];
