import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/emitter.ts';

/** Limits how long clients wait for servers that have not settled: no longer than a first start may take. */
export class FirstStarts implements Disposable {
  readonly #clock: Clock;
  readonly #listeners = new Set<Listener>();
  /** Servers that have not settled, each with its timeout. */
  readonly #expected = new Map<string, Expectation>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Resolves when none of these servers is worth waiting for; `keys` is evaluated again each time. */
  settled(keys: () => readonly string[]): Promise<void> {
    if (!this.#isWorthWaiting(keys())) return Promise.resolve();
    return new Promise((resolve) => this.#listeners.add({ keys, resolve }));
  }

  /** Starts the timeout of each of these servers and forgets the others. */
  expect(keys: readonly string[]): void {
    for (const [key, { timer }] of this.#expected) {
      if (keys.includes(key)) continue;
      timer?.dispose();
      this.#expected.delete(key);
    }
    for (const key of keys) {
      if (this.#expected.has(key)) continue;
      const timer = this.#clock.after(firstStartTimeoutMs, () => {
        this.#expected.set(key, {});
        this.#notifyListeners();
      });
      this.#expected.set(key, { timer });
    }
    this.#notifyListeners();
  }

  dispose(): void {
    for (const { timer } of this.#expected.values()) timer?.dispose();
    this.#expected.clear();
    for (const { resolve } of this.#listeners) resolve();
    this.#listeners.clear();
  }

  #notifyListeners(): void {
    for (const listener of this.#listeners) {
      if (this.#isWorthWaiting(listener.keys())) continue;
      this.#listeners.delete(listener);
      listener.resolve();
    }
  }

  #isWorthWaiting(keys: readonly string[]): boolean {
    return keys.some((key) => this.#expected.get(key)?.timer !== undefined);
  }
}

interface Listener {
  readonly keys: () => readonly string[];
  readonly resolve: () => void;
}

/** Without a timer the server has exceeded its timeout. */
interface Expectation {
  readonly timer?: Disposable;
}

/**
 * Milliseconds: a first `npx` or `uvx` start downloads the package; one that takes longer may never answer.
 */
const firstStartTimeoutMs = 60_000;
