import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { describe, expect, it } from 'vitest';
import { formatCatalogue } from '../../../electron/engine/catalogue/catalogue-file.ts';
import { dataPaths, openDataDir } from '../../../electron/engine/store/files/data-dir.ts';
import { ancestorsVariable, extendAncestors, hubInstanceId } from '../../../shared/model/server/loop.ts';
import { loneBridge, runBridge, startBridge, startSocketHub } from '../../helper/bridge.ts';
import {
  catalogueOf,
  createFakeRouter,
  createHeldRouter,
  echoRouter,
  offerOf,
  until,
} from '../../helper/gateway.ts';
import { tempDir } from '../../helper/temp-dir.ts';

const offers = { files: offerOf('read', 'write') };
const catalogue = catalogueOf(offers);
const names = (tools: unknown) => (tools as { readonly name: string }[]).map(({ name }) => name);

async function place() {
  const folder = await tempDir();
  const dataDir = join(folder.path, 'data');
  await openDataDir(dataDir);
  return {
    dataDir,
    program: await loneBridge(folder.path),
    args: ['--data-dir', dataDir],
    paths: dataPaths(dataDir),
    cache: () => writeFile(dataPaths(dataDir).catalogue, formatCatalogue(catalogue.current)),
    hub: (router = echoRouter) => startSocketHub(dataDir, { catalogue, router }),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

describe('the bridge program', () => {
  it('[PB-BRIDGE-1] carries no dependency and no schema library', async () => {
    await using at = await place();
    const text = await readFile(at.program, 'utf8');
    const imported = [...text.matchAll(/\bfrom\s*["']([^"']+)["']/g)].map(([, name]) => name ?? '');
    expect(imported.filter((name) => !name.startsWith('node:'))).toEqual([]);
    expect(text).not.toContain('ZodError');
  });

  it('[PB-BRIDGE-1] [FR-005] [FR-006] serves a real SDK client, and ends with it while the hub lives on', async () => {
    await using at = await place();
    await using hub = await at.hub();
    const client = new Client({ name: 'claude-ai', version: '0.1.0' });
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [at.program, ...at.args],
        stderr: 'ignore',
      }),
    );
    await until('the session', () => hub.sessions.views().some(({ name }) => name === 'claude-ai'));
    expect(names((await client.listTools()).tools)).toEqual(['files__read', 'files__write']);
    const { content } = await client.callTool({ name: 'files__write', arguments: { text: 'ü\u2028' } });
    expect(JSON.stringify(content)).toContain('ü');
    await client.close();
    await until('the end of the session', () => hub.sessions.views().length === 0);
  });

  it('[PB-BRIDGE-1] answers at once from the last catalogue with the hub down, and attaches when it comes', async () => {
    await using at = await place();
    await at.cache();
    await using bridge = await startBridge(at.program, at.args);
    const { result } = await bridge.client.greet();
    expect(result).toMatchObject({
      serverInfo: { name: 'patchbay' },
      instructions: expect.stringContaining('files'),
    });
    expect(names((await bridge.client.request('tools/list')).result?.tools)).toEqual([
      'files__read',
      'files__write',
    ]);
    const call = bridge.client.request('tools/call', { name: 'files__read' });
    await until('the note', () => bridge.stderr().includes('does not know how to start it'));
    await using hub = await at.hub();
    expect((await call).result).toBeDefined();
    expect(hub.sessions.views()).toMatchObject([{ name: 'test', via: 'bridge', stale: false }]);
    expect(bridge.client.notices()).toEqual([]);
  });

  it('[PB-BRIDGE-1] exits 0 when its client hangs up, with and without a hub', async () => {
    await using at = await place();
    await using lonely = await startBridge(at.program, at.args);
    await lonely.client.greet();
    expect(await lonely.hangUp()).toBe(0);
    await using never = await startBridge(at.program, at.args);
    expect(await never.hangUp()).toBe(0);
    await using hub = await at.hub();
    await using attached = await startBridge(at.program, at.args);
    await attached.client.greet();
    await until('the session', () => hub.sessions.views().length === 1);
    expect(await attached.hangUp()).toBe(0);
    await until('the end of the session', () => hub.sessions.views().length === 0);
  });

  it('[PB-BRIDGE-1] takes a client that writes everything before it reads', async () => {
    await using at = await place();
    await at.cache();
    await using hub = await at.hub();
    await using bridge = await startBridge(at.program, at.args);
    const { client } = bridge;
    const ids = Array.from({ length: 200 }, (_, index) => `call ${index}`);
    const answers = [
      client.greet(),
      ...ids.map((id) => client.request('tools/call', { name: 'files__read', id }, id)),
    ];
    await Promise.all(answers);
    for (const id of ids) expect(client.answersTo(id)).toHaveLength(1);
    expect(hub.sessions.views()).toMatchObject([{ calls: 200 }]);
  });

  it.each([['ping'], ['tools/list'], ['tools/call']])(
    '[PB-BRIDGE-1] answers each request of a client that uses one id for all and ends its input: %s',
    async (method) => {
      await using at = await place();
      await at.cache();
      await using _hub = await at.hub();
      const clientInfo = { name: 'x', version: '1' };
      const greeting = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
      const messages = [
        { id: 1, method: 'initialize', params: greeting },
        ...[1, 2, 3].map(() => ({ id: 1, method, params: { name: 'files__read' } })),
      ];
      const input = messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join('');
      const { code, stdout } = await runBridge(at.program, at.args, {}, input);
      const answers = stdout.split('\n').filter((line) => line.includes('"id":1'));
      expect([code, answers.length]).toEqual([0, messages.length]);
      expect(answers.filter((line) => line.includes('serverInfo'))).toHaveLength(1);
    },
  );

  it('[NFR-R4] [PB-BRIDGE-1] answers every request exactly once over 50 restarts of the hub', async () => {
    await using at = await place();
    await at.cache();
    await using bridge = await startBridge(at.program, at.args);
    const { client } = bridge;
    await client.greet();
    const executed: unknown[] = [];
    const router = createFakeRouter(async ({ message }) => {
      const { method, params = {} } = message;
      if (method === 'tools/call') executed.push(params.nr);
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 60));
      return { nr: params.nr };
    });
    const methods = ['tools/call', 'resources/read', 'tools/list', 'ping', 'prompts/get'] as const;
    const pending: Promise<{ readonly error?: { readonly data?: { readonly code?: string } } }>[] = [];
    for (let round = 0; round < 50; round += 1) {
      const hub = await at.hub(router);
      for (let step = 0; step < 4; step += 1) {
        const nr = pending.length;
        const method = methods[Math.floor(Math.random() * methods.length)] ?? 'ping';
        pending.push(client.request(method, { nr }, `nr ${nr}`));
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 40));
      }
      await hub[Symbol.asyncDispose]();
    }
    await using _last = await at.hub(router);
    const answers = await Promise.all(pending);
    for (const nr of pending.keys()) expect(client.answersTo(`nr ${nr}`)).toHaveLength(1);
    const codes = new Set(answers.map(({ error }) => error?.data?.code));
    codes.delete(undefined);
    expect([...codes].filter((code) => code !== 'call.outcome_unknown')).toEqual([]);
    expect(new Set(executed).size).toBe(executed.length);
  });

  it('[PB-BRIDGE-1] survives a hub that sends garbage after its hello, and one that sends nothing', async () => {
    await using at = await place();
    await at.cache();
    const connections: Socket[] = [];
    const fake = createServer((socket) => {
      connections.push(socket);
      socket.on('error', () => {});
      if (connections.length > 1) return;
      socket.write('{"patchbay":1,"version":"9","pid":1}\n');
      socket.write('\u0000garbage\n[]\n{"jsonrpc":"2.0","id":"nobody","result":{}}\n{"jsonrpc":"1"}\n');
      setTimeout(() => socket.destroy(), 50);
    });
    await new Promise<void>((resolve) => fake.listen(at.paths.socket, resolve));
    await using bridge = await startBridge(at.program, at.args);
    await bridge.client.greet();
    await until('a second try', () => connections.length > 1);
    expect(names((await bridge.client.request('tools/list')).result?.tools)).toHaveLength(2);
    expect(bridge.client.answersTo('nobody')).toEqual([]);
    await new Promise<void>((resolve) => {
      fake.close(() => resolve());
      for (const socket of connections) socket.destroy();
    });
    await using _hub = await at.hub();
    expect((await bridge.client.request('tools/call', { name: 'files__read' })).result).toBeDefined();
  });

  it('[PB-BRIDGE-1] tells of a hub it cannot understand', async () => {
    await using at = await place();
    const fake = createServer((socket) => {
      socket.on('error', () => {});
      socket.resume().end('{"patchbay":99,"version":"9","pid":1}\n');
    });
    await new Promise<void>((resolve) => fake.listen(at.paths.socket, resolve));
    await using bridge = await startBridge(at.program, at.args);
    await bridge.client.greet();
    const { error } = await bridge.client.request('tools/call', { name: 'x' });
    expect(error?.data?.code).toBe('hub.version_mismatch');
    const { code, stdout } = await runBridge(at.program, [...at.args, '--doctor']);
    expect([code, stdout]).toEqual([1, expect.stringContaining('hub.version_mismatch')]);
    await new Promise((resolve) => fake.close(resolve));
  });

  it('[EDGE-1] refuses to connect a hub to itself', async () => {
    await using at = await place();
    await using hub = await at.hub();
    const marker = extendAncestors(extendAncestors(undefined, hubInstanceId(at.dataDir)), 'hub /another');
    await using bridge = await startBridge(at.program, at.args, { [ancestorsVariable]: marker });
    expect((await bridge.client.greet()).error).toMatchObject({ data: { code: 'server.loop' } });
    expect(hub.sessions.views()).toEqual([]);
    expect(await bridge.hangUp()).toBe(0);
    const other = extendAncestors(undefined, 'hub /another');
    await using fine = await startBridge(at.program, at.args, { [ancestorsVariable]: other });
    expect((await fine.client.greet()).result).toBeDefined();
  });

  it('[PB-BRIDGE-1] cancels at the hub what its client cancelled', async () => {
    await using at = await place();
    const { router, calls } = createHeldRouter();
    await using _hub = await at.hub(router);
    await using bridge = await startBridge(at.program, at.args);
    await bridge.client.greet();
    void bridge.client.request('tools/call', { name: 'files__read' }, 'gone');
    await until('the call', () => calls.length === 1);
    await bridge.client.notify('notifications/cancelled', { requestId: 'gone' });
    await until('the abort', () => calls[0]?.call.aborted === true);
  });

  it('[PB-BRIDGE-1] explains itself by hand, in an empty environment too', async () => {
    await using at = await place();
    const down = await runBridge(at.program, [...at.args, '--doctor']);
    expect([down.code, down.stderr]).toEqual([1, '']);
    expect(down.stdout).toMatch(/not running[\s\S]*none yet[\s\S]*none known[\s\S]*open Patchbay once/);
    await at.cache();
    await using _hub = await at.hub();
    const up = await runBridge(at.program, ['--doctor'], { PATCHBAY_DATA_DIR: at.dataDir });
    expect(up.code).toBe(0);
    expect(up.stdout).toContain(`running, version 1.2.3, process ${process.pid}`);
    expect(up.stdout).toContain('2 tools from 1 server,');
    const { stdout } = await runBridge(at.program, ['--doctor']);
    expect(stdout).toContain(join(userInfo().homedir, '.patchbay'));
  });

  it('[PB-BRIDGE-1] knows its version, its help and a wrong argument', async () => {
    await using at = await place();
    expect(await runBridge(at.program, ['--version'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    });
    expect((await runBridge(at.program, ['--help'])).stdout).toContain('--doctor');
    expect(await runBridge(at.program, ['--names', 'raw'])).toMatchObject({ code: 2, stdout: '' });
    expect(await runBridge(at.program, ['--nonsense'])).toMatchObject({ code: 2, stdout: '' });
  });
});
