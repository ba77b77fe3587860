import type { ClientView } from '../../../shared/model/client.ts';
import type { Clock } from '../base/clock.ts';

/** When one session began, and what has come of its client since. */
export class SessionActivity {
  readonly connectedAt: number;
  readonly #clock: Clock;
  #calls = 0;
  #lastActiveAt: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.connectedAt = clock.now();
    this.#lastActiveAt = this.connectedAt;
  }

  /** Its client has said something. */
  heard(): void {
    this.#lastActiveAt = this.#clock.now();
  }

  called(): void {
    this.#calls++;
    this.heard();
  }

  get shown(): Pick<ClientView, 'calls' | 'connectedAt' | 'lastActiveAt'> {
    const { connectedAt } = this;
    return { connectedAt, calls: this.#calls, lastActiveAt: this.#lastActiveAt };
  }
}
