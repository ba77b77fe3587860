import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type BackoffOptions, backoffDelay } from '../engine/base/backoff.ts';
import type { Clock } from '../engine/base/clock.ts';
import { readJsonFile } from './json-file.ts';

/** A command that starts the hub without a window. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface LaunchSurroundings {
  /** `run/launch.json` of the data folder. */
  readonly file: string;
  /** This program's own file. */
  readonly self: string;
  readonly execPath: string;
  /** True inside the packaged app, whose binary runs this program as Node. */
  readonly packaged: boolean;
}

/** The command the hub left when it last ran, else what lies beside this program. */
export async function findLaunch(surroundings: LaunchSurroundings): Promise<Launch | undefined> {
  const { self, execPath, packaged } = surroundings;
  const stored = asLaunch(await readJsonFile(surroundings.file));
  if (stored !== undefined && existsSync(stored.command)) return stored;
  if (packaged) return { command: execPath, args: ['--hidden'], env: {} };
  const headless = join(dirname(self), 'patchbay.mjs');
  return existsSync(headless) ? { command: execPath, args: [headless, 'serve'], env: {} } : undefined;
}

/** Starts the hub so that it outlives this program and its client. Failures go to `onError`. */
export function launchHub(
  { command, args, env }: Launch,
  inherited: Readonly<Record<string, string | undefined>>,
  onError: (error: Error) => void,
): void {
  // This program may itself be the app's binary running as Node; the app must not be.
  const { ELECTRON_RUN_AS_NODE: _, ...rest } = inherited;
  const child = spawn(command, args, {
    env: { ...rest, ...env },
    detached: true,
    stdio: 'ignore',
    windowsHide: true,
  });
  child.on('error', onError);
  child.unref();
}

/** Starts at most one hub per pause, and the pauses grow; two bridges that start two are settled by the hub's lock. */
export interface HubStarter {
  start(): void;
  /** A hub is there: the next loss may be answered at once. */
  reset(): void;
}

export function createHubStarter(start: () => void, clock: Clock, random?: () => number): HubStarter {
  let state: { readonly attempts: number; readonly notBefore: number } = { attempts: 0, notBefore: 0 };
  return {
    start() {
      const now = clock.now();
      if (now < state.notBefore) return;
      state = {
        attempts: state.attempts + 1,
        notBefore: now + backoffDelay(startPauses, state.attempts, random),
      };
      start();
    },
    reset() {
      state = { attempts: 0, notBefore: 0 };
    },
  };
}

const startPauses: BackoffOptions = { initial: 10_000, max: 300_000, factor: 2, jitter: 0.2 };

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
