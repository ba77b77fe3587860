import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fixture, nodeEntry, programs } from '../../../helper/programs.ts';
import { tempDir } from '../../../helper/temp-dir.ts';

describe.runIf(process.platform === 'linux')('[FR-012] the aggregator in a folder that was deleted', () => {
  it('serves all the same', async () => {
    await using folder = await tempDir();
    const config = join(folder.path, 'config.json');
    const cwd = join(folder.path, 'gone');
    await mkdir(cwd);
    await writeFile(config, JSON.stringify({ mcpServers: { echo: nodeEntry(fixture('echo')) } }));
    const command = [process.execPath, programs.aggregator, '--config', config];
    const child = spawn('/bin/sh', ['-c', 'rmdir "$PWD" && exec "$@"', 'sh', ...command], {
      cwd,
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const ended = once(child, 'exit');
    const params = {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 't', version: '1' },
    };
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`);
    const [answer] = await Promise.race([once(child.stdout, 'data'), ended]);
    expect(String(answer)).toContain('mcp-simple-aggregator');
    child.stdin.end();
    expect(await ended).toEqual([0, null]);
  });
});
