import { posix, win32 } from 'node:path';
import { type Environment, readVariable } from './child-env.ts';

/** Facts about the machine that decide where programs are installed. */
export interface Machine {
  readonly home: string;
  readonly env: Environment;
  readonly platform: NodeJS.Platform;
}

/** A program that installs others; its folders identify what belongs to it. */
export interface VersionManager {
  readonly name: string;
  /** Folders that it may have installed everything in. */
  readonly roots: readonly string[];
  /** Folders below a root that belong on PATH. */
  readonly bins: readonly string[];
  /** Folder below a root with shims for the applicable version, which `NAME which COMMAND` reports. */
  readonly shims?: string;
  /** Pattern below a root for the programs of one version; `*` is any folder. */
  readonly versions?: string;
}

/**
 * Lists the managers that MCP servers are usually started with, with their default folders and those set by
 * variables.
 */
export function versionManagers(machine: Machine): readonly VersionManager[] {
  return machine.platform === 'win32' ? onWindows(machine) : onPosix(machine);
}

function onPosix({ home, env, platform }: Machine): readonly VersionManager[] {
  const inHome = (...parts: string[]) => posix.join(home, ...parts);
  const data = env.XDG_DATA_HOME ?? inHome('.local', 'share');
  const mac = (...parts: string[]) => (platform === 'darwin' ? [inHome('Library', ...parts)] : []);
  return [
    manager('volta', [env.VOLTA_HOME, inHome('.volta')], ['bin'], {
      shims: 'bin',
      versions: 'tools/image/node/*/bin',
    }),
    manager('asdf', [env.ASDF_DATA_DIR, env.ASDF_DIR, inHome('.asdf')], ['shims', 'bin'], {
      shims: 'shims',
      versions: 'installs/*/*/bin',
    }),
    manager('mise', [env.MISE_DATA_DIR, posix.join(data, 'mise')], ['shims'], {
      shims: 'shims',
      versions: 'installs/*/*/bin',
    }),
    manager(
      'fnm',
      [env.FNM_DIR, posix.join(data, 'fnm'), ...mac('Application Support', 'fnm'), inHome('.fnm')],
      ['aliases/default/bin'],
      { versions: 'node-versions/*/installation/bin' },
    ),
    // The version that belongs on PATH is in a file: see command-dirs.ts.
    manager('nvm', [env.NVM_DIR, posix.join(env.XDG_CONFIG_HOME ?? '', 'nvm'), inHome('.nvm')], [], {
      versions: 'versions/node/*/bin',
    }),
    ...['pyenv', 'rbenv', 'nodenv'].map((name) =>
      manager(name, [env[`${name.toUpperCase()}_ROOT`], inHome(`.${name}`)], ['shims', 'bin'], {
        shims: 'shims',
        versions: 'versions/*/bin',
      }),
    ),
    manager('proto', [env.PROTO_HOME, inHome('.proto')], ['shims', 'bin']),
    manager('uv', [posix.join(data, 'uv')], [], { versions: 'python/*/bin' }),
    manager('cargo', [env.CARGO_HOME, inHome('.cargo')], ['bin']),
    manager('bun', [env.BUN_INSTALL, inHome('.bun')], ['bin']),
    manager('deno', [env.DENO_INSTALL_ROOT, env.DENO_INSTALL, inHome('.deno')], ['bin']),
    manager('pnpm', [env.PNPM_HOME, posix.join(data, 'pnpm'), ...mac('pnpm')], ['bin', '.']),
    manager('npm', [env.NPM_CONFIG_PREFIX, inHome('.npm-global')], ['bin']),
    manager('go', [env.GOPATH, inHome('go')], ['bin']),
    manager(
      'Homebrew',
      platform === 'darwin'
        ? [env.HOMEBREW_PREFIX, '/opt/homebrew', '/usr/local/Cellar']
        : [env.HOMEBREW_PREFIX, '/home/linuxbrew/.linuxbrew', inHome('.linuxbrew')],
      ['bin', 'sbin'],
    ),
    manager(
      'nix',
      [inHome('.nix-profile'), '/nix/var/nix/profiles/default', '/run/current-system/sw', '/nix/store'],
      ['bin'],
    ),
    ...(platform === 'darwin' ? [manager('MacPorts', ['/opt/local'], ['bin'])] : []),
    ...(platform === 'linux' ? [manager('snap', ['/snap'], ['bin'])] : []),
  ];
}

