import { chmod, mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ProblemError, problem } from '../../../../shared/error/problem.ts';
import { readTextIfExists, writeFileAtomic } from '../../store/files/atomic-file.ts';
import { pathExists } from '../config-locations.ts';
import type { Command } from '../table/entry-shape.ts';

/** How to run the bridge on this installation. */
export interface BridgeProgram {
  /** The binary that runs the bridge: the app's own or Node; for an AppImage, the image file. */
  readonly binary: string;
  /** The bridge's bundled script. */
  readonly bundle: string;
  /** True if the binary is Electron, which must be told to run as Node. */
  readonly electron: boolean;
  /** True if the program runs from an AppImage mount, which disappears when it exits; `bundle` lies in it. */
  readonly image: boolean;
}

export interface LauncherOptions {
  readonly dataDir: string;
  /** True if the data folder is not the default one, so that the bridge needs its path. */
  readonly ownDataDir: boolean;
  readonly platform: NodeJS.Platform;
  readonly bridge: BridgeProgram | undefined;
}

/** The program that clients are configured to start. */
export interface Launcher {
  /** Stays the same when the app is updated or moved, so that client configs need no rewrite. */
  command(id: string): Command;
  /** Writes the launcher if it is missing or outdated. Rejects with `client.no_launcher`. */
  ensure(): Promise<void>;
}

/**
 * On Unix the launcher is a script in the data folder, corrected at every start of the app: it survives
 * updates and a moved or renamed app. On Windows it is the app's own binary with the bundle as its argument:
 * its path is fixed, and a script would need cmd.exe with its quoting and code page.
 */
export function createLauncher({ dataDir, ownDataDir, platform, bridge }: LauncherOptions): Launcher {
  const script = join(dataDir, 'bin', 'patchbay-bridge');
  const copy = join(dataDir, 'bin', 'patchbay-bridge.mjs');
  const wrapper = join(dataDir, 'bin', 'patchbay-bridge.image.mjs');
  const hubOptions = ownDataDir ? ['--data-dir', dataDir] : [];
  return {
    command(id) {
      const options = [...hubOptions, '--client', id];
      if (platform !== 'win32') return { command: script, args: options, env: {} };
      const { binary, bundle, electron } = requireBridge(bridge);
      const env = electron ? { ELECTRON_RUN_AS_NODE: '1' } : {};
      return { command: binary, args: [bundle, ...options], env: env as Readonly<Record<string, string>> };
    },
    async ensure() {
      const known = requireBridge(bridge);
      if (!(await pathExists(known.bundle)) || !(await pathExists(known.binary)))
        throw missingLauncher(known.bundle);
      if (/\/AppTranslocation\//.test(known.binary)) throw translocatedProblem(known.binary);
      if (platform === 'win32') return;
      await mkdir(dirname(script), { recursive: true, mode: 0o700 });
      if (known.image) {
        await writeIfChanged(copy, (await readTextIfExists(known.bundle)) ?? '', 0o600);
        await writeIfChanged(wrapper, imageWrapper, 0o600);
      } else {
        for (const obsolete of [copy, wrapper]) await rm(obsolete, { force: true });
      }
      await writeIfChanged(
        script,
        launcherScript({ ...known, bundle: known.image ? wrapper : known.bundle }, hubOptions),
        0o700,
      );
    },
  };
}

async function writeIfChanged(file: string, text: string, mode: number): Promise<void> {
  if ((await readTextIfExists(file)) !== text) await writeFileAtomic(file, text, { mode });
  await chmod(file, mode);
}

function requireBridge(bridge: BridgeProgram | undefined): BridgeProgram {
  if (bridge === undefined) throw missingLauncher('');
  return bridge;
}

function missingLauncher(file: string): ProblemError {
  const sentence = 'The bridge program, which clients start to reach Patchbay, is missing.';
  const fix = 'Reinstall Patchbay. If you run it from source, build it first.';
  return new ProblemError(problem('client.no_launcher', sentence, fix, file === '' ? {} : { file }));
}

function translocatedProblem(file: string): ProblemError {
  const sentence =
    'macOS runs Patchbay from a temporary location that changes with every start, so clients could not find it.';
  const fix = 'Quit Patchbay, move it to the Applications folder, and start it from there.';
  return new ProblemError(problem('client.no_launcher', sentence, fix, { file }));
}

/**
 * Returns a shell script that needs no environment variables and explains itself when the app is gone. `options` lead
 * to the hub of its folder; those of the client's config follow, and win.
 */
function launcherScript(
  { binary, bundle, electron, image }: BridgeProgram,
  options: readonly string[],
): string {
  const program = quoted(binary);
  const words = [quoted(bundle), ...(image ? ['--no-sandbox'] : []), ...options.map(quoted), '"$@"'].join(
    ' ',
  );
  return `#!/bin/sh
# Connects MCP clients to Patchbay. Written by Patchbay each time it starts; changes are overwritten.
if [ ! -x ${program} ]; then
  echo "patchbay-bridge: Patchbay was moved or removed. Open Patchbay once, then restart this client." >&2
  exit 1
fi
${electron ? 'ELECTRON_RUN_AS_NODE=1\nexport ELECTRON_RUN_AS_NODE\n' : ''}exec ${program} ${words}
`;
}

/**
 * An AppImage's start script adds `--no-sandbox` in front of all arguments where the system has no sandbox,
 * unless the flag is among them, and Node refuses unknown options. So the launcher passes it, and this
 * wrapper removes it again.
 */
const imageWrapper = `process.argv = process.argv.filter((word) => word !== '--no-sandbox');
await import('./patchbay-bridge.mjs');
`;

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
