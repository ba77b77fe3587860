import { describe, expect, it } from 'vitest';
import type { McpServerRow } from '../../../../../electron/engine/api/registry/registry-store.ts';
import { registryStore } from '../../../../../electron/engine/api/registry/registry-store.ts';
import { besides, stateIn } from '../../../../helper/state-db.ts';
import { tempDir } from '../../../../helper/temp-dir.ts';

let made = 0;
const make = (key: string): McpServerRow => {
  made += 1;
  return {
    server_id: `id-${made}`,
    server_key: key,
    version: null,
    description: null,
    capabilities: '[]',
    metadata: '{}',
    registered_at: made,
    removed_at: null,
  };
};
const tool = (server_id: string, tool_name: string, version: string) => ({
  id: `${server_id}/${tool_name}`,
  server_id,
  tool_name,
  schema: '{}',
  version,
  enabled: 1,
  registered_at: 1,
});

async function opened() {
  const folder = await tempDir();
  const state = stateIn(folder.path);
  const store = registryStore(state);
  const idOf = async (key: string) => (await store.servers([key], make))[0]?.server_id;
  return {
    store,
    idOf,
    folder: folder.path,
    async [Symbol.asyncDispose]() {
      await state.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

describe('the registry of servers', () => {
  it('[AG-US7-AC6] keeps the id and the tools of a server that is renamed', async () => {
    await using kept = await opened();
    const { store, idOf } = kept;
    const id = await idOf('a');
    await store.saveTools([tool(id ?? '', 'x', '1')]);
    await store.rename('a', 'b');
    expect(await idOf('b')).toBe(id);
    expect(await idOf('a')).not.toBe(id);
    expect((await store.find(id ?? ''))?.server_key).toBe('b');
    expect(await store.tools()).toMatchObject([{ server_key: 'b', tool_name: 'x' }]);
  });

  it('[AG-US6-AC6] gives a returning server its id, and another server of its name a new one', async () => {
    await using kept = await opened();
    const { store, idOf } = kept;
    const id = await idOf('a');
    await store.saveTools([tool(id ?? '', 'x', '1')]);
    await store.remove('a', 1);
    expect(await store.find('a')).toBeUndefined();
    expect(await store.tools()).toEqual([]);
    await store.restore('a');
    expect(await idOf('a')).toBe(id);
    await store.remove('a', 2);
    await store.forget('a');
    await store.restore('a');
    expect(await idOf('a')).not.toBe(id);
    await store.forget('a');
    expect(await store.find('a')).toBeDefined();
  });

  it('has one tool per name, the last registered one', async () => {
    await using kept = await opened();
    const id = (await kept.idOf('a')) ?? '';
    await kept.store.saveTools([tool(id, 'x', '1'), tool(id, 'y', '1')]);
    await kept.store.saveTools([tool(id, 'x', '2')]);
    expect((await kept.store.tools()).map(({ version }) => version)).toEqual(['2', '1']);
  });

  it('creates no database for servers that nobody has requested', async () => {
    await using kept = await opened();
    await kept.store.rename('a', 'b');
    await kept.store.remove('b', 1);
    await kept.store.forget('b');
    expect(await kept.store.find('a')).toBeUndefined();
    expect(await besides(kept.folder)).toEqual([]);
  });
});
