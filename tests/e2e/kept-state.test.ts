import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { describe, expect, it } from 'vitest';
import { readHubRecord } from '../../electron/engine/store/files/instance-lock.ts';
import { eventually } from '../helper/eventually.ts';
import { freePort } from '../helper/free-port.ts';
import { packagedApp } from '../helper/packaged-app.ts';
import { fixture, nodeEntry } from '../helper/programs.ts';
import { connectBridge, hubGone, startApp } from '../helper/running-app.ts';
import { withSqlite } from '../helper/state-db.ts';
import { tempDir } from '../helper/temp-dir.ts';

/** A data folder with a server that fails on command. */
async function dataFolder(folder: string): Promise<string> {
  const dir = join(folder, 'data');
  await mkdir(dir);
  const entry = {
    ...nodeEntry(fixture('fails-on-command')),
    timeout: 2_000,
    env: { RUNS: join(folder, 'runs') },
  };
  await writeFile(join(dir, 'mcp.json'), JSON.stringify({ mcpServers: { a: entry } }));
  await writeFile(join(dir, 'settings.json'), JSON.stringify({ version: 1, port: await freePort() }));
  return dir;
}

const act = (client: Client, outcome: 'hang' | 'answer') =>
  client.callTool({ name: 'a__act', arguments: { end: outcome } });

const storedCircuits = (dir: string): Promise<number> =>
  withSqlite(
    join(dir, 'state.db'),
    (database) => database.prepare('select * from circuit_breakers').all().length,
  );

describe('the packaged state', () => {
  it('[REQ-MCP-CALL-005] [PB-HEAD-1] is kept by the app and read by the hub without a window', async () => {
    await using folder = await tempDir();
    const dir = await dataFolder(folder.path);
    {
      await using _app = await startApp(dir);
      await using client = await connectBridge(dir);
      const calls = Array.from({ length: 5 }, () => act(client, 'hang'));
      for (const call of await Promise.allSettled(calls)) expect(call).toMatchObject({ status: 'rejected' });
      await eventually(async () => expect(await readdir(dir)).toContain('state.db'));
      await eventually(async () => expect(await storedCircuits(dir)).toBe(1));
    }
    await hubGone(dir);

    const headless = spawn(packagedApp.launcher('patchbay'), ['serve', '--data-dir', dir], {
      stdio: 'ignore',
    });
    await eventually(async () =>
      expect((await readHubRecord(join(dir, 'run', 'hub.json')))?.port).toBeDefined(),
    );
    {
      await using client = await connectBridge(dir);
      const refused = { data: { code: 'call.circuit_open' } };
      await eventually(() => expect(act(client, 'answer')).rejects.toMatchObject(refused));
    }
    const gone = once(headless, 'exit');
    headless.kill('SIGTERM');
    await gone;
  });
});
