import { setImmediate } from 'node:timers/promises';
import { z } from '@hono/zod-openapi';
import { isRecord } from '../../../../shared/json.ts';
import type { ToolSummary } from '../../../../shared/model/tool/tool.ts';
import type { ApiCaller, ApiPorts, DeclaredTool, ServerRecord } from '../contract.ts';
import { unknownServer, unknownTool } from '../http/api-error.ts';
import { defineRoute, jsonAnswer, jsonBody } from '../http/define-route.ts';
import { admin } from '../http/guard-caller.ts';
import { SchemaValidator } from '../registry/schema-validator.ts';
import { isCompatible, validateTools } from '../registry/validate-tools.ts';
import {
  type McpTool,
  mcpToolSchema,
  registrationResultSchema,
  registrationSchema,
  toolParam,
  toolQuery,
} from '../schema/tool.ts';
import { toolId } from '../tool-id.ts';
import type { ApiApp } from './api-app.ts';
import { groupTools, maySee } from './tools.ts';

const registerRoute = defineRoute({
  tags: ['mcp'],
  middleware: admin,
  method: 'post',
  path: '/api/v1/mcp/register',
  summary: 'Registers a server and the definitions of its tools.',
  request: { body: jsonBody(registrationSchema) },
  responses: { 200: jsonAnswer('The registered and the rejected tools.', registrationResultSchema) },
});
const listRoute = defineRoute({
  tags: ['mcp'],
  method: 'get',
  path: '/api/v1/mcp/tools',
  summary: 'Registered tools that the caller may call.',
  request: { query: toolQuery },
  errors: [400, 404],
  responses: { 200: jsonAnswer('The tools.', z.array(mcpToolSchema)) },
});
const getRoute = defineRoute({
  tags: ['mcp'],
  method: 'get',
  path: '/api/v1/mcp/tools/{server_id}/{tool_name}',
  summary: 'One tool.',
  request: { params: toolParam },
  errors: [400, 404],
  responses: { 200: jsonAnswer('The tool.', mcpToolSchema) },
});

/** Routes of the registry, as in the integration design. A server is given by its name there or by its id. */
export function registryRoutes(app: ApiApp, ports: ApiPorts): void {
  const validator = new SchemaValidator();
  app.openapi(registerRoute, async (context) => {
    const { server_id, version, capabilities, tools, compatible_versions } = context.req.valid('json');
    const before = await ports.registry.find(server_id);
    const key = before?.key ?? server_id;
    const versions = compatible_versions ?? before?.versions ?? {};
    const record = await ports.registry.save(key, { version, capabilities, versions });
    const { registered, rejected } = validateTools(tools, versions, validator);
    await ports.registry.declare(key, registered);
    await followMatrix(ports, key, registered, versions);
    const known = toolsOf(ports, record, listedOf(ports, key), registered);
    const listed = new Map(known.map((tool) => [tool.tool_name, tool]));
    const registered_tools = registered.flatMap(({ name }) => listed.get(name) ?? []);
    const result = {
      server_id: key,
      server_uuid: record.id,
      registered_count: registered.length,
      rejected_count: rejected.length,
      registered_tools,
      rejected_tools: [...rejected],
    };
    return context.json(result, 200);
  });
  app.openapi(listRoute, async (context) => {
    const { server_id, enabled_only } = context.req.valid('query');
    const tools = await registeredTools(ports, validator, context.get('caller'), server_id);
    return context.json(enabled_only === 'true' ? tools.filter(({ enabled }) => enabled) : [...tools], 200);
  });
  app.openapi(getRoute, async (context) => {
    const { server_id, tool_name } = context.req.valid('param');
    const tools = await registeredTools(ports, validator, context.get('caller'), server_id);
    const tool = tools.find((one) => one.tool_name === tool_name);
    if (tool === undefined) throw unknownTool(`${server_id}:${tool_name}`);
    return context.json(tool, 200);
  });
}

/**
 * Disables tools with an incompatible version for all clients, and enables them when they are compatible
 * again.
 */
