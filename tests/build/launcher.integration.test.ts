import { execFile } from 'node:child_process';
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { tempDir } from '../helper/temp-dir.ts';

const run = promisify(execFile);
const source = fileURLToPath(new URL('../../build/launcher/launcher.sh', import.meta.url));

/** A folder laid out like the packaged app, with this Node in the place of the app's binary. */
async function appFolder(parent: string): Promise<string> {
  const app = join(parent, 'An App');
  await Promise.all(['bin', 'lib'].map((name) => mkdir(join(app, 'resources', name), { recursive: true })));
  await symlink(process.execPath, join(app, 'patchbay'));
  await cp(source, join(app, 'resources', 'bin', 'patchbay-bridge'));
  await writeFile(
    join(app, 'resources', 'lib', 'patchbay-bridge.mjs'),
    'console.log(JSON.stringify([process.argv.slice(2), process.env.ELECTRON_RUN_AS_NODE, Object.keys(process.env).length]))',
  );
  return app;
}

describe.skipIf(process.platform === 'win32')('the packaged launcher', () => {
  it('[PB-BRIDGE-1] runs the program of its name with an empty environment and keeps arguments whole', async () => {
    await using folder = await tempDir();
    const launcher = join(await appFolder(folder.path), 'resources', 'bin', 'patchbay-bridge');
    const { stdout } = await run(launcher, ['--client', 'a b', ''], { env: {} });
    const [args, asNode, variables] = JSON.parse(stdout);
    expect([args, asNode]).toEqual([['--client', 'a b', ''], '1']);
    // The shell adds PWD and the like, and nothing else.
    expect(variables).toBeLessThanOrEqual(4);
  });

  it('finds the app through chains of absolute and relative links', async () => {
    await using folder = await tempDir();
    const launcher = join(await appFolder(folder.path), 'resources', 'bin', 'patchbay-bridge');
    await symlink(launcher, join(folder.path, 'absolute'));
    await symlink('absolute', join(folder.path, 'relative'));
    const { stdout } = await run('./relative', ['x'], { env: {}, cwd: folder.path });
    expect(JSON.parse(stdout)[0]).toEqual(['x']);
  });
});
