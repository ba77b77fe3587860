import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runsVariable } from '../../shared/model/loop.ts';
import { startReportVariable } from '../../shared/model/start-report.ts';
import type { Launch } from './launch.ts';

/** How a hub that was started has ended. */
export interface HubEnd {
  /** Absent where it never began, or a signal ended it. */
  readonly code?: number;
  /** Why it could not even begin, or the signal. */
  readonly reason?: string;
  /** The last of what it said on standard error. */
  readonly lastWords: string;
}

/** A hub that was started and belongs to nobody. */
export interface HubProcess {
  /** Never rejects; does not keep this program running. */
  readonly ended: Promise<HubEnd>;
  /** Nobody asks any more how it ends. */
  release(): void;
}

/** Starts the hub so that it outlives this program and its client, and can tell this one why it could not start. */
export function launchHub(
  { command, args, env }: Launch,
  inherited: Readonly<Record<string, string | undefined>>,
): HubProcess {
  // This program may itself be the app's binary running as Node; the app must not be. And where a server has started
  // this program, the app must not end with that server.
  const { ELECTRON_RUN_AS_NODE: _, [runsVariable]: __, ...rest } = inherited;
  const words = createWords();
  const child = spawn(command, args, {
    env: { ...rest, ...env, [startReportVariable]: 'json' },
    detached: true,
    stdio: ['ignore', 'ignore', words.descriptor ?? 'ignore'],
    windowsHide: true,
  });
  child.unref();
  const ended = new Promise<HubEnd>((resolve) => {
    child.on('error', ({ message }) => resolve({ reason: message, lastWords: '' }));
    child.on('exit', (code, signal) =>
      resolve({
        ...(code === null ? {} : { code }),
        ...(signal === null ? {} : { reason: signal }),
        lastWords: words.read(),
      }),
    );
  });
  return { ended, release: words.close };
}

interface Words {
  readonly descriptor: number | undefined;
  read(): string;
  close(): void;
}

/**
 * Where a hub writes to that may live longer than this program: a pipe would break under it. The file has no name as
 * soon as the system allows, so that nothing is left behind and nobody else reads it.
 */
function createWords(): Words {
  const file = join(tmpdir(), `patchbay-start-${randomUUID()}`);
  const opened = openWords(file);
  let descriptor = opened;
  return {
    descriptor: opened,
    read: () => (descriptor === undefined ? '' : tailOf(descriptor)),
    close() {
      if (descriptor !== undefined) closeSync(descriptor);
      descriptor = undefined;
    },
  };
}

/** A full or closed temporary folder must not keep the hub from starting. */
function openWords(file: string): number | undefined {
  const descriptor = attempt(() => openSync(file, 'ax+', 0o600));
  if (descriptor !== undefined) attempt(() => unlinkSync(file));
  return descriptor;
}

function tailOf(descriptor: number): string {
  const { size } = fstatSync(descriptor);
  const tail = Buffer.alloc(Math.min(size, longestTail));
  const length = readSync(descriptor, tail, 0, tail.length, size - tail.length);
  return tail.toString('utf8', 0, length).trim();
}

function attempt<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}

const longestTail = 16 * 1024;
