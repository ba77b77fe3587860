import { unwatchFile, watch, watchFile as watchStats } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import type { Disposable } from '../../base/emitter.ts';
import { linkTarget } from './read-config.ts';

/**
 * Calls `onTouch` whenever the file, or the file behind a symbolic link, may have changed: written, replaced,
 * deleted, created. Folders are watched, not files, so that replacing a file loses nothing. Resolves once it watches.
 *
 * Uses Node's own watcher, since chokidar reads a folder at most once a second and misses changes in between: a file
 * deleted and created again immediately would stay deleted.
 */
export async function watchFile(file: string, onTouch: () => void): Promise<Disposable> {
  const path = resolve(file);
  const abort = new AbortController();
  const watched = new Map<string, Disposable>();
  const follow = async () => {
    for (const each of new Set([path, await linkTarget(path)])) {
      if (abort.signal.aborted || watched.has(each)) continue;
      watched.set(each, watchOne(each, touch));
    }
  };
  const touch = () => {
    onTouch();
    // A link may point somewhere else now.
    void follow();
  };
  await follow();
  return {
    dispose: () => {
      abort.abort();
      for (const watcher of watched.values()) watcher.dispose();
    },
  };
}

/** Polls the file's state every two seconds, for systems that cannot watch or have no watches left. */
export function pollFile(file: string, onTouch: () => void, milliseconds = 2000): Disposable {
  const listener = () => onTouch();
  watchStats(file, { interval: milliseconds, persistent: false }, listener);
  return { dispose: () => unwatchFile(file, listener) };
}

/** Watches the folder of one file; polls if that is not possible, or fails later. */
function watchOne(file: string, onTouch: () => void): Disposable {
  const name = basename(file);
  const folder = basename(dirname(file));
  try {
    const watcher = watch(dirname(file), { persistent: false });
    const fallback: Disposable[] = [];
    const poll = () => {
      watcher.close();
      fallback.push(pollFile(file, onTouch));
    };
    watcher.on('change', (event, touched) => {
      if (touched === null || String(touched) === name) onTouch();
      if (event !== 'rename' || String(touched) !== folder || fallback.length > 0) return;
      // The folder was deleted or moved; its watcher never reports what replaces it.
      poll();
      onTouch();
    });
    watcher.on('error', poll);
    return {
      dispose: () => {
        watcher.close();
        for (const poll of fallback) poll.dispose();
      },
    };
  } catch {
    return pollFile(file, onTouch);
  }
}
