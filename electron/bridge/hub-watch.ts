import { existsSync, type FSWatcher, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { Disposable } from '../engine/base/emitter.ts';
import type { DataPaths } from '../engine/store/data-dir.ts';

/**
 * Calls `onSign` when a hub of this data folder may have started: its record or socket changed, or their
 * folder was created. Returns undefined if nothing can be watched, which leaves only polling. Calls `onLost`
 * if watching fails later.
 */
export function watchForHub(
  paths: Pick<DataPaths, 'dir' | 'run' | 'hub' | 'socket'>,
  onSign: () => void,
  onLost: () => void,
): Disposable | undefined {
  let watcher: FSWatcher | undefined;

  function follow(): void {
    watcher?.close();
    const { folder, signs } = watchTargetFor(paths);
    watcher = watch(folder, { persistent: false }, (_, name) => {
      if (name !== null && !signs.includes(name)) return;
      if (folder !== paths.run) attempt();
      onSign();
    });
    watcher.on('error', lose);
  }

  function attempt(): boolean {
    try {
      follow();
      return true;
    } catch {
      lose();
      return false;
    }
  }

  function lose(): void {
    watcher?.close();
    onLost();
  }

  return attempt() ? { dispose: () => watcher?.close() } : undefined;
}

interface WatchTarget {
  readonly folder: string;
  readonly signs: readonly string[];
}

/** Chooses the folder that a hub writes to, or the one in which it would be created. */
function watchTargetFor({ dir, run, hub, socket }: Parameters<typeof watchForHub>[0]): WatchTarget {
  if (existsSync(run)) return { folder: run, signs: [basename(hub), basename(socket)] };
  if (existsSync(dir)) return { folder: dir, signs: [basename(run)] };
  return { folder: dirname(dir), signs: [basename(dir)] };
}
