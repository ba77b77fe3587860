import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { programs } from '../../helper/programs.ts';
import { tempDir } from '../../helper/temp-dir.ts';

const run = promisify(execFile);

it('[PB-HEAD-1] commands that only read report a missing folder, and create none', async () => {
  await using folder = await tempDir();
  const dir = join(folder.path, 'mistyped');
  const commands = [
    ['activity'],
    ['audit', 'verify'],
    ['audit', 'list'],
    ['support'],
    ['check'],
    ['secret', 'list'],
    ['secret', 'delete', 'X'],
    ['access', 'list'],
    ['sign-out', 'x'],
  ];
  const outcomes = commands.map((argv) =>
    run(process.execPath, [programs.patchbay, ...argv, '--data-dir', dir]).catch(
      ({ code, stdout, stderr }) => ({
        code,
        stdout,
        stderr,
      }),
    ),
  );
  for (const outcome of await Promise.all(outcomes))
    expect(outcome).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining(`There is no data folder ${dir}. [hub.no_data_folder]`),
    });
  expect(existsSync(dir)).toBe(false);
});
