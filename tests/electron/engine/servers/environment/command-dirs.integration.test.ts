import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  chooseNodeVersion,
  commonCommandDirs,
  extendPath,
  nvmDefaultBin,
} from '../../../../../electron/engine/servers/environment/command-dirs.ts';
import { tempDir } from '../../../../helper/temp-dir.ts';

const posix = process.platform !== 'win32';

async function folders(home: string, ...paths: readonly string[]): Promise<readonly string[]> {
  const made = paths.map((path) => join(home, path));
  await Promise.all(made.map((path) => mkdir(path, { recursive: true })));
  return made;
}

/** Creates an nvm with these versions and aliases. */
async function nvm(root: string, versions: readonly string[], aliases: Readonly<Record<string, string>>) {
  await folders(root, ...versions.map((version) => `versions/node/${version}/bin`));
  for (const [name, text] of Object.entries(aliases)) {
    const file = join(root, 'alias', name);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, `${text}\n`);
  }
}

describe.runIf(posix)('the common command folders', () => {
  it('are the existing default folders of version managers and tools', async () => {
    await using home = await tempDir();
    const made = await folders(
      home.path,
      '.local/bin',
      '.volta/bin',
      '.asdf/shims',
      '.local/share/mise/shims',
      '.local/share/fnm/aliases/default/bin',
      '.pyenv/shims',
      '.cargo/bin',
      '.bun/bin',
      '.deno/bin',
      '.local/share/pnpm/bin',
    );
    const dirs = await commonCommandDirs({ home: home.path, env: {}, platform: 'linux' });
    const own = dirs.filter((dir) => dir.startsWith(home.path));
    // pnpm keeps its own programs beside the folder of newer ones.
    expect([...own].sort()).toEqual([...made, join(home.path, '.local/share/pnpm')].sort());
    expect(own[0]).toBe(join(home.path, '.local/bin'));
    expect(dirs).toContain('/usr/bin');
  });

  it('include those named by their variables', async () => {
    await using home = await tempDir();
    const [data, nvmRoot] = await folders(home.path, 'data', 'config/nvm');
    const made = await folders(home.path, 'data/mise/shims', 'asdf/shims', 'pnpm', 'volta/bin');
    await nvm(nvmRoot ?? '', ['v22.3.0'], {});
    const env = {
      XDG_DATA_HOME: data,
      XDG_CONFIG_HOME: join(home.path, 'config'),
      ASDF_DATA_DIR: join(home.path, 'asdf'),
      PNPM_HOME: join(home.path, 'pnpm'),
      VOLTA_HOME: join(home.path, 'volta'),
      BUN_INSTALL: '',
      CARGO_HOME: 'relative',
    };
    const dirs = await commonCommandDirs({ home: '/nobody', env, platform: 'linux' });
    const expected = [...made, join(nvmRoot ?? '', 'versions/node/v22.3.0/bin')];
    expect(dirs.filter((dir) => dir.startsWith(home.path)).sort()).toEqual([...expected].sort());
    expect(dirs.every((dir) => dir.startsWith('/'))).toBe(true);
  });

  it('include the default version of nvm, whatever form its alias has', async () => {
    await using home = await tempDir();
    const versions = ['v9.0.0', 'v20.1.0', 'v20.11.1', 'v22.3.0'];
    const bin = (version: string) => join(home.path, 'versions', 'node', version, 'bin');
    await nvm(home.path, versions, { default: '20' });
    expect(await nvmDefaultBin(home.path)).toBe(bin('v20.11.1'));
    await nvm(home.path, [], { default: 'lts/*', 'lts/*': 'lts/iron', 'lts/iron': 'v20.1.0' });
    expect(await nvmDefaultBin(home.path)).toBe(bin('v20.1.0'));
    await nvm(home.path, [], { default: 'work', work: 'default' });
    expect(await nvmDefaultBin(home.path)).toBe(bin('v22.3.0'));
    await nvm(home.path, [], { default: '../../escape' });
    expect(await nvmDefaultBin(home.path)).toBe(bin('v22.3.0'));
    expect(await nvmDefaultBin('/nowhere')).toBeUndefined();
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
  ])('resolve nvm aliases: %j is %s', (wanted, expected) => {
    const versions = ['v9.0.0', 'v20.1.0', 'v20.11.1', 'v22.3.0', 'system'];
    expect(chooseNodeVersion(versions, wanted)).toBe(expected);
    expect(chooseNodeVersion([], wanted)).toBeUndefined();
  });
});