async function followMatrix(
  { hub }: ApiPorts,
  key: string,
  tools: readonly DeclaredTool[],
  versions: ServerRecord['versions'],
): Promise<void> {
  const known = new Map(
    hub
      .tools()
      .flatMap(({ serverKey, name, enabled }) => (serverKey === key ? [[name, enabled] as const] : [])),
  );
  const listed = tools.filter(({ name }) => Object.hasOwn(versions, name) && known.has(name));
  for (const enabled of [true, false]) {
    const names = listed
      .filter(({ name, version }) => isCompatible(versions, name, version) === enabled)
      .flatMap(({ name }) => (known.get(name) === enabled ? [] : [name]));
    if (names.length > 0) await hub.run('tool.setEnabled', { serverKey: key, names, enabled });
  }
}

async function registeredTools(
  ports: ApiPorts,
  validator: SchemaValidator,
  caller: ApiCaller,
  serverId: string | undefined,
): Promise<readonly McpTool[]> {
  const { hub, registry } = ports;
  const declared = await registry.declared();
  const keys = new Set([...hub.servers().map(({ key }) => key), ...declared.keys()]);
  const wanted = serverId === undefined ? [...keys] : [await keyOf(ports, serverId, keys)];
  const records = await registry.records(wanted);
  const listed = groupTools(hub.tools());
  const tools = records
    .flatMap((record) => toolsOf(ports, record, listed.get(record.key) ?? [], declared.get(record.key) ?? []))
    .filter((tool) => maySee(ports, caller, tool.server_id, tool.tool_name));
  return withFaults(tools, validator);
}

/**
 * Disables tools with invalid schemas, but not their server. Pauses now and then so that other requests can
 * run.
 */
async function withFaults(
  tools: readonly McpTool[],
  validator: SchemaValidator,
): Promise<readonly McpTool[]> {
  const checked: McpTool[] = [];
  for (const [index, tool] of tools.entries()) {
    if (index % batchSize === batchSize - 1) await setImmediate();
    const faults = validator.cachedFaults(tool.schema);
    checked.push(faults.length === 0 ? tool : { ...tool, enabled: false, faults: [...faults] });
  }
  return checked;
}

const batchSize = 200;

function listedOf({ hub }: ApiPorts, key: string): readonly ToolSummary[] {
  return hub.tools().filter(({ serverKey }) => serverKey === key);
}

async function keyOf({ registry }: ApiPorts, id: string, keys: ReadonlySet<string>): Promise<string> {
  const key = keys.has(id) ? id : (await registry.find(id))?.key;
  if (key === undefined) throw unknownServer(id);
  return key;
}

/** Combines listed tools with declared tools that are not listed. */
function toolsOf(
  { hub }: ApiPorts,
  record: ServerRecord,
  listed: readonly ToolSummary[],
  declared: readonly DeclaredTool[],
): readonly McpTool[] {
  const known = new Map(declared.map((tool) => [tool.name, tool]));
  const names = new Set(listed.map(({ name }) => name));
  const ids = (name: string) => ({
    id: toolId(record.id, name),
    server_id: record.key,
    server_uuid: record.id,
    tool_name: name,
  });
  return [
    ...listed.map(({ name, description, enabled, held }) => {
      const version = known.get(name)?.version;
      const fits = isCompatible(record.versions, name, version);
      return {
        ...ids(name),
        schema: schemaOf(hub, record.key, name),
        enabled: enabled && fits && held === undefined,
        available: true,
        ...(description === undefined ? {} : { description }),
        ...(version === undefined ? {} : { version }),
      };
    }),
    ...declared
      .filter(({ name }) => !names.has(name))
      .map(({ name, schema, version, enabled }) => ({
        ...ids(name),
        schema: { ...schema },
        enabled: enabled && isCompatible(record.versions, name, version),
        available: false,
        ...(version === undefined ? {} : { version }),
      })),
  ];
}

function schemaOf(hub: ApiPorts['hub'], key: string, name: string): Readonly<Record<string, unknown>> {
  const { inputSchema } = hub.tool(key, name).definition;
  return isRecord(inputSchema) ? inputSchema : {};
}
