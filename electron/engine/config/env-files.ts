import { type Clock, delay } from '../base/clock.ts';
import type { Disposable } from '../base/emitter.ts';
import { type EnvFile, readEnvFile } from './env-file.ts';

interface Known {
  /** Under way. */
  reading?: Promise<EnvFile>;
  /** Came when nobody waited any more: all who ask at once get it, since a pipe yields it once. */
  late?: EnvFile;
  /** The last one that was good. */
  good?: EnvFile;
}

/**
 * Reads the `.env` files of entries without letting the whole config wait for one that is a pipe: what takes long counts
 * as it was last time, or as not there yet, and is told of when it has come.
 */
export class EnvFiles implements Disposable {
  readonly #clock: Clock;
  readonly #onLate: () => void;
  readonly #known = new Map<string, Known>();
  #isDisposed = false;

  constructor(clock: Clock, onLate: () => void) {
    this.#clock = clock;
    this.#onLate = onLate;
  }

  readonly read = async (file: string): Promise<EnvFile> => {
    const known = this.#known.get(file) ?? {};
    this.#known.set(file, known);
    if (known.late !== undefined) return known.late;
    const reading = known.reading ?? this.#begin(file, known);
    const read = await Promise.race([reading, delay(this.#clock, patience)]);
    return read ?? known.good ?? notYet;
  };

  dispose(): void {
    this.#isDisposed = true;
  }

  #begin(file: string, known: Known): Promise<EnvFile> {
    let isLate = false;
    void delay(this.#clock, patience).then(() => {
      isLate = true;
    });
    known.reading = readEnvFile(file).then((read) => {
      delete known.reading;
      if (read.ok) known.good = read;
      if (isLate) this.#came(known, read);
      return read;
    });
    return known.reading;
  }

  #came(known: Known, read: EnvFile): void {
    known.late = read;
    void delay(this.#clock, patience).then(() => {
      delete known.late;
    });
    if (!this.#isDisposed) this.#onLate();
  }
}

/** Milliseconds; what is a file has been read long before. */
const patience = 300;

const notYet: EnvFile = {
  ok: false,
  reason: 'this is a pipe that nobody has written to yet; it is waited for',
};
