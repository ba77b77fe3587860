import { type Problem, problem, toProblem } from '../../../shared/error/problem.ts';
import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/emitter.ts';
import { SerialQueue } from '../base/queue.ts';
import { writePrivateFile } from '../store/atomic-file.ts';
import { isKeptAlike } from './catalogue-diff.ts';
import { formatCatalogue, readCatalogueFile } from './catalogue-file.ts';
import type { Catalogue } from './contract.ts';

export interface DiskCacheOptions {
  readonly file: string;
  readonly clock: Clock;
  /** How long nothing must have changed before it is written, in milliseconds; see {@link longestWait}. */
  readonly saveAfter?: number;
  /** Told when the file cannot be used or written; the hub works on without it. Undefined when writing works again. */
  readonly report: (problem: Problem | undefined) => void;
}

/** What all servers offered last time, kept for the next start and for bridges whose hub is down. */
export interface DiskCache {
  /** As read when opened; undefined if there was nothing usable. */
  readonly stored: Catalogue | undefined;
  /** Writes the catalogue once changes have settled; the last one given counts. */
  save(catalogue: Catalogue): void;
  /** Writes what is pending now; resolves when it is on disk, or has failed and was reported. */
  flush(): Promise<void>;
}

/** Opens the file. A damaged one counts as empty and is replaced; one of a newer program is left alone for good. */
export async function openDiskCache(options: DiskCacheOptions): Promise<DiskCache> {
  const { file, report } = options;
  const read = await readCatalogueFile(file);
  if (read.kind === 'newer') {
    report(newerFile(file, read.version));
    return { stored: undefined, save: () => {}, flush: () => Promise.resolve() };
  }
  return createWriter(options, read.kind === 'catalogue' ? read.catalogue : undefined);
}

function createWriter(
  { file, clock, saveAfter = 500, report }: DiskCacheOptions,
  stored?: Catalogue,
): DiskCache {
  const queue = new SerialQueue();
  let pending: Catalogue | undefined;
  /** What the file holds. */
  let written = stored;
  let isFailing = false;

  async function write(): Promise<void> {
    const catalogue = pending;
    pending = undefined;
    if (catalogue === undefined) return;
    if (written !== undefined && isKeptAlike(catalogue, written)) return;
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

  const whenSettled = createSettler(clock, saveAfter, () => void queue.run(write));
  return {
    stored,
    save(catalogue) {
      pending = catalogue;
      whenSettled.mark();
    },
    flush() {
      whenSettled.dispose();
      return queue.run(write);
    },
  };
}

/** Milliseconds that a change waits at most: servers that change all the time must not keep it from the disk. */
const longestWait = 5_000;

/** Acts once marks have stopped for a while. */
function createSettler(clock: Clock, quiet: number, act: () => void) {
  let burst: { readonly since: number; readonly timer: Disposable } | undefined;
  return {
    mark() {
      const now = clock.now();
      const since = burst?.since ?? now;
      burst?.timer.dispose();
      const timer = clock.after(Math.min(quiet, Math.max(0, since + longestWait - now)), () => {
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

function newerFile(file: string, version: number): Problem {
  const sentence = `The catalogue cache was written by a newer version of the program (form ${version}) and is left alone.`;
  const fix = 'Update the program, or delete the file to start with an empty cache.';
  return problem('hub.newer_data', sentence, fix, { file, version });
}
