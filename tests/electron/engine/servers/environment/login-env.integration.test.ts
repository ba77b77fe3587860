import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  completeReading,
  readLoginEnvironment,
} from '../../../../../electron/engine/servers/environment/login-env.ts';
import { extendAncestors } from '../../../../../shared/model/server/loop.ts';
import { tempDir } from '../../../../helper/temp-dir.ts';
import { eventually, survivors } from '../harness.ts';

const posix = process.platform !== 'win32';

/** Creates a shell with these start-up files (`rc`); it then runs its command, like a real one. */
async function shell(folder: string, rc: string): Promise<string> {
  const file = join(folder, 'shell');
  // The command line is the last argument: `-i -l -c command`.
  await writeFile(file, `#!/bin/sh\n${rc}\nfor command; do :; done\neval "$command"\n`);
  await chmod(file, 0o755);
  return file;
}

describe.runIf(posix)('the environment of the login shell', () => {
  it('has exactly what start-up files set, and not what they print', async () => {
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

  it('is abandoned when startup files hang, and everything they started is killed', async () => {
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

  it('resolves the temporary folder of an fnm shell', async () => {
    await using folder = await tempDir();
    const target = join(folder.path, 'fnm', 'aliases', 'default');
    const shells = join(folder.path, 'state', 'fnm_multishells');
    await mkdir(join(target, 'bin'), { recursive: true });
    await mkdir(shells, { recursive: true });
    await symlink(target, join(shells, '4711_1'));
    const rc = `export FNM_MULTISHELL_PATH="${shells}/4711_1"; export PATH="$FNM_MULTISHELL_PATH/bin:/from/rc"`;
    const { env } = await readLoginEnvironment({
      inherited: { PATH: '/usr/bin:/bin' },
      home: folder.path,
      shell: await shell(folder.path, rc),
    });
    expect(env.PATH?.split(':').slice(0, 2)).toEqual([join(target, 'bin'), '/from/rc']);
    expect(env).not.toHaveProperty('FNM_MULTISHELL_PATH');
  });

  it('adds to the environment of a terminal, which takes precedence', async () => {
    await using folder = await tempDir();
    const { env, source } = await readLoginEnvironment({
      inherited: { PATH: '/venv/bin:/usr/bin:/bin', LANG: 'C' },
      home: folder.path,
      shell: await shell(folder.path, 'export PATH="/from/rc:/usr/bin" LANG=de NEW=1'),
      prefer: 'inherited',
    });
    expect(env.PATH?.split(':').slice(0, 4)).toEqual(['/venv/bin', '/usr/bin', '/bin', '/from/rc']);
    expect(env).toMatchObject({ LANG: 'C', NEW: '1' });
    expect(source).toBe('login-shell');
  });

  it('reports which folders it has added, and those added later', async () => {
    await using folder = await tempDir();
    const reading = await readLoginEnvironment({
      inherited: { PATH: '/usr/bin:/bin' },
      home: folder.path,
      shell: await shell(folder.path, ''),
    });
    const bin = join(folder.path, '.local', 'bin');
    expect(reading.commonDirs).not.toContain(bin);
    await mkdir(bin, { recursive: true });
    const completed = await completeReading(reading, folder.path);
    expect(completed.commonDirs).toEqual([...reading.commonDirs, bin]);
    expect(completed.env.PATH).toBe(`${reading.env.PATH}:${bin}`);
  });
});
