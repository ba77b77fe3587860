import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { silentLogger } from '../../../electron/engine/base/logger.ts';
import { hubView, startHub as openHub } from '../../../electron/engine/engine.ts';
import { readHubRecord } from '../../../electron/engine/store/files/instance-lock.ts';
import { processIdentity } from '../../../electron/engine/store/files/process-identity.ts';
import { toProblem } from '../../../shared/error/problem.ts';
import { eventually } from '../../helper/eventually.ts';
import { freePort } from '../../helper/free-port.ts';
import { fixture, nodeEntry, programs, realServer } from '../../helper/programs.ts';
import { connectBridge, isConnected, namesOf, startHub, textOf } from '../../helper/running-hub.ts';
import { tempDir } from '../../helper/temp-dir.ts';

const echo = nodeEntry(fixture('echo'));
const tricky = nodeEntry(fixture('tricky'));

/** Listens on a port of its own. */
async function takenPort() {
  const squatter = createServer().listen(0, '127.0.0.1');
  await once(squatter, 'listening');
  const { port } = z.object({ port: z.number() }).parse(squatter.address());
  return { squatter, port };
}

describe('a hub and its servers', () => {
  it('[PB-CFG-1] starts empty, and gets servers while it runs, in a file anybody can read', async () => {
    await using hub = await startHub();
    expect(hub.engine.servers()).toEqual([]);
    expect(JSON.parse(await readFile(join(hub.dir, 'mcp.json'), 'utf8'))).toEqual({ mcpServers: {} });
    await hub.engine.run('server.add', { servers: [{ key: 'a', entry: echo }] });
    await isConnected(hub, 'a');
    await eventually(() => expect(hub.server('a').counts.tools).toBe(2));
    expect(JSON.parse(await readFile(join(hub.dir, 'mcp.json'), 'utf8'))).toEqual({
      mcpServers: { a: echo },
    });
  });

  it('reports its whole state once more to listeners from its start', async () => {
    await using hub = await startHub({ a: echo, off: { ...echo, disabled: true } });
    const told: string[] = [];
    const { events } = hub.engine;
    events['hub.changed'](({ dataDir }) => told.push(dataDir));
    events['servers.changed'](({ servers }) => told.push(...servers.map(({ key }) => `server ${key}`)));
    events['tools.changed'](({ tools }) => told.push(...Object.keys(tools).map((key) => `tools ${key}`)));
    const all = [hub.dir, 'server a', 'server off', 'tools a', 'tools off'];
    await eventually(() => expect(told).toEqual(expect.arrayContaining(all)));
  });

  it('[PB-BRIDGE-1] [AG-US6-AC1] switches a server off and on under a living client', async () => {
    await using hub = await startHub(JSON.stringify({ mcpServers: { a: echo, b: echo } }));
    await isConnected(hub, 'a');
    await isConnected(hub, 'b');
    await using client = await hub.bridge();
    let notices = 0;
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
      notices += 1;
    });
    expect(await namesOf(client)).toEqual(['a__echo', 'a__pid', 'b__echo', 'b__pid']);
    const pid = Number(textOf(await client.callTool({ name: 'a__pid' })));

    await hub.engine.run('server.setEnabled', { key: 'a', enabled: false });
    await eventually(() => expect(notices).toBe(1));
    expect(await namesOf(client)).toEqual(['b__echo', 'b__pid']);
    await expect(client.callTool({ name: 'a__echo' })).rejects.toMatchObject({
      message: expect.stringContaining('turned off'),
      data: { code: 'call.server_unavailable', serverKey: 'a' },
    });
    await eventually(async () => expect(await processIdentity(pid)).toBeUndefined());

    await hub.engine.run('server.setEnabled', { key: 'a', enabled: true });
    await eventually(() => expect(notices).toBe(2));
    expect(await namesOf(client)).toEqual(['a__echo', 'a__pid', 'b__echo', 'b__pid']);
    expect(textOf(await client.callTool({ name: 'a__echo', arguments: { x: 1 } }))).toBe('{"x":1}');
  });

  it('refuses a turned-off tool at call time and leaves it out of every list', async () => {
    await using hub = await startHub(JSON.stringify({ mcpServers: { a: echo } }));
    await isConnected(hub, 'a');
    await using client = await hub.bridge();
    await hub.engine.run('tool.setEnabled', { serverKey: 'a', names: ['pid'], enabled: false });
    await eventually(async () => expect(await namesOf(client)).toEqual(['a__echo']));
    await expect(client.callTool({ name: 'a__pid' })).rejects.toMatchObject({
      data: { code: 'call.tool_disabled' },
    });
    expect(hub.server('a').counts).toMatchObject({ tools: 2, disabledTools: 1 });
    await hub.engine.run('tool.setEnabled', { serverKey: 'a', names: ['pid'], enabled: true });
    await eventually(async () => expect(await namesOf(client)).toHaveLength(2));
  });

  it('[PB-PROC-1] [NFR-R2] brings a killed server back, with its tools listed all the time', async () => {
    await using hub = await startHub(JSON.stringify({ mcpServers: { a: echo } }));
    await isConnected(hub, 'a');
    await using client = await hub.bridge();
    const pid = Number(textOf(await client.callTool({ name: 'a__pid' })));
    process.kill(pid, 'SIGKILL');
    await eventually(() => expect(hub.server('a').restarts).toBe(1));
    expect(await namesOf(client)).toHaveLength(2);
    const again = Number(textOf(await client.callTool({ name: 'a__pid' })));
    expect(again).not.toBe(pid);
  });

  it('[US1.6] shows why a server cannot run, and leaves the others alone', async () => {
    const config = {
      mcpServers: {
        good: echo,
        absent: { command: 'pb-no-such-command' },
        dead: nodeEntry(fixture('exits-at-once')),
        unset: { command: 'node', env: { TOKEN: '$PB_NOT_SET_ANYWHERE' } },
      },
    };
    await using hub = await startHub(JSON.stringify(config));
    await isConnected(hub, 'good');
    await eventually(() => {
      expect(hub.server('absent')).toMatchObject({
        status: 'error',
        problem: { code: 'server.command_not_found' },
      });
      expect(hub.server('dead')).toMatchObject({ status: 'error' });
      expect(hub.server('unset')).toMatchObject({
        status: 'error',
        problem: { code: 'config.missing_env_var' },
      });
    });
  });
});

