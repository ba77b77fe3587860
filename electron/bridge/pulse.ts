import type { Clock } from '../engine/base/clock.ts';
import type { Disposable } from '../engine/base/emitter.ts';

export interface HeartbeatOptions {
  readonly clock: Clock;
  /** Returns true if an answer is pending. */
  readonly isAwaited: () => boolean;
  /**
   * Returns what may delay the hub's answer: we are not reading from it (`deaf`), or it has much to read
   * before the ping (`busy`).
   */
  readonly obstacle: () => 'none' | 'deaf' | 'busy';
  /** Sends anything that the hub will answer. */
  readonly ping: () => void;
  /** Called when the hub has not answered. */
  readonly onSilent: () => void;
}

/** Detects that a hub no longer answers while a request is pending; has no timer otherwise. */
export class Heartbeat {
  readonly #options: HeartbeatOptions;
  #timer: Disposable | undefined;
  #hasReceived = false;
  #silences = 0;

  constructor(options: HeartbeatOptions) {
    this.#options = options;
  }

  /** Starts checking, after a request was sent. */
  expectAnswer(): void {
    if (this.#timer === undefined) this.#schedule();
  }

  /** Records a message of the hub. */
  received(): void {
    this.#hasReceived = true;
  }

  stop(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
  }

  #schedule(): void {
    this.#timer = this.#options.clock.after(intervalMs, () => this.#check());
  }

  #check(): void {
    const { isAwaited, obstacle: hindrance, ping, onSilent } = this.#options;
    this.#timer = undefined;
    const hindered = hindrance();
    const isAsked = isAwaited();
    const isWell = this.#hasReceived || hindered === 'deaf' || !isAsked;
    this.#hasReceived = false;
    this.#silences = isWell ? 0 : this.#silences + 1;
    if (!isAsked) return;
    if (this.#silences === 1) ping();
    if (this.#silences >= (hindered === 'busy' ? maxSilences.busy : maxSilences.free)) onSilent();
    else this.#schedule();
  }
}

/** Milliseconds between two checks. */
const intervalMs = 10_000;
/** Consecutive checks without a message; the first of them sends a ping. */
const maxSilences = { free: 3, busy: 12 } as const;
