import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { silentLogger } from '../../../electron/engine/base/logger.ts';
import { startHub } from '../../../electron/engine/engine.ts';
import { loneBridge } from '../../helper/bridge.ts';
import { until } from '../../helper/gateway.ts';
import { tempDir } from '../../helper/temp-dir.ts';
import { memberOf } from './fixture/raw-json.mjs';
import { RawClient } from './raw-client.ts';
import { stdioWire } from './wire.ts';

const rawServer = fileURLToPath(new URL('./fixture/raw-server.mjs', import.meta.url));
const lists = {
  tools: 'tools/list',
  prompts: 'prompts/list',
  resources: 'resources/list',
  resourceTemplates: 'resources/templates/list',
} as const;

it('[PB-BRIDGE-1] [PB-PASS-1] a bridge without a hub returns exactly the lists that the hub returned, to the byte', async () => {
  await using folder = await tempDir();
  const dataDir = folder.path;
  const entry = { command: process.execPath, args: [rawServer] };
  await writeFile(join(dataDir, 'mcp.json'), JSON.stringify({ mcpServers: { t: entry } }));
  const bridge = await loneBridge(dataDir);

  async function listAll(): Promise<readonly string[]> {
    await using client = new RawClient(stdioWire(process.execPath, [bridge, '--data-dir', dataDir]));
    await client.greet('{}');
    const told: string[] = [];
    for (const [field, method] of Object.entries(lists)) {
      const result = memberOf(await client.ask(method), 'result') ?? '{}';
      told.push(memberOf(result, field) ?? 'none');
    }
    return told;
  }

  const engine = await startHub(
    { logger: silentLogger, env: async () => process.env },
    { dataDir, version: '0.0.0-test', port: 0 },
  );
  await until(
    'a connected server',
    () => engine.servers().every(({ status }) => status === 'connected'),
    10_000,
  );
  const withHub = await listAll();
  await engine.stop();
  expect(await listAll()).toEqual(withHub);
  expect(withHub.map((items) => items.includes('9007199254740993'))).toEqual([true, true, true, false]);
});
