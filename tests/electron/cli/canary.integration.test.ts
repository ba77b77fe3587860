import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { freePort } from '../../helper/free-port.ts';
import { programs } from '../../helper/programs.ts';
import { tempDir } from '../../helper/temp-dir.ts';

/** One in each place where an entry can contain a secret. */
const canaries = {
  variable: 'canary-in-a-variable-1771',
  argument: 'canary-in-an-argument-1772',
  password: 'canary-of-a-user-1773',
  query: 'canary-in-a-query-1774',
  header: 'canary-in-a-header-1775',
};
/** Belongs to no entry, but is plainly a secret. */
const issued = `ghp_${'canary0123456789'.repeat(2)}`;

/** Prints everything it knows and exits. */
const talker = `process.stderr.write('env ' + process.env.API_KEY + ' args ' + process.argv.slice(1).join(' ') + ' found ' + 'canary0123456789'.repeat(2).replace(/^/, 'ghp_') + '\\n');
process.exitCode = 3;`;

const withChildren = {
  talks: {
    command: process.execPath,
    args: ['-e', talker, '--', `--token=${canaries.argument}`],
    env: { API_KEY: canaries.variable },
  },
};
const withRemote = {
  far: {
    type: 'http',
    url: `http://me:${canaries.password}@127.0.0.1:9/mcp?api_key=${canaries.query}`,
    headers: { Authorization: `Bearer ${canaries.header}` },
  },
};

function expectNone(text: string): void {
  for (const canary of [...Object.values(canaries), issued]) expect(text).not.toContain(canary);
}

const request = (id: number, method: string, params: unknown) =>
  `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
const initialize = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'c', version: '1' },
};
/** A client that calls a tool at once. */
const call = request(1, 'initialize', initialize) + request(2, 'tools/call', { name: 'a__b', arguments: {} });

/** Resolves to everything that a program prints until `isEnough`, or until it exits. */
async function printed(
  args: readonly string[],
  isEnough: (text: string) => boolean = () => false,
  input = '',
) {
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  const ended = once(child, 'close');
  if (input !== '') child.stdin.write(input);
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      text += chunk;
    });
  }
  const look = setInterval(() => {
    if (isEnough(text)) child.kill('SIGTERM');
  }, 50);
  const limit = setTimeout(() => child.kill('SIGKILL'), 90_000);
  await ended;
  clearInterval(look);
  clearTimeout(limit);
  return text;
}

describe('what programs print', () => {
  it('[NFR-SEC1] [PB-HEAD-1] patchbay serve --debug tells of servers that fail, and neither it nor its log tells a secret', async () => {
    await using folder = await tempDir();
    const mcpServers = { ...withChildren, ...withRemote };
    await writeFile(join(folder.path, 'mcp.json'), JSON.stringify({ mcpServers }));
    const port = String(await freePort());
    const serve = [programs.patchbay, 'serve', '--debug', '--data-dir', folder.path, '--port', port];
    const file = join(folder.path, 'logs', 'patchbay.log');
    const isTold = (text: string) =>
      text.includes('error: talks:') &&
      text.includes('error: far:') &&
      readFileSync(file, 'utf8').includes('talks');
    const text = await printed(serve, isTold);
    expect(text).toContain('last stderr lines');
    expectNone(text);
    const log = await readFile(file, 'utf8');
    expect(log).toContain('talks');
    expectNone(log);
  });

  it('[NFR-SEC1] [FR-015] mcp-simple-aggregator --debug tells why a child fails without its secrets', async () => {
    await using folder = await tempDir();
    const file = join(folder.path, 'config.json');
    await writeFile(file, JSON.stringify({ mcpServers: withChildren }));
    const text = await printed([programs.aggregator, '--config', file, '--debug'], (told) =>
      told.includes('No server could be started'),
    );
    expect(text).toContain('server "talks"');
    expect(text).toContain('last stderr lines');
    expectNone(text);
  });

  it('[NFR-SEC1] [PB-CFG-1] patchbay check shows no secret of a file that is broken beside one', async () => {
    await using folder = await tempDir();
    const whole = JSON.stringify({ mcpServers: { ...withChildren, ...withRemote } }, undefined, 1);
    for (const broken of [whole.replace('"args"', '"args'), whole.replace('"env": {', '"env": [ {')]) {
      await writeFile(join(folder.path, 'mcp.json'), broken);
      const text = await printed([programs.patchbay, 'check', '--data-dir', folder.path]);
      expect(text).toContain('[config.invalid_json]');
      expectNone(text);
    }
  });

  it('[NFR-SEC1] [PB-BRIDGE-1] patchbay-bridge reports a hub that does not start, without its output', async () => {
    await using folder = await tempDir();
    // A headless hub: the bridge would start another one for an app without a display.
    const launch = { command: process.execPath, args: ['-e', talker, 'serve'], env: { API_KEY: issued } };
    await mkdir(join(folder.path, 'run'));
    await writeFile(join(folder.path, 'run', 'launch.json'), JSON.stringify(launch));
    const text = await printed(
      [programs.bridge, '--data-dir', folder.path],
      (told) => told.includes('standard error'),
      call,
    );
    expect(text).toContain('standard error');
    expectNone(text);
  });
});
