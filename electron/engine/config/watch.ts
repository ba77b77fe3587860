import { dirname, resolve } from 'node:path';
import { type FSWatcher, watch } from 'chokidar';
import type { Disposable } from '../base/emitter.ts';
import { targetOf } from './reading.ts';

/**
 * Calls `onTouch` whenever the file, or the file behind a symbolic link, may have changed: written, replaced,
 * deleted, made. Folders are watched, not files, so that replacing a file loses nothing. Resolves once it watches.
 */
export async function watchFile(file: string, onTouch: () => void): Promise<Disposable> {
  const path = resolve(file);
  const files = new Set([path]);
  const folders = new Set<string>();
  const watcher = watch([], {
    ignoreInitial: true,
    depth: 0,
    ignored: (candidate) => !files.has(candidate) && !folders.has(candidate),
  });
  const follow = async () => {
    const target = await targetOf(path);
    files.add(target);
    for (const folder of [dirname(path), dirname(target)]) {
      if (folders.has(folder)) continue;
      folders.add(folder);
      watcher.add(folder);
    }
  };
  watcher.on('all', (_, touched) => {
    if (!files.has(resolve(touched))) return;
    void follow();
    onTouch();
  });
  // Without a watcher the file is still read at every start, edit and reload.
  watcher.on('error', () => {});
  await follow();
  await ready(watcher);
  return { dispose: () => void watcher.close() };
}

function ready(watcher: FSWatcher): Promise<void> {
  return new Promise((done) => watcher.once('ready', () => done()));
}
