import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { programs } from '../../../helper/programs.ts';
import { tempDir } from '../../../helper/temp-dir.ts';

/** Runs a command of `patchbay` inside a shell script. */
const inShell = (script: string, cwd: string, ...argv: string[]) =>
  runInShell(script, { cwd, dataDir: cwd }, programs.patchbay, ...argv);

async function runInShell(
  script: string,
  { cwd, dataDir }: { readonly cwd: string; readonly dataDir: string },
  ...program: string[]
) {
  const child = spawn('sh', ['-c', script, 'sh', process.execPath, ...program], {
    cwd,
    env: { PATH: process.env.PATH, PATCHBAY_DATA_DIR: dataDir },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [told, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  return [code, told];
}

describe.runIf(process.platform === 'linux')('the output of a command', () => {
  it.each([[['--help']], [['support']], [['access', 'token', 'x']]])(
    '[PB-HEAD-1] of %j that is lost on a full disk makes it fail',
    async (argv) => {
      await using folder = await tempDir();
      const lost = await inShell('exec "$@" > /dev/full', folder.path, ...argv);
      expect(lost).toEqual([1, expect.stringContaining('The output is incomplete (ENOSPC)')]);
    },
  );

  it('[PB-HEAD-1] may be cut off by its reader without a failure', async () => {
    await using folder = await tempDir();
    const seen = await inShell('"$@" | true; exit 0', folder.path, 'support');
    expect(seen).toEqual([0, '']);
  });
});

it.runIf(process.platform === 'linux')(
  '[PB-HEAD-1] a relative folder in a deleted folder is wrong usage',
  async () => {
    await using folder = await tempDir();
    const cwd = join(folder.path, 'gone');
    await mkdir(cwd);
    const refused = await inShell('rmdir "$PWD" && exec "$@"', cwd, 'secret', 'list', '--data-dir', 'here');
    expect(refused).toEqual([2, expect.stringContaining('The current folder no longer exists')]);
  },
);

it.runIf(process.platform === 'linux').each([
  ['backup', 1, 'absolute', [programs.patchbay, 'backup']],
  ['import', 2, 'absolute', [programs.patchbay, 'import', 'mcp.json']],
  ['stop', 1, 'relative', [programs.patchbay, 'stop']],
  ['serve', 1, 'relative', [programs.patchbay, 'serve']],
  ['status', 1, 'relative', [programs.patchbay, 'status']],
  ['the bridge', 2, 'relative', [programs.bridge]],
] as const)('[PB-HEAD-1] %s explains a deleted current folder', async (_what, code, dataDir, program) => {
  await using folder = await tempDir();
  const cwd = join(folder.path, 'gone');
  await mkdir(cwd);
  const place = { cwd, dataDir: dataDir === 'absolute' ? folder.path : 'data' };
  const told = await runInShell('rmdir "$PWD" && exec "$@"', place, ...program);
  expect(told).toEqual([code, expect.stringContaining('The current folder no longer exists')]);
});
