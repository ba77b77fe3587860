import type { Clock } from '../engine/base/clock.ts';
import type { Disposable } from '../engine/base/emitter.ts';

export interface PulseOptions {
  readonly clock: Clock;
  /** Returns true if an answer is pending. */
  readonly isAwaited: () => boolean;
  /**
   * Returns what may delay the hub's answer: we are not reading from it (`deaf`), or it has much to read
   * before the ping (`busy`).
   */
  readonly hindrance: () => 'none' | 'deaf' | 'busy';
  /** Sends anything that the hub will answer. */
  readonly ping: () => void;
  /** Called when the hub has not answered. */
  readonly onSilent: () => void;
}

/** Detects that a hub no longer answers while a request is pending; has no timer otherwise. */
export class Pulse {
  readonly #options: PulseOptions;
  #timer: Disposable | undefined;
  #isHeard = false;
  #silences = 0;

  constructor(options: PulseOptions) {
    this.#options = options;
  }

  /** Starts checking, after a request was sent. */
  expect(): void {
    if (this.#timer === undefined) this.#rest();
  }

  /** Records a message of the hub. */
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

/** Milliseconds between two checks. */
const interval = 10_000;
/** Consecutive checks without a message; the first of them sends a ping. */
const patience = { free: 3, busy: 12 } as const;