function onWindows({ home, env }: Machine): readonly VersionManager[] {
  const variable = (name: string) => readVariable(env, name);
  const below = (name: string, ...parts: string[]) => {
    const folder = variable(name);
    return folder === undefined ? undefined : win32.join(folder, ...parts);
  };
  const inHome = (...parts: string[]) => win32.join(home, ...parts);
  return [
    manager('volta', [variable('VOLTA_HOME'), below('LOCALAPPDATA', 'Volta')], ['bin'], { shims: 'bin' }),
    manager('fnm', [variable('FNM_DIR'), below('APPDATA', 'fnm')], ['aliases\\default'], {
      versions: 'node-versions\\*\\installation',
    }),
    manager('nvm', [variable('NVM_SYMLINK'), variable('NVM_HOME')], ['.']),
    manager('mise', [variable('MISE_DATA_DIR'), below('LOCALAPPDATA', 'mise')], ['shims'], {
      shims: 'shims',
    }),
    manager('pyenv', [variable('PYENV_ROOT'), inHome('.pyenv', 'pyenv-win')], ['shims', 'bin'], {
      shims: 'shims',
      versions: 'versions\\*',
    }),
    manager('Scoop', [variable('SCOOP'), inHome('scoop')], ['shims']),
    manager('Chocolatey', [variable('ChocolateyInstall')], ['bin']),
    manager('WinGet', [below('LOCALAPPDATA', 'Microsoft', 'WinGet')], ['Links']),
    manager('cargo', [variable('CARGO_HOME'), inHome('.cargo')], ['bin']),
    manager('bun', [variable('BUN_INSTALL'), inHome('.bun')], ['bin']),
    manager('deno', [variable('DENO_INSTALL'), inHome('.deno')], ['bin']),
    manager('pnpm', [variable('PNPM_HOME'), below('LOCALAPPDATA', 'pnpm')], ['bin', '.']),
    manager('npm', [below('APPDATA', 'npm')], ['.']),
    manager('Node.js', [below('ProgramFiles', 'nodejs')], ['.']),
    manager('Docker', [below('ProgramFiles', 'Docker', 'Docker', 'resources')], ['bin']),
  ];
}

function manager(
  name: string,
  roots: readonly (string | undefined)[],
  bins: readonly string[],
  more: Pick<VersionManager, 'shims' | 'versions'> = {},
): VersionManager {
  const named = roots.filter((root) => root !== undefined && isAbsolute(root));
  return { name, roots: [...new Set(named)] as string[], bins, ...more };
}

const isAbsolute = (folder: string) => posix.isAbsolute(folder) || win32.isAbsolute(folder);

/** Returns the manager that a file belongs to, by its path; the deepest folder wins. */
export function managerOf(
  managers: readonly VersionManager[],
  files: readonly string[],
): VersionManager | undefined {
  const owned = managers.flatMap((one) =>
    one.roots.filter((root) => files.some((file) => isBelow(root, file))).map((root) => ({ one, root })),
  );
  return owned.sort((a, b) => b.root.length - a.root.length)[0]?.one;
}

/** Returns the manager's root if the file is one of its shims. */
export function shimRootOf({ roots, shims }: VersionManager, file: string): string | undefined {
  return shims === undefined ? undefined : roots.find((root) => isBelow(posix.join(root, shims), file));
}

function isBelow(folder: string, file: string): boolean {
  const base = folder.replace(/(?<![\\/])[\\/]+$/, '');
  return file.startsWith(base) && /^[\\/]/.test(file.slice(base.length));
}
