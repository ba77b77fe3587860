import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { processIdentity } from '../../../../electron/engine/store/files/process-identity.ts';
import { askRaw, runAggregator, startAggregator } from '../../../helper/aggregator.ts';
import { askAndEnd } from '../../../helper/ask-and-end.ts';
import { eventually } from '../../../helper/eventually.ts';
import { fixture, nodeEntry, programs, realServer } from '../../../helper/programs.ts';
import { tempDir } from '../../../helper/temp-dir.ts';

const echo = nodeEntry(fixture('echo'));
const tricky = nodeEntry(fixture('tricky'));
const anything = z.looseObject({});
const namedTool = z.looseObject({ name: z.string() });

const textOf = (result: unknown): string => {
  const { content } = z.looseObject({ content: z.array(z.looseObject({ text: z.string() })) }).parse(result);
  return content[0]?.text ?? '';
};

/** Reads lists from the wire; the SDK's own `listTools` rejects a whole list for one odd tool. */
const list = async (client: Client) => {
  const result = await client.request({ method: 'tools/list' }, z.looseObject({ tools: z.array(namedTool) }));
  return result.tools;
};

async function withConfigFile<T>(text: string, use: (file: string) => Promise<T>): Promise<T> {
  await using folder = await tempDir();
  const file = join(folder.path, 'config.json');
  await writeFile(file, text);
  return await use(file);
}

describe('refusing to start', () => {
  it('[US1.2] [CLI-1] exits 2 and names the argument when there is no --config', async () => {
    const { code, stderr, stdout } = await runAggregator([]);
    expect(code).toBe(2);
    expect(stderr).toContain('--config');
    expect(stdout).toBe('');
  });

  it('[ERR-1] [FR-001] exits 1 and names the file that does not exist', async () => {
    const { code, stderr } = await runAggregator(['--config', '/nowhere/at/all.json']);
    expect(code).toBe(1);
    expect(stderr).toContain('/nowhere/at/all.json');
    expect(stderr).toContain('file_not_found');
  });

  it('[US1.4] exits 1 with line and column on invalid JSON', async () => {
    const broken = '{\n  "mcpServers": {\n    "a": { "command": }\n  }\n}';
    const { code, stderr } = await withConfigFile(broken, (file) => runAggregator(['--config', file]));
    expect(code).toBe(1);
    expect(stderr).toMatch(/\b3:\d+/);
    expect(stderr).toContain('invalid_json');
  });

  it('[FR-010] [SC-005] [FR-002] reports all errors at once, before any server starts', async () => {
    await using folder = await tempDir();
    const marker = join(folder.path, 'started');
    const config = {
      mcpServers: {
        good: {
          command: process.execPath,
          args: ['-e', `require('fs').writeFileSync(${JSON.stringify(marker)}, '')`],
        },
        wrong: { command: 7 },
        missing: { command: 'x', env: { A: '$PB_NO_SUCH_ONE', B: `\${PB_NO_SUCH_TWO}` } },
        remote: { url: 'http://127.0.0.1:1/mcp' },
      },
    };
    const { code, stderr } = await withConfigFile(JSON.stringify(config), (file) =>
      runAggregator(['--config', file]),
    );
    expect(code).toBe(1);
    for (const expected of ['wrong', 'PB_NO_SUCH_ONE', 'PB_NO_SUCH_TWO', 'missing', 'remote']) {
      expect(stderr).toContain(expected);
    }
    await expect(import('node:fs/promises').then((fs) => fs.access(marker))).rejects.toThrow();
  });

  it('[FR-014] refuses an entry with a url by name', async () => {
    const config = { mcpServers: { 'my-remote': { url: 'http://127.0.0.1:1/mcp' } } };
    const { code, stderr } = await withConfigFile(JSON.stringify(config), (file) =>
      runAggregator(['--config', file]),
    );
    expect(code).toBe(1);
    expect(stderr).toContain('my-remote');
  });

  it('[US1.6] [ERR-1] exits 1 when no child can be started, naming command, exit code and stderr of each', async () => {
    const config = {
      mcpServers: {
        dead: nodeEntry(fixture('exits-at-once')),
        absent: { command: 'pb-no-such-command' },
      },
    };
    const { code, stderr } = await withConfigFile(JSON.stringify(config), (file) =>
      runAggregator(['--config', file]),
    );
    expect(code).toBe(1);
    expect(stderr).toContain('"dead" (startup)');
    expect(stderr).toMatch(/exit code 3/i);
    expect(stderr).toContain('"absent"');
    expect(stderr).toContain('pb-no-such-command');
  });

  it('[EDGE-1] refuses to run below itself, with a clear error', async () => {
    await using folder = await tempDir();
    const file = join(folder.path, 'config.json');
    const loop = { command: process.execPath, args: [programs.aggregator, '--config', file] };
    await writeFile(file, JSON.stringify({ mcpServers: { loop } }));
    const { code, stderr } = await runAggregator(['--config', file]);
    expect(code).toBe(1);
    expect(stderr).toContain('server.loop');
  });
});

