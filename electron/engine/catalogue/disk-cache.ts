import { type Problem, problem, toProblem } from '../../../shared/error/problem.ts';
import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/emitter.ts';
import { SerialQueue } from '../base/serial-queue.ts';
import { writePrivateFile } from '../store/files/atomic-file.ts';
import { isStoredEqual } from './catalogue-diff.ts';
import { formatCatalogue, readCatalogueFile } from './catalogue-file.ts';
import type { Catalogue } from './contract.ts';

export interface DiskCacheOptions {
  readonly file: string;
  readonly clock: Clock;
  /** Milliseconds without changes before the file is written; see {@link maxSaveDelayMs}. */
  readonly saveDelayMs?: number;
  /**
   * Called when the file cannot be read or written, which the hub survives; called with undefined when
   * writing works again.
   */
  readonly report: (problem: Problem | undefined) => void;
}

/** Stores the last listings of all servers for the next start, and for bridges while the hub is down. */
export interface DiskCache {
  /** The catalogue read on opening; undefined if there was none. */
  readonly stored: Catalogue | undefined;
  /** Writes the catalogue once changes have settled; the last one passed wins. */
  save(catalogue: Catalogue): void;
  /** Makes the next save write even an unchanged catalogue. */
  fileLost(): void;
  /** Writes pending changes now; resolves when they are on disk, or when the failure was reported. */
  flush(): Promise<void>;
}

/**
 * Opens the file. A damaged one counts as empty and is replaced; one written by a newer program is never
 * touched.
 */
export async function openDiskCache(options: DiskCacheOptions): Promise<DiskCache> {
  const { file, report } = options;
  const read = await readCatalogueFile(file);
  if (read.kind === 'newer') {
    report(newerFileProblem(file, read.version));
    return { stored: undefined, save: () => {}, fileLost: () => {}, flush: () => Promise.resolve() };
  }
  return createWriter(options, read.kind === 'catalogue' ? read.catalogue : undefined);
}

function createWriter(
  { file, clock, saveDelayMs = 500, report }: DiskCacheOptions,
  stored?: Catalogue,
): DiskCache {
  const queue = new SerialQueue();
  let pending: Catalogue | undefined;
  /** The content of the file. */
  let written = stored;
  let isFailing = false;

  async function write(): Promise<void> {
    const catalogue = pending;
    pending = undefined;
    if (catalogue === undefined) return;
    if (written !== undefined && isStoredEqual(catalogue, written)) return;
    try {
      await writePrivateFile(file, formatCatalogue(catalogue));
      written = catalogue;
      if (isFailing) report(undefined);
      isFailing = false;
    } catch (error) {
      isFailing = true;
      report(toProblem(error));
    }
  }

  const whenSettled = createDebouncer(clock, saveDelayMs, () => void queue.run(write));
  return {
    stored,
    save(catalogue) {
      pending = catalogue;
      whenSettled.mark();
    },
    fileLost() {
      written = undefined;
    },
    flush() {
      whenSettled.dispose();
      return queue.run(write);
    },
  };
}

/** Maximum delay of a write in milliseconds, so that constant changes do not prevent it. */
const maxSaveDelayMs = 5_000;

/** Acts once there were no marks for a while. */
function createDebouncer(clock: Clock, quietMs: number, act: () => void) {
  let burst: { readonly since: number; readonly timer: Disposable } | undefined;
  return {
    mark() {
      const now = clock.now();
      const since = burst?.since ?? now;
      burst?.timer.dispose();
      const timer = clock.after(Math.min(quietMs, Math.max(0, since + maxSaveDelayMs - now)), () => {
        burst = undefined;
        act();
      });
      burst = { since, timer };
    },
    dispose() {
      burst?.timer.dispose();
      burst = undefined;
    },
  };
}

function newerFileProblem(file: string, version: number): Problem {
  const sentence = `The saved tool list was written by a newer version of Patchbay (format ${version}) and is not used.`;
  const fix = 'Update Patchbay, or delete the file to start with an empty list.';
  return problem('hub.newer_data', sentence, fix, { file, version });
}
