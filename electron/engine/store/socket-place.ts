import type { Stats } from 'node:fs';
import { lstat, mkdtemp, rmdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { ProblemError, problem } from '../../../shared/error/problem.ts';
import { type DataPaths, maxSocketPathBytes } from './data-dir.ts';
import { readHubRecord } from './instance-lock.ts';
import { makePrivateFolder } from './private-folder.ts';

type SocketPaths = Pick<DataPaths, 'hub' | 'run' | 'socket'>;

/** Location of a hub's socket. */
export interface SocketLocation {
  readonly path: string;
  /** Removes the folder if it was created for this hub alone. */
  dispose(): Promise<void>;
}

/**
 * Chooses a location for the hub's socket in a folder that only this user can enter: the usual one or, if
 * another user has taken that, one with a random name. Bridges and commands read it from `run/hub.json`.
 */
export async function openSocketLocation({ run, socket }: SocketPaths): Promise<SocketLocation> {
  const noDispose = async () => {};
  if (process.platform === 'win32' || dirname(socket) === run) return { path: socket, dispose: noDispose };
  const name = basename(socket);
  const { XDG_RUNTIME_DIR: session } = process.env;
  const folders = [
    dirname(socket),
    ...(session === undefined || session === '' ? [] : [join(session, 'patchbay')]),
  ];
  for (const folder of folders) {
    const path = join(folder, name);
    if (Buffer.byteLength(path) <= maxSocketPathBytes && (await makePrivateFolder(folder)))
      return { path, dispose: noDispose };
  }
  const folder = await mkdtemp(`${dirname(socket)}-`);
  const dispose = () => rmdir(folder).catch(() => undefined);
  return { path: join(folder, name), dispose };
}

/**
 * Returns the socket of a data folder's hub, to connect to; it may not exist yet. Rejects with ProblemError
 * `hub.unreachable` if the socket or its folder belongs to another user, because nothing may be sent there.
 */
export async function hubSocket({ hub, run, socket }: SocketPaths): Promise<string> {
  const recorded = (await readHubRecord(hub))?.socket;
  const path = typeof recorded === 'string' && recorded !== '' ? recorded : socket;
  if (process.platform === 'win32') return path;
  const trusted = new Set([0, process.getuid?.(), (await stat(run).catch(() => undefined))?.uid]);
  for (const place of [dirname(path), path]) {
    // The user chooses where the data folder is, even through links.
    const info = await (place === run ? stat : lstat)(place).catch(() => undefined);
    if (info !== undefined && (!trusted.has(info.uid) || isReplaceable(info)))
      throw foreignSocket(place, info);
  }
  return path;
}

/** Returns true for a link, or for a folder in which others can replace files. */
function isReplaceable(info: Stats): boolean {
  return info.isSymbolicLink() || (info.isDirectory() && (info.mode & 0o022) !== 0);
}

function foreignSocket(place: string, { uid }: Stats): ProblemError {
  const sentence = `${place} belongs to another user, or others can change it, so Patchbay does not connect to it.`;
  const fix = 'Start Patchbay: it listens on its own socket, which clients find automatically.';
  return new ProblemError(problem('hub.unreachable', sentence, fix, { socket: place, 'user id': uid }));
}