describe('command line', () => {
  it('[CLI-1] prints help and version to standard output and exits 0', async () => {
    const help = await runAggregator(['--help']);
    expect(help).toMatchObject({ code: 0, stderr: '' });
    expect(help.stdout).toContain('--config');
    const version = await runAggregator(['--version']);
    expect(version.code).toBe(0);
    expect(version.stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it('[CLI-1] [FR-012] tells the client the name and version asked for', async () => {
    await using aggregator = await startAggregator(
      { mcpServers: { a: echo } },
      { args: ['--name', 'mine', '--version', '3.2.1'] },
    );
    expect(aggregator.client.getServerVersion()).toMatchObject({ name: 'mine', version: '3.2.1' });
  });

  it('[FR-015] logs nothing while all is well, and more with --debug', async () => {
    const config = { mcpServers: { a: echo } };
    await using quiet = await startAggregator(config);
    await list(quiet.client);
    // Other tests kill hubs meanwhile, and the next hub that starts ends the processes those left.
    expect(
      quiet.stderr().replace(/^warn: Ending processes that servers of an earlier run left behind.*\n/gm, ''),
    ).toBe('');
    await using loud = await startAggregator(config, { args: ['--debug'] });
    await list(loud.client);
    expect(loud.stderr()).not.toBe('');
  });
});

describe('tools of many children', () => {
  it('[FR-003] [FR-004] [FR-005] [US2.3] [US2.4] [SC-006] lists all under keys kept to the letter', async () => {
    await using aggregator = await startAggregator({
      mcpServers: { instance1: echo, instance2: echo, 'My Server/v2.0 ü': echo },
    });
    const tools = await list(aggregator.client);
    expect(tools.map((tool) => tool.name)).toEqual([
      'instance1:echo',
      'instance1:pid',
      'instance2:echo',
      'instance2:pid',
      'My Server/v2.0 ü:echo',
      'My Server/v2.0 ü:pid',
    ]);
    const pids = await Promise.all(
      ['instance1:pid', 'instance2:pid'].map(async (name) =>
        textOf(await aggregator.client.callTool({ name })),
      ),
    );
    expect(new Set(pids).size).toBe(2);
  });

  it('[FR-006] [FR-007] routes by name and passes arguments on unmodified', async () => {
    await using aggregator = await startAggregator({ mcpServers: { a: tricky } });
    const args = { deep: { list: [1, null, 'ü\u2028'], empty: {} }, number: 1.5 };
    const result = await aggregator.client.callTool({
      name: 'a:received',
      arguments: args,
      _meta: { 'x/y': 1 },
    });
    expect(JSON.parse(textOf(result))).toEqual({ name: 'received', arguments: args, _meta: { 'x/y': 1 } });
  });

  it('[FR-008] returns results unmodified, unknown fields included', async () => {
    await using aggregator = await startAggregator({ mcpServers: { a: tricky } });
    const result = await aggregator.client.request(
      { method: 'tools/call', params: { name: 'a:extra', arguments: { k: 'v' } } },
      anything,
    );
    expect(result).toEqual({
      content: [{ type: 'hologram', beam: [1, 2, 3], 'x-unknown': null }],
      structuredContent: [{ k: 'v' }, 'array'],
      _meta: { 'vendor/key': { deep: true } },
      futureField: 'kept',
    });
  });

  it('[FR-008] lists definitions as the child wrote them, but for the name', async () => {
    await using aggregator = await startAggregator({ mcpServers: { a: tricky } });
    const tools = await list(aggregator.client);
    expect(tools.find((tool) => tool.name === 'a:extra')).toEqual({
      name: 'a:extra',
      inputSchema: { type: 'object' },
      title: 'Extra',
      outputSchema: {
        type: 'object',
        $defs: { a: {} },
        properties: { a: { $ref: '#/$defs/a' } },
        'x-out': 1,
      },
      'x-vendor': { a: [1] },
      annotations: { custom: 1 },
    });
  });

  it('[CLI-1] [PB-NAMES-1] uses the style asked for, and safe names for a client that refuses colons', async () => {
    const config = { mcpServers: { a: echo } };
    await using dotted = await startAggregator(config, { args: ['--names', 'dot'] });
    expect((await list(dotted.client))[0]?.name).toBe('a.echo');
    await using claude = await startAggregator(config, { clientName: 'claude-ai' });
    const tools = await list(claude.client);
    for (const { name } of tools) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    expect(JSON.parse(textOf(await claude.client.callTool({ name: 'a:echo', arguments: { x: 1 } })))).toEqual(
      { x: 1 },
    );
  });

  it('[US3.2] forwards the error object of a child with code, message and data', async () => {
    await using aggregator = await startAggregator({ mcpServers: { a: tricky } });
    await expect(aggregator.client.callTool({ name: 'a:fail' })).rejects.toMatchObject({
      code: -32603,
      message: expect.stringContaining('File not found: /invalid/path.txt'),
      data: { errno: -2, code: 'ENOENT' },
    });
  });

  it('[US3.4] answers an unknown tool with -32601 and a bare unknown name with -32602', async () => {
    await using aggregator = await startAggregator({ mcpServers: { a: echo } });
    await list(aggregator.client);
    await expect(aggregator.client.callTool({ name: 'invalid:tool_name' })).rejects.toMatchObject({
      code: -32601,
      message: expect.stringContaining('Tool not found: invalid:tool_name'),
    });
    await expect(aggregator.client.callTool({ name: 'tool_name' })).rejects.toMatchObject({ code: -32602 });
  });

  it('[US3.3] waits for a slow child', async () => {
    await using aggregator = await startAggregator({ mcpServers: { a: tricky } });
    const result = await aggregator.client.callTool({ name: 'a:slow', arguments: { milliseconds: 3_000 } });
    expect(textOf(result)).toBe('done');
  });

  it('[EDGE-2] passes 50 MB without damage', async () => {
    const bytes = 50 * 1024 * 1024;
    const clientInfo = { name: 'raw', version: '1' };
    const line = await askRaw({ mcpServers: { a: tricky } }, [
      {
        id: 1,
        method: 'initialize',
        params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo },
      },
      { method: 'notifications/initialized' },
      { id: 2, method: 'tools/call', params: { name: 'a:big', arguments: { bytes } } },
    ]);
    const { result } = z.object({ result: z.unknown() }).parse(JSON.parse(line));
    expect(textOf(result)).toBe('x'.repeat(bytes));
  });

  it('offers resources and prompts when a child has them, and does not claim them otherwise', async () => {
    await using aggregator = await startAggregator({ mcpServers: { a: tricky } });
    await list(aggregator.client);
    await using bare = await startAggregator({ mcpServers: { a: echo } });
    expect(bare.client.getServerCapabilities()).not.toHaveProperty('prompts');
  });
});

describe('variables and environment', () => {
  it('[FR-002] [FR-011] [SC-004] expands both forms and lets env reach the child over the inherited base', async () => {
    const config = {
      mcpServers: {
        a: {
          ...tricky,
          args: [...tricky.args, '$PB_ARG', `x-\${PB_ARG}-x`],
          env: { SECRET: `\${PB_SECRET}` },
        },
      },
    };
    await using aggregator = await startAggregator(config, {
      env: { PB_ARG: 'one two', PB_SECRET: 's3cret' },
    });
    const ask = async (name: string, args = {}) =>
      JSON.parse(textOf(await aggregator.client.callTool({ name: `a:${name}`, arguments: args })));
    expect(await ask('argv')).toEqual(['one two', 'x-one two-x']);
    expect(await ask('env', { name: 'SECRET' })).toBe('s3cret');
    expect(await ask('env', { name: 'PATH' })).toContain(sep);
    expect(aggregator.stderr()).not.toContain('s3cret');
  });
});

describe('failing children', () => {
  it('[FR-009] [SC-007] [US1.6] serves the healthy ones and reports the others', async () => {
    await using aggregator = await startAggregator({
      mcpServers: {
        good: echo,
        dead: nodeEntry(fixture('exits-at-once')),
        absent: { command: 'pb-no-such-command' },
      },
    });
    const tools = await list(aggregator.client);
    expect(tools.map((tool) => tool.name)).toEqual(['good:echo', 'good:pid']);
    await eventually(() => {
      expect(aggregator.stderr()).toContain('"dead"');
      expect(aggregator.stderr()).toContain('"absent"');
    });
    await expect(aggregator.client.callTool({ name: 'absent:tool' })).rejects.toMatchObject({
      message: expect.stringContaining('absent:tool cannot be found. The server absent has failed to start'),
      data: { code: 'call.server_unavailable', serverKey: 'absent' },
    });
  });

  it('[FR-009] drops the tools of a child that crashes, tells the client, and keeps serving', async () => {
    await using aggregator = await startAggregator({ mcpServers: { good: echo, bad: tricky } });
    let notices = 0;
    aggregator.client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
      notices += 1;
    });
    await list(aggregator.client);
    await expect(aggregator.client.callTool({ name: 'bad:crash' })).rejects.toMatchObject({
      data: { code: 'call.outcome_unknown' },
    });
    await eventually(() => expect(notices).toBeGreaterThan(0));
    const tools = await list(aggregator.client);
    expect(tools.map((tool) => tool.name)).toEqual(['good:echo', 'good:pid']);
    expect(textOf(await aggregator.client.callTool({ name: 'good:echo', arguments: {} }))).toBe('{}');
  });

  it('[PB-PROC-1] ends every child when the client goes', async () => {
    let childPid = 0;
    {
      await using aggregator = await startAggregator({ mcpServers: { a: echo } });
      childPid = Number(textOf(await aggregator.client.callTool({ name: 'a:pid' })));
      expect(await processIdentity(childPid)).toBeDefined();
    }
    await eventually(async () => expect(await processIdentity(childPid)).toBeUndefined());
  });
});

