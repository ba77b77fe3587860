import type { ClientView } from '../../../shared/model/client.ts';
import type { Clock } from '../base/clock.ts';

/** Records when a session started, and its client's activity since. */
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

  onMessage(): void {
    this.#lastActiveAt = this.#clock.now();
  }

  onCall(): void {
    this.#calls++;
    this.onMessage();
  }

  get view(): Pick<ClientView, 'calls' | 'connectedAt' | 'lastActiveAt'> {
    const { connectedAt } = this;
    return { connectedAt, calls: this.#calls, lastActiveAt: this.#lastActiveAt };
  }
}