describe('the config file', () => {
  const withComments = `{
  // Everything I run.
  "mcpServers": {
    "a": {
      "command": ${JSON.stringify(process.execPath)}, // this Node
      "args": [${JSON.stringify(fixture('echo'))}],
      "someoneElses": { "keep": [1, 2] },
    },
    /* the second */
    "b": { "command": ${JSON.stringify(process.execPath)}, "args": [${JSON.stringify(fixture('echo'))}] }
  },
  "unknownTop": true
}
`;

  it('[PB-CFG-1] differs after an edit only in the edited place', async () => {
    await using hub = await startHub(withComments);
    await isConnected(hub, 'b');
    await hub.engine.run('server.setEnabled', { key: 'b', enabled: false });
    const text = await readFile(join(hub.dir, 'mcp.json'), 'utf8');
    expect(text).toContain('"disabled": true');
    await hub.engine.run('server.setEnabled', { key: 'b', enabled: true });
    expect(await readFile(join(hub.dir, 'mcp.json'), 'utf8')).toBe(withComments);
  });

  it('[PB-CFG-1] restarts only what changed when it is edited by hand', async () => {
    await using hub = await startHub(withComments);
    await isConnected(hub, 'a');
    await isConnected(hub, 'b');
    const before = { a: hub.server('a').pid, b: hub.server('b').pid };
    const edited = withComments
      .replace('/* the second */', '')
      .replace(/"b": \{/, '"b": { "env": { "X": "1" },');
    await writeFile(join(hub.dir, 'mcp.json'), edited);
    await eventually(() => {
      expect(hub.server('b').status).toBe('connected');
      expect(hub.server('b').pid).not.toBe(before.b);
    });
    expect(hub.server('a').pid).toBe(before.a);
  });

  it('[PB-CFG-1] when broken is reported with line and column, and the last good state runs on', async () => {
    await using hub = await startHub(withComments);
    await isConnected(hub, 'a');
    await writeFile(join(hub.dir, 'mcp.json'), '{\n  "mcpServers": {\n');
    await eventually(() =>
      expect(hub.engine.view().problems).toMatchObject([{ code: 'config.invalid_json' }]),
    );
    expect(hub.server('a').status).toBe('connected');
    await expect(hub.engine.run('server.setEnabled', { key: 'a', enabled: false })).rejects.toMatchObject({
      problem: { code: 'config.invalid_json' },
    });
    expect(await readFile(join(hub.dir, 'mcp.json'), 'utf8')).toBe('{\n  "mcpServers": {\n');
    await writeFile(join(hub.dir, 'mcp.json'), withComments);
    await eventually(() => expect(hub.engine.view().problems).toEqual([]));
  });
});

describe('ownership', () => {
  it('[PB-APP-1] lets no second hub on the same data folder', async () => {
    await using hub = await startHub();
    const config = { dataDir: hub.dir, version: '0.0.0-test', port: 0 };
    const second = openHub({ logger: silentLogger, env: async () => process.env }, config);
    await expect(second).rejects.toMatchObject({ problem: { code: 'hub.already_running' } });
    const problem = await second.then(() => undefined, toProblem);
    expect(hubView(config, undefined, problem && [problem]).problems).toEqual([problem]);
  });

  it('opens its port as soon as the program that uses it has quit', async () => {
    const { squatter, port } = await takenPort();
    await using hub = await startHub(JSON.stringify({ mcpServers: {} }), { port });
    expect(hub.engine.view().problems).toMatchObject([{ code: 'hub.port_in_use' }]);
    squatter.close();
    await eventually(() =>
      expect(hub.engine.view()).toMatchObject({ problems: [], endpoint: `http://127.0.0.1:${port}/mcp` }),
    );
  });

  it('keeps serving when its port is taken, reports it, and uses another', async () => {
    const { squatter, port } = await takenPort();
    await using hub = await startHub(JSON.stringify({ mcpServers: { a: echo } }), { port });
    expect(hub.engine.view().problems).toMatchObject([{ code: 'hub.port_in_use' }]);
    expect(hub.engine.view().endpoint).toBeUndefined();
    await using client = await hub.bridge();
    expect(await namesOf(client)).toHaveLength(2);
    squatter.close();
    await once(squatter, 'close');
    await hub.engine.run('hub.setPort', { port });
    expect(hub.engine.view()).toMatchObject({ problems: [], endpoint: `http://127.0.0.1:${port}/mcp` });
  });

  // Windows itself ends the children of a killed hub; those behind others are in tests/windows/hub.windows-test.ts.
  it.skipIf(process.platform === 'win32')(
    '[PB-PROC-1] [PB-HEAD-1] ends processes left over by a killed hub when it starts',
    async () => {
      await using folder = await tempDir();
      await writeFile(
        join(folder.path, 'mcp.json'),
        JSON.stringify({ mcpServers: { a: nodeEntry(fixture('stubborn')) } }),
      );
      const port = String(await freePort());
      const serve = () => {
        const args = [programs.patchbay, 'serve', '--data-dir', folder.path, '--port', port];
        const child = spawn(process.execPath, args, { stdio: 'ignore' });
        const exited = once(child, 'exit');
        return Object.assign(child, {
          async [Symbol.asyncDispose]() {
            child.kill('SIGKILL');
            await exited;
          },
        });
      };
      const ledger = join(folder.path, 'run', 'children.json');
      const askPid = async () => {
        await using client = await connectBridge(folder.path);
        return Number(textOf(await client.callTool({ name: 'a__pid' })));
      };
      const owns = (child: ChildProcess) =>
        eventually(async () =>
          expect((await readHubRecord(join(folder.path, 'run', 'hub.json')))?.pid).toBe(child.pid),
        );
      await using first = serve();
      await owns(first);
      const pid = await askPid();
      first.kill('SIGKILL');
      await once(first, 'exit');
      expect(await processIdentity(pid)).toBeDefined();
      await using second = serve();
      await owns(second);
      expect(await askPid()).not.toBe(pid);
      expect(await processIdentity(pid)).toBeUndefined();
      const ended = once(second, 'exit');
      second.kill('SIGTERM');
      expect(await ended).toEqual([0, null]);
      await eventually(async () => expect(await readFile(ledger, 'utf8')).not.toMatch(/"pid"/));
    },
  );

  it('[PB-PROC-1] ends every server when it stops, and frees the folder', async () => {
    const hub = await startHub(JSON.stringify({ mcpServers: { a: echo, b: nodeEntry(fixture('family')) } }));
    await isConnected(hub, 'a');
    await isConnected(hub, 'b');
    const pids = ['a', 'b'].map((key) => hub.server(key).pid ?? 0);
    await hub.engine.stop();
    for (const pid of pids) expect(await processIdentity(pid)).toBeUndefined();
    expect(await readdir(join(hub.dir, 'run'))).not.toContain('hub.json');
    await hub[Symbol.asyncDispose]();
  });
});

describe('clients', () => {
  it('[PB-SAFE-2] come in over HTTP with the token, and not without', async () => {
    await using hub = await startHub(JSON.stringify({ mcpServers: { a: echo } }));
    const { url, token } = hub.engine.connection();
    const client = new Client({ name: 'http-test', version: '1.0.0' });
    await client.connect(
      new StreamableHTTPClientTransport(new URL(url), {
        requestInit: { headers: { authorization: `Bearer ${token}` } },
      }),
    );
    expect(await namesOf(client)).toEqual(['a__echo', 'a__pid']);
    await eventually(() => expect(hub.engine.clients()).toMatchObject([{ name: 'http-test', via: 'http' }]));
    await client.close();
    const refused = await fetch(url, { method: 'POST', body: '{}' });
    expect(refused.status).toBe(401);
  });

  it('[PB-NAMES-1] named claude-ai get only names it takes, and each call reaches the original tool', async () => {
    const odd = ['a:b', 'dots.and/slashes', 'with space', 'emoji 🎉', '1digit', '__under', 'x'.repeat(90)];
    const server = { ...nodeEntry(fixture('odd-names')), env: { NAMES: JSON.stringify(odd) } };
    const keys = ['plain', 'My Server/v2.0', 'ключ', '🎉'];
    await using hub = await startHub(
      JSON.stringify({ mcpServers: Object.fromEntries(keys.map((key) => [key, server])) }),
    );
    for (const key of keys) await isConnected(hub, key);
    await using client = await hub.bridge('claude-ai');
    const listed = await namesOf(client);
    expect(listed).toHaveLength(odd.length * keys.length);
    expect(new Set(listed).size).toBe(listed.length);
    const reached = [];
    for (const name of listed) {
      expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
      reached.push(textOf(await client.callTool({ name })));
    }
    expect(reached).toEqual(keys.flatMap(() => odd));
  });

  it('[PB-ISO-1] two at once each get their own answers', async () => {
    await using hub = await startHub(JSON.stringify({ mcpServers: { a: tricky } }));
    await isConnected(hub, 'a');
    await using one = await hub.bridge('one');
    await using two = await hub.bridge('two');
    const ask = (client: Client, mark: string) =>
      Promise.all(
        Array.from({ length: 50 }, async (_, index) => {
          const args = { mark, index };
          const text = textOf(await client.callTool({ name: 'a__received', arguments: args })) ?? '';
          expect(JSON.parse(text)).toMatchObject({ arguments: args });
        }),
      );
    await Promise.all([ask(one, 'one'), ask(two, 'two')]);
    expect(hub.engine.clients().map(({ name, calls }) => [name, calls])).toEqual([
      ['one', 50],
      ['two', 50],
    ]);
  });
});

describe('real servers', () => {
  it('[PB-PASS-1] pass tools, resources and prompts through', async () => {
    await using hub = await startHub(
      JSON.stringify({ mcpServers: { all: nodeEntry(realServer('everything')) } }),
    );
    await isConnected(hub, 'all');
    await using client = await hub.bridge();
    expect(await namesOf(client)).toContain('all__echo');
    const { prompts } = await client.listPrompts();
    expect(prompts.length).toBeGreaterThan(0);
    const { resources } = await client.listResources();
    expect(resources.length).toBeGreaterThan(0);
    const uri = resources[0]?.uri ?? '';
    expect((await client.readResource({ uri })).contents[0]?.uri).toBe(uri);
  });

  it('samples the memory of their process trees only while somebody looks', async () => {
    await using hub = await startHub(JSON.stringify({ mcpServers: { a: echo } }));
    await isConnected(hub, 'a');
    const usage = await new Promise((resolve) => {
      const subscription = hub.engine.watchUsage((sample) => {
        subscription.dispose();
        resolve(sample);
      });
    });
    expect(usage).toMatchObject([{ key: 'a', memory: expect.any(Number) }]);
  });
});

describe('a data folder that cannot be used', () => {
  it('is refused with its name and a fix', async () => {
    await using folder = await tempDir();
    await writeFile(join(folder.path, 'file'), '');
    const opening = openHub(
      { logger: silentLogger, env: async () => process.env },
      { dataDir: join(folder.path, 'file'), version: '0.0.0-test', port: 0 },
    );
    await expect(opening).rejects.toMatchObject({ problem: { code: 'hub.data_folder_unwritable' } });
  });
});