describe('the end', () => {
  it('[CLI-1] [FR-007] comes after the answers to what was asked before the input ended', async () => {
    const requests = [
      { id: 1, method: 'tools/list' },
      { id: 2, method: 'tools/call', params: { name: 'a:echo', arguments: { text: 'late' } } },
      { id: 3, method: 'tools/call', params: { name: 'a:none' } },
    ];
    const text = JSON.stringify({ mcpServers: { a: echo } });
    const { code, answers } = await withConfigFile(text, (file) =>
      askAndEnd([programs.aggregator, '--config', file], requests),
    );
    expect([...answers.keys()].sort()).toEqual([1, 2, 3, 'hello']);
    expect(JSON.stringify(answers.get(1))).toContain('a:echo');
    expect(textOf(answers.get(2)?.result)).toBe('{"text":"late"}');
    expect(answers.get(3)?.error).toBeDefined();
    expect(code).toBe(0);
  });

  it('[CLI-1] [PB-PROC-1] comes with exit code 0 and nothing left, however slowly a server ends', async () => {
    await using folder = await tempDir();
    const file = join(folder.path, 'config.json');
    const config = {
      mcpServers: { family: nodeEntry(fixture('family')), stubborn: nodeEntry(fixture('stubborn')) },
    };
    await writeFile(file, JSON.stringify(config));
    const child = spawn(process.execPath, [programs.aggregator, '--config', file], {
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    child.stdin.write(
      `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } } })}\n${JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'stubborn:pid' } })}\n`,
    );
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    await eventually(() => expect(output).toContain('"id":2'));
    const pid = Number(/"text":"(\d+)"/.exec(output)?.[1]);
    child.stdin.end();
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(await processIdentity(pid)).toBeUndefined();
  });
});

describe('real servers', () => {
  it('[SC-001] [SC-002] starts ten real servers beside each other and lists all of them', async () => {
    await using folder = await tempDir();
    const kinds = ['everything', 'filesystem', 'memory', 'sequential-thinking'] as const;
    const entries = Array.from({ length: 10 }, (_, index) => {
      const kind = kinds[index % kinds.length] ?? 'everything';
      const args = kind === 'filesystem' ? [folder.path] : [];
      const env = { MEMORY_FILE_PATH: join(folder.path, `memory-${index}.json`) };
      return [`${kind}-${index}`, { ...nodeEntry(realServer(kind), ...args), env }] as const;
    });
    await using aggregator = await startAggregator({ mcpServers: Object.fromEntries(entries) });
    const tools = await list(aggregator.client);
    const keys = new Set(tools.map((tool) => tool.name.split(':')[0]));
    expect([...keys].sort()).toEqual(entries.map(([key]) => key).sort());
    const echoed = await aggregator.client.callTool({
      name: 'everything-0:echo',
      arguments: { message: 'hi' },
    });
    expect(textOf(echoed)).toContain('hi');
  });
});
