import { basename } from 'node:path';

/** Facts about the running program that starting it again requires. */
export interface RunningProgram {
  readonly execPath: string;
  readonly args: readonly string[];
  /** Folder of the app if it runs unpackaged; the binary then needs it as an argument. */
  readonly appPath?: string;
  /** The data folder, if it is not the default. */
  readonly dataDir?: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A command that starts this app again. */
export interface StartCommand {
  readonly command: string;
  readonly args: readonly string[];
}

/**
 * Returns the command that starts this app hidden: for bridges that find it stopped, and for the start at
 * login.
 */
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

/**
 * Returns the variables for display, session bus and home folder; never the whole environment, which may
 * contain secrets.
 */
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

/** An AppImage runs from a temporary mount; its own file is what persists. */
export function stableBinary({ execPath, env }: Pick<RunningProgram, 'execPath' | 'env'>): string {
  const image = env.APPIMAGE;
  const runsFromImage = env.APPDIR !== undefined && execPath.startsWith(env.APPDIR);
  return image !== undefined && runsFromImage && basename(image) !== '' ? image : execPath;
}

/** Switches without which the app could not start in this environment. */
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
