import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { processTagVariable } from '../../shared/model/loop.ts';
import { startReportVariable } from '../../shared/model/start-report.ts';
import type { Launch } from './launch.ts';

/** How a started hub has ended. */
export interface HubExit {
  /** Absent if it never started, or was ended by a signal. */
  readonly code?: number;
  /** The error that kept it from starting, or the signal. */
  readonly reason?: string;
  /** End of its standard error output. */
  readonly stderrTail: string;
}

/** A hub that was started and runs independently. */
export interface HubProcess {
  /** Never rejects; does not keep this program running. */
  readonly ended: Promise<HubExit>;
  /** Stops following how it ends. */
  release(): void;
}

/** Starts the hub so that it outlives this program and its client, and can report why it could not start. */
export function launchHub(
  { command, args, env }: Launch,
  inherited: Readonly<Record<string, string | undefined>>,
): HubProcess {
  // This program may be the app's binary running as Node; the app must not run as Node. If a server started
  // this program, the app must not end with that server.
  const { ELECTRON_RUN_AS_NODE: _, [processTagVariable]: __, ...rest } = inherited;
  const stderr = createStderrFile();
  const child = spawn(command, args, {
    env: { ...rest, ...env, [startReportVariable]: 'json' },
    detached: true,
    stdio: ['ignore', 'ignore', stderr.descriptor ?? 'ignore'],
    windowsHide: true,
  });
  child.unref();
  const ended = new Promise<HubExit>((resolve) => {
    child.on('error', ({ message }) => resolve({ reason: message, stderrTail: '' }));
    child.on('exit', (code, signal) =>
      resolve({
        ...(code === null ? {} : { code }),
        ...(signal === null ? {} : { reason: signal }),
        stderrTail: stderr.read(),
      }),
    );
  });
  return { ended, release: stderr.close };
}

interface StderrFile {
  readonly descriptor: number | undefined;
  read(): string;
  close(): void;
}

/**
 * Creates a file for the hub's standard error: the hub may outlive this program, so a pipe would break. The
 * file is unlinked as soon as the system allows, so that nothing is left behind and nobody else reads it.
 */
function createStderrFile(): StderrFile {
  const file = join(tmpdir(), `patchbay-start-${randomUUID()}`);
  const opened = openStderrFile(file);
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

/** Ignores failures: a full or read-only temporary folder must not keep the hub from starting. */
function openStderrFile(file: string): number | undefined {
  const descriptor = attempt(() => openSync(file, 'ax+', 0o600));
  if (descriptor !== undefined) attempt(() => unlinkSync(file));
  return descriptor;
}

function tailOf(descriptor: number): string {
  const { size } = fstatSync(descriptor);
  const tail = Buffer.alloc(Math.min(size, maxTailBytes));
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

const maxTailBytes = 16 * 1024;
