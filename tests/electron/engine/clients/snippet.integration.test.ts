import { posix, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { formatOf } from '../../../../electron/engine/clients/format/format-of.ts';
import { locationsOf } from '../../../../electron/engine/clients/places.ts';
import { clientTable } from '../../../../electron/engine/clients/table/client-table.ts';
import { type ConnectHub, startConnectHub, textOfFile } from '../../../helper/connect-hub.ts';

const pointed = '.made-up/config';
const rowsWithFile = clientTable.filter(({ canLocate, places }) => canLocate || places !== undefined);

async function fileOf(hub: ConnectHub, id: string): Promise<string> {
  const row = clientTable.find((one) => one.id === id);
  const [place] =
    row === undefined ? [] : locationsOf(row, { platform: 'linux', home: hub.home, env: {}, path: posix });
  return place === undefined ? pointed : relative(hub.home, place.file);
}

/** Writes the client's file, and returns the snippet and the entry that Patchbay writes. */
async function bothWays(id: string, text: string): Promise<{ shown: unknown; written: unknown }> {
  await using hub = await startConnectHub({ platform: 'linux' });
  const file = await hub.put(await fileOf(hub, id), text);
  if (file.endsWith(pointed)) await hub.engine.run('connect.setFile', { id, file });
  const { language } = await hub.engine.run('connect.snippet', { id, transport: 'stdio' });
  const { text: whole } = await hub.engine.run('connect.wholeSnippet', { id, transport: 'stdio' });
  await hub.connected(id);
  const format = await formatOf(language);
  return { shown: format.parse(whole), written: format.parse(await textOfFile(file)) };
}

describe('a snippet', () => {
  it.each(rowsWithFile.map(({ id }) => id))('[PB-CLIENT-1] %s: is what Patchbay writes', async (id) => {
    const { shown, written } = await bothWays(id, '');
    expect(written).toEqual(shown);
  });

  it('[PB-CLIENT-1] opencode 2: is placed where its file has the servers', async () => {
    const { shown, written } = await bothWays('opencode', '{"mcp": {"servers": {}}}');
    expect(shown).toMatchObject({ mcp: { servers: { patchbay: { type: 'local' } } } });
    expect(written).toEqual(shown);
  });

  it('[PB-CLIENT-1] gets a free name if another server is called patchbay', async () => {
    const other = { command: 'x' };
    const { shown, written } = await bothWays('cursor', JSON.stringify({ mcpServers: { patchbay: other } }));
    expect(shown).toEqual({ mcpServers: { patchbay2: expect.anything() } });
    expect(written).toMatchObject({ mcpServers: { patchbay: other, patchbay2: expect.anything() } });
  });

  it('[PB-CLIENT-1] is shown although the file cannot be read', async () => {
    await using hub = await startConnectHub({ platform: 'linux' });
    await hub.put('.cursor/mcp.json', '{"mcpServers": [');
    const { text } = await hub.engine.run('connect.snippet', { id: 'cursor', transport: 'stdio' });
    expect(JSON.parse(text)).toMatchObject({ mcpServers: { patchbay: {} } });
  });
});
