import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { describe, expect, it } from 'vitest';
import { readHubRecord } from '../../../electron/engine/store/files/instance-lock.ts';
import { eventually } from '../../helper/eventually.ts';
import { freePort } from '../../helper/free-port.ts';
import { fixture, nodeEntry, programs } from '../../helper/programs.ts';
import { configText, connectBridge, startHub } from '../../helper/running-hub.ts';
import { withSqlite } from '../../helper/state-db.ts';
import { tempDir } from '../../helper/temp-dir.ts';

const refused = { data: { code: 'call.circuit_open' } };

/** A data folder with a server that fails on command. */
async function dataFolder(patchbay: object = {}) {
  const folder = await tempDir();
  const runs = join(folder.path, 'runs');
  const entry = { ...nodeEntry(fixture('fails-on-command')), timeout: 5_000, env: { RUNS: runs }, patchbay };
  await writeFile(join(folder.path, 'mcp.json'), configText({ a: entry }));
  return { ...folder, [Symbol.asyncDispose]: folder[Symbol.asyncDispose], countRuns: () => countLines(runs) };
}

async function countLines(file: string): Promise<number> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text.split('\n').filter(Boolean).length;
}

const storedCircuits = (dir: string): Promise<number> =>
  withSqlite(
    join(dir, 'state.db'),
    (database) => database.prepare('select * from circuit_breakers').all().length,
  );

/**
 * Starts the hub as a program and resolves when it owns the folder. Otherwise a bridge would start a hub of
 * its own.
 */
async function startProgram(dir: string): Promise<ChildProcess> {
  const args = ['serve', '--data-dir', dir, '--port', String(await freePort())];
  const child = spawn(process.execPath, [programs.patchbay, ...args], { stdio: 'ignore' });
  await eventually(async () =>
    expect((await readHubRecord(join(dir, 'run', 'hub.json')))?.pid).toBe(child.pid),
  );
  return child;
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const gone = once(child, 'exit');
  child.kill(signal);
  await gone;
}

const act = (client: Client, outcome: 'hang' | 'answer') =>
  client.callTool({ name: 'a__act', arguments: { end: outcome } });

/** Fails as often as it takes to open a circuit. */
async function failFiveTimes(client: Client): Promise<void> {
  const calls = Array.from({ length: 5 }, () => act(client, 'hang'));
  for (const call of await Promise.allSettled(calls)) expect(call).toMatchObject({ status: 'rejected' });
}

describe('the stored state of a hub', () => {
  it('[REQ-MCP-CALL-005] keeps circuits open after the hub was killed', async () => {
    await using folder = await dataFolder();
    const first = await startProgram(folder.path);
    {
      await using client = await connectBridge(folder.path);
      await failFiveTimes(client);
      await expect(act(client, 'answer')).rejects.toMatchObject(refused);
      await eventually(async () => expect(await readdir(folder.path)).toContain('state.db'));
      await eventually(() => expect(storedCircuits(folder.path)).resolves.toBe(1));
    }
    await end(first, 'SIGKILL');
    const second = await startProgram(folder.path);
    {
      await using client = await connectBridge(folder.path);
      await expect(act(client, 'answer')).rejects.toMatchObject(refused);
    }
    expect(await folder.countRuns()).toBe(5);
    await end(second, 'SIGTERM');
  });

  it.runIf(process.platform === 'linux')('takes no memory before there is something to store', async () => {
    await using folder = await dataFolder({ guard: 'off' });
    // Activity has its own database and thread.
    const settings = JSON.stringify({ audit: false, recordActivity: false });
    await writeFile(join(folder.path, 'settings.json'), settings);
    const child = await startProgram(folder.path);
    const isLoaded = async () => (await readFile(`/proc/${child.pid}/maps`, 'utf8')).includes('@libsql');
    await using client = await connectBridge(folder.path);
    await act(client, 'answer');
    expect(await isLoaded()).toBe(false);
    expect(await readdir(folder.path)).not.toContain('state.db');
    await failFiveTimes(client);
    await eventually(async () => expect(await isLoaded()).toBe(true));
    await end(child, 'SIGTERM');
  });

  it('is not loaded by the bridge and the command', async () => {
    for (const program of [programs.bridge, programs.aggregator])
      expect(await readFile(program, 'utf8')).not.toMatch(/@libsql|open-state-db/);
  });

  it('is reported if it cannot be used, and the hub keeps serving', async () => {
    const header = Buffer.alloc(4096);
    header.write('SQLite format 3\0');
    header.writeUInt16BE(4096, 16);
    header.writeUInt32BE(99, 60);
    const echo = nodeEntry(fixture('echo'));
    await using hub = await startHub({ a: echo }, { files: { 'state.db': header.toString('latin1') } });
    await eventually(() => expect(hub.engine.view().problems).toMatchObject([{ code: 'hub.newer_data' }]));
    await using client = await hub.bridge();
    expect(await client.callTool({ name: 'a__echo', arguments: { text: 'still here' } })).toBeDefined();
  });
});
