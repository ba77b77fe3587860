import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  chooseNodeVersion,
  commonCommandDirs,
  extendPath,
} from '../../../../electron/engine/supervise/command-dirs.ts';
import { readLoginEnvironment } from '../../../../electron/engine/supervise/login-env.ts';
import { extendAncestors } from '../../../../shared/model/loop.ts';
import { tempDir } from '../../../helper/temp-dir.ts';
import { eventually, survivors } from './harness.ts';

const posix = process.platform !== 'win32';

/** A shell whose start-up files are `rc`; it then runs what it is told, like a real one. */
async function shell(folder: string, rc: string): Promise<string> {
  const file = join(folder, 'shell');
  // The command line is the last argument: `-i -l -c command`.
  await writeFile(file, `#!/bin/sh\n${rc}\nfor command; do :; done\neval "$command"\n`);
  await chmod(file, 0o755);
  return file;
}

describe.runIf(posix)('the environment of the login shell', () => {
  it('has what start-up files set, to the letter, and not what they print', async () => {
    await using folder = await tempDir();
    const rc = `echo "Welcome"; export PATH="/from/rc:$PATH"; export MULTI="a\nb=c '\\""; unset GONE`;
    const { env, problem } = await readLoginEnvironment({
      inherited: { PATH: '/usr/bin:/bin', DISPLAY: ':0', GONE: 'kept from the session' },
      home: folder.path,
      shell: await shell(folder.path, rc),
    });
    expect(problem).toBeUndefined();
    expect(env.PATH?.split(':').slice(0, 3)).toEqual(['/from/rc', '/usr/bin', '/bin']);
    expect(env.MULTI).toBe('a\nb=c \'"');
    expect(env.DISPLAY).toBe(':0');
    expect(Object.keys(env)).not.toContain('PATCHBAY_READING_ENVIRONMENT');
  });

  it('works with the real shell of this machine', async () => {
    await using folder = await tempDir();
    const { problem } = await readLoginEnvironment({
      inherited: { PATH: '/usr/bin:/bin', HOME: folder.path },
      home: folder.path,
      shell: '/bin/sh',
    });
    expect(problem).toBeUndefined();
  });

  it('is given up when start-up files hang, and all they started is killed', async () => {
    await using folder = await tempDir();
    const marker = `test ${crypto.randomUUID()}`;
    const { env, problem } = await readLoginEnvironment({
      inherited: { PATH: '/usr/bin:/bin', PATCHBAY_ANCESTORS: extendAncestors(undefined, marker) },
      home: folder.path,
      shell: await shell(folder.path, 'sleep 60 & sleep 60'),
      timeout: 300,
    });
    expect(problem?.sentence).toContain('did not answer within 0.3 s');
    expect(env.PATH).toContain('/usr/bin:/bin');
    await eventually(async () => (await survivors(marker)).length === 0);
  });

  it('is replaced by the inherited one when the shell fails or is missing', async () => {
    await using folder = await tempDir();
    const options = { inherited: { PATH: '/usr/bin' }, home: folder.path };
    const failing = await readLoginEnvironment({ ...options, shell: await shell(folder.path, 'exit 4') });
    expect(failing.problem?.sentence).toContain('exit code 4');
    const missing = await readLoginEnvironment({ ...options, shell: '/nowhere/shell' });
    expect(missing.problem?.sentence).toContain('cannot be run');
    expect(missing.env.PATH).toContain('/usr/bin');
  });
});

describe.runIf(posix)('the usual folders of commands', () => {
  it('are those that exist, with the default version of nvm', async () => {
    await using home = await tempDir();
    const nvm = join(home.path, '.nvm');
    for (const version of ['v9.0.0', 'v20.1.0', 'v20.11.1', 'v22.3.0']) {
      await mkdir(join(nvm, 'versions', 'node', version, 'bin'), { recursive: true });
    }
    await mkdir(join(nvm, 'alias'));
    await writeFile(join(nvm, 'alias', 'default'), '20\n');
    await mkdir(join(home.path, '.cargo', 'bin'), { recursive: true });
    const dirs = await commonCommandDirs(home.path, 'linux');
    const own = dirs.filter((dir) => dir.startsWith(home.path));
    expect(own).toEqual([join(home.path, '.cargo/bin'), join(nvm, 'versions/node/v20.11.1/bin')]);
    expect(await commonCommandDirs(home.path, 'win32')).toEqual([]);
  });

  it('come after what PATH already has, each once', () => {
    expect(extendPath('/a::/b', ['/b', '/c'], ':')).toBe('/a:/b:/c');
    expect(extendPath('', ['/c'], ':')).toBe('/c');
  });

  it.each([
    ['20', 'v20.11.1'],
    ['v9', 'v9.0.0'],
    ['v20.1.0', 'v20.1.0'],
    ['lts/*', 'v22.3.0'],
    ['', 'v22.3.0'],
  ])('take the Node version an alias means: %j is %s', (wanted, expected) => {
    const versions = ['v9.0.0', 'v20.1.0', 'v20.11.1', 'v22.3.0', 'system'];
    expect(chooseNodeVersion(versions, wanted)).toBe(expected);
    expect(chooseNodeVersion([], wanted)).toBeUndefined();
  });
});
