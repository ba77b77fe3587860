import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { programs } from '../../../helper/programs.ts';
import { tempDir } from '../../../helper/temp-dir.ts';

async function check(config: string | undefined) {
  await using folder = await tempDir();
  if (config !== undefined) await writeFile(join(folder.path, 'mcp.json'), config);
  const args = [programs.patchbay, 'check', '--data-dir', folder.path];
  const child = spawn(process.execPath, args, { timeout: 100_000, stdio: ['ignore', 'pipe', 'pipe'] });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { code, stdout, stderr, files: await readdir(folder.path) };
}

describe('patchbay check', () => {
  it('[PB-HEAD-1] [PB-CFG-1] names each fault with line and column, and exits with 1', async () => {
    const { code, stdout } = await check(`{ "mcpServers": {
      "one": { "command": "x", "patchbay": { "restart": "sometimes" } },
      "two": { "command": "y", "env": { "A": "\${PB_NOT_SET}" } },
      "off": { "disabled": true },
      "odd": { "command": "z", "patchbay": { "idelStop": 1 } },
      "line": { "command": "npx -y foo" }
    } }`);
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /error: one: patchbay\.restart: must be one of always, never[\s\S]*line 2, column \d+/,
    );
    expect(stdout).toMatch(/error: two: The variable PB_NOT_SET is not set\.[\s\S]*line 3, column \d+/);
    expect(stdout).toContain('warning: off: command');
    expect(stdout).toContain('warning: odd: patchbay.idelStop');
    expect(stdout).toContain('warning: line: command');
    expect(stdout).toContain('this holds arguments; write "npx" here and the rest in args');
    expect(stdout).toMatch(/mcp\.json: 5 servers, 2 problems\.\n$/);
  });

  it('[PB-HEAD-1] reports invalid JSON, and a missing file', async () => {
    const broken = await check('{\n "mcpServers": {,}\n}');
    expect([broken.code, broken.stdout]).toEqual([1, expect.stringContaining('line 2, column 17')]);
    const missing = await check(undefined);
    expect([missing.code, missing.files]).toEqual([1, []]);
    expect(missing.stdout).toContain('There is no config file');
  });

  it('[PB-HEAD-1] accepts a valid config, and writes nothing', async () => {
    const { code, stdout, stderr, files } = await check(
      '{"mcpServers": {"a": {"command": "no-such-program"}}}',
    );
    expect([code, stderr, files]).toEqual([0, '', ['mcp.json']]);
    expect(stdout).toMatch(/1 server, no problems\.\n$/);
  });
});
