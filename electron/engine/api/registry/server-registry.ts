import { randomUUID } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import type { DeclaredTool, ServerRecord, ServerRegistry } from '../contract.ts';
import type { McpServerRow, RegistryStore } from './registry-store.ts';

/** Manages server ids and registrations on top of the store. */
export function createServerRegistry(store: RegistryStore, clock: Clock): ServerRegistry {
  const make = (key: string): McpServerRow => ({
    server_id: randomUUID(),
    server_key: key,
    version: null,
    description: null,
    capabilities: '[]',
    metadata: '{}',
    registered_at: clock.now(),
    removed_at: null,
  });
  const row = async (key: string) => (await store.servers([key], make))[0] ?? make(key);
  return {
    records: async (keys) => (await store.servers(keys, make)).map(recordOf),
    async find(idOrKey) {
      const found = await store.find(idOrKey);
      return found && recordOf(found);
    },
    async save(key, { description, version, capabilities, versions }) {
      const before = await row(key);
      const after: McpServerRow = {
        ...before,
        description: description ?? before.description,
        version: version ?? before.version,
        capabilities: capabilities === undefined ? before.capabilities : JSON.stringify(capabilities),
        metadata:
          versions === undefined ? before.metadata : JSON.stringify({ compatible_versions: versions }),
      };
      await store.save(after);
      return recordOf(after);
    },
    async declared() {
      const byServer = new Map<string, DeclaredTool[]>();
      for (const { server_key, tool_name, schema, version, enabled } of await store.tools()) {
        const tool = {
          name: tool_name,
          schema: JSON.parse(schema) as DeclaredTool['schema'],
          enabled: enabled === 1,
          ...(version === null ? {} : { version }),
        };
        const tools = byServer.get(server_key);
        if (tools === undefined) byServer.set(server_key, [tool]);
        else tools.push(tool);
      }
      return byServer;
    },
    async declare(key, tools) {
      const { server_id } = await row(key);
      const rows = tools.map(({ name, schema, version, enabled }) => ({
        id: randomUUID(),
        server_id,
        tool_name: name,
        schema: JSON.stringify(schema),
        version: version ?? null,
        enabled: enabled ? 1 : 0,
        registered_at: clock.now(),
      }));
      await store.saveTools(rows);
    },
    async remove(key) {
      await store.remove(key, clock.now());
      await store.forget(key);
    },
  };
}

function recordOf(row: McpServerRow): ServerRecord {
  const { compatible_versions = {} } = JSON.parse(row.metadata) as {
    readonly compatible_versions?: ServerRecord['versions'];
  };
  return {
    id: row.server_id,
    key: row.server_key,
    registeredAt: row.registered_at,
    capabilities: JSON.parse(row.capabilities) as readonly string[],
    versions: compatible_versions,
    ...(row.description === null ? {} : { description: row.description }),
    ...(row.version === null ? {} : { version: row.version }),
  };
}
