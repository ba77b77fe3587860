import { type Clock, delay } from '../../base/clock.ts';
import type { Disposable } from '../../base/emitter.ts';
import { type EnvFile, readEnvFile } from './env-file.ts';

interface FileState {
  /** The read in progress. */
  reading?: Promise<EnvFile>;
  /**
   * A result that arrived after the timeout; everybody who asks soon gets it, since a pipe yields it only
   * once.
   */
  late?: EnvFile;
  /** The last successful result. */
  lastSuccess?: EnvFile;
}

/**
 * Reads the `.env` files of entries without blocking the whole config on one that is a pipe: a slow file
 * counts as last read, or as not available yet, and `onLate` is called when it has arrived.
 */
export class EnvFiles implements Disposable {
  readonly #clock: Clock;
  readonly #onLate: () => void;
  readonly #states = new Map<string, FileState>();
  #isDisposed = false;

  constructor(clock: Clock, onLate: () => void) {
    this.#clock = clock;
    this.#onLate = onLate;
  }

  readonly read = async (file: string): Promise<EnvFile> => {
    const known = this.#states.get(file) ?? {};
    this.#states.set(file, known);
    if (known.late !== undefined) return known.late;
    const reading = known.reading ?? this.#startReading(file, known);
    const read = await Promise.race([reading, delay(this.#clock, timeoutMs)]);
    return read ?? known.lastSuccess ?? pendingFile;
  };

  dispose(): void {
    this.#isDisposed = true;
  }

  #startReading(file: string, known: FileState): Promise<EnvFile> {
    let isLate = false;
    void delay(this.#clock, timeoutMs).then(() => {
      isLate = true;
    });
    known.reading = readEnvFile(file).then((read) => {
      delete known.reading;
      if (read.ok) known.lastSuccess = read;
      if (isLate) this.#onArrived(known, read);
      return read;
    });
    return known.reading;
  }

  #onArrived(known: FileState, read: EnvFile): void {
    known.late = read;
    void delay(this.#clock, timeoutMs).then(() => {
      delete known.late;
    });
    if (!this.#isDisposed) this.#onLate();
  }
}

/** Milliseconds; a regular file is read much faster. */
const timeoutMs = 300;

const pendingFile: EnvFile = {
  ok: false,
  reason: 'this is a pipe that has sent no data yet; Patchbay is waiting for it',
};
