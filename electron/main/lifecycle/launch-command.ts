import { basename } from 'node:path';

/** The running program, as far as starting it again needs to know it. */
export interface RunningProgram {
  readonly execPath: string;
  readonly args: readonly string[];
  /** Folder of the app when it is run unpackaged; then the binary needs to be told. */
  readonly appPath?: string;
  /** The data folder, when it is not the default one. */
  readonly dataDir?: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A command that starts this app again. */
export interface StartCommand {
  readonly command: string;
  readonly args: readonly string[];
}

/** How to start this very app again, hidden: for bridges that find it down, and for the start at login. */
export function hiddenStart(program: RunningProgram): StartCommand {
  return {
    command: stableBinary(program),
    args: [
      ...(program.appPath === undefined ? [] : [program.appPath]),
      '--hidden',
      ...(program.dataDir === undefined ? [] : [`--data-dir=${program.dataDir}`]),
      ...program.args.filter((arg) => inheritedSwitches.has(arg) || arg.startsWith('--password-store=')),
    ],
  };
}

/** What a display, the session bus and the home folder need; never the whole environment, which may hold secrets. */
export function displayEnvironment(
  env: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    displayVariables.flatMap((name) => {
      const value = env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** An AppImage runs from a mount that is gone tomorrow; its own file is what stays. */
export function stableBinary({ execPath, env }: Pick<RunningProgram, 'execPath' | 'env'>): string {
  const image = env.APPIMAGE;
  const runsFromImage = env.APPDIR !== undefined && execPath.startsWith(env.APPDIR);
  return image !== undefined && runsFromImage && basename(image) !== '' ? image : execPath;
}

/** Without these the app could not start where it now runs. */
const inheritedSwitches: ReadonlySet<string> = new Set(['--no-sandbox', '--disable-gpu']);

const displayVariables = [
  'DISPLAY',
  'WAYLAND_DISPLAY',
  'XAUTHORITY',
  'XDG_RUNTIME_DIR',
  'DBUS_SESSION_BUS_ADDRESS',
  'XDG_SESSION_TYPE',
  'XDG_CURRENT_DESKTOP',
  'HOME',
] as const;
