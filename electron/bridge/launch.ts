import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { readJsonFile } from './data-folder.ts';

/** A command that starts the hub without a window. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface LaunchContext {
  /** `run/launch.json` of the data folder. */
  readonly file: string;
  /** The program's own file. */
  readonly self: string;
  readonly execPath: string;
  /** True inside the packaged app, whose binary runs this program as Node. */
  readonly packaged: boolean;
  /** Set if it is not the default one. */
  readonly dataDir?: string;
}

/**
 * Returns true if this program is in the resources of the app that runs it. Another app's Electron may run it
 * too: Claude Desktop does with its bundles, and must not be started as if it were Patchbay.
 */
export function isPackaged(self: string, execPath: string): boolean {
  const folders = ['resources', join('..', 'Resources')];
  return folders.some((folder) => join(dirname(execPath), folder, 'lib') === dirname(self));
}

/** Returns the command the hub stored when it last ran, or else the program beside this one. */
export async function findLaunch(surroundings: LaunchContext): Promise<Launch | undefined> {
  const { execPath, packaged, dataDir } = surroundings;
  const stored = asLaunch(await readJsonFile(surroundings.file));
  if (stored !== undefined && exists(stored)) return stored;
  const folder = dataDir === undefined ? [] : [`--data-dir=${dataDir}`];
  if (packaged) return { command: execPath, args: ['--hidden', ...folder], env: {} };
  return findHeadless(surroundings);
}

/** Returns the hub beside this program, which needs no display. */
export function findHeadless({ self, execPath, packaged, dataDir }: LaunchContext): Launch | undefined {
  const headless = {
    command: execPath,
    args: [
      join(dirname(self), 'patchbay.mjs'),
      'serve',
      ...(dataDir === undefined ? [] : [`--data-dir=${dataDir}`]),
    ],
    env: packaged ? { ELECTRON_RUN_AS_NODE: '1' } : {},
  };
  return exists(headless) ? headless : undefined;
}

/** Returns true if the command opens no window, so that a missing display cannot be why it ended. */
export function isHeadless({ args }: Launch): boolean {
  return args.includes('serve');
}

/** Formats the command as a person would type it. */
export function commandText({ command, args }: Launch): string {
  return [command, ...args]
    .map((word) => (/^[\w@%+=:,./\\-]+$/.test(word) ? word : JSON.stringify(word)))
    .join(' ');
}

/**
 * Returns true if the command can run: a program given by its path must exist; others are looked up when they
 * are started.
 */
function exists({ command, args: [first] }: Launch): boolean {
  return existsSync(command) && (first === undefined || !isAbsolute(first) || existsSync(first));
}

function asLaunch(value: unknown): Launch | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { command, args, env } = value as Readonly<Record<string, unknown>>;
  if (typeof command !== 'string' || !isTextList(args)) return undefined;
  return { command, args, env: isTextRecord(env) ? env : {} };
}

function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function isTextRecord(value: unknown): value is Readonly<Record<string, string>> {
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).every((item) => typeof item === 'string');
}
