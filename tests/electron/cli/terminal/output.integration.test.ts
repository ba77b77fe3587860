import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { programs } from '../../../helper/programs.ts';
import { tempDir } from '../../../helper/temp-dir.ts';

/** Runs a command of `patchbay` inside a shell script. */
async function inShell(script: string, cwd: string, ...argv: string[]) {
  const words = ['-c', script, 'sh', process.execPath, programs.patchbay, ...argv];
  const child = spawn('sh', words, {
    cwd,
    env: { PATH: process.env.PATH, PATCHBAY_DATA_DIR: cwd },
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
