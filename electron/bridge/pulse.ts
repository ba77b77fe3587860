import type { Clock } from '../engine/base/clock.ts';
import type { Disposable } from '../engine/base/emitter.ts';

export interface PulseOptions {
  readonly clock: Clock;
  /** Whether an answer is waited for. */
  readonly isAwaited: () => boolean;
  /** What keeps the hub from being heard: we do not read what it says, or it has much of ours to read before the ping. */
  readonly hindrance: () => 'none' | 'deaf' | 'busy';
  /** Anything it will answer. */
  readonly ping: () => void;
  /** It has not answered. */
  readonly onSilent: () => void;
}

/** Notices that a hub no longer answers while something waits for it; has no timer while nothing does. */
export class Pulse {
  readonly #options: PulseOptions;
  #timer: Disposable | undefined;
  #isHeard = false;
  #silences = 0;

  constructor(options: PulseOptions) {
    this.#options = options;
  }

  /** Something has been asked. */
  expect(): void {
    if (this.#timer === undefined) this.#rest();
  }

  /** The hub has said something. */
  heard(): void {
    this.#isHeard = true;
  }

  stop(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
  }

  #rest(): void {
    this.#timer = this.#options.clock.after(interval, () => this.#look());
  }

  #look(): void {
    const { isAwaited, hindrance, ping, onSilent } = this.#options;
    this.#timer = undefined;
    const hindered = hindrance();
    const isAsked = isAwaited();
    const isWell = this.#isHeard || hindered === 'deaf' || !isAsked;
    this.#isHeard = false;
    this.#silences = isWell ? 0 : this.#silences + 1;
    if (!isAsked) return;
    if (this.#silences === 1) ping();
    if (this.#silences >= (hindered === 'busy' ? patience.busy : patience.free)) onSilent();
    else this.#rest();
  }
}

/** Milliseconds between two looks. */
const interval = 10_000;
/** Looks in a row without a word; the first of them asks for one. */
const patience = { free: 3, busy: 12 } as const;
