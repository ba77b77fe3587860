import type { HubLifecycle } from '../lifecycle/hub-lifecycle.ts';
import type { Disposable } from '../port/disposable.ts';
import type { BatchedEvent } from './event-batch.ts';

export interface WatchListOptions {
  readonly hub: Pick<HubLifecycle, 'hub' | 'running' | 'onRunning'>;
  readonly push: (event: BatchedEvent) => void;
}

/**
 * Subscriptions of the window beyond its mirrored state: displayed logs and health, and memory while it is
 * visible. Costs nothing otherwise.
 */
export class WatchList implements Disposable {
  readonly #logs = new Map<string, Disposable>();
  readonly #health = new Map<string, Disposable>();
  #activity: Disposable | undefined;
  #isActivityWanted = false;
  #usage: UsageWatch = { wanted: false, visible: false };
  readonly #options: WatchListOptions;

  constructor(options: WatchListOptions) {
    this.#options = options;
    options.hub.onRunning(() => {
      this.#forgetEarlierHub();
      this.#followActivity();
      this.#setUsage(this.#usage);
    });
  }

  #forgetEarlierHub(): void {
    const { running, ...usage } = this.#usage;
    running?.dispose();
    this.#usage = usage;
    this.#activity?.dispose();
    this.#activity = undefined;
  }

  /** Throws ProblemError for an unknown server. Watching twice has no further effect. */
  watchLog(key: string): void {
    if (this.#logs.has(key)) return;
    const { hub, push } = this.#options;
    const watch = hub.hub.watchLog(key, (lines) => push({ name: 'server.log', payload: { key, lines } }));
    this.#logs.set(key, watch);
  }

  unwatchLog(key: string): void {
    this.#logs.get(key)?.dispose();
    this.#logs.delete(key);
  }

  /** Throws and repeats like {@link watchLog}. */
  watchHealth(key: string): void {
    if (this.#health.has(key)) return;
    const { hub, push } = this.#options;
    const watch = hub.hub.watchHealth(key, (samples) =>
      push({ name: 'server.health', payload: { key, samples } }),
    );
    this.#health.set(key, watch);
  }

  unwatchHealth(key: string): void {
    this.#health.get(key)?.dispose();
    this.#health.delete(key);
  }

  /** A window may watch before the hub runs. */
  watchActivity(isWanted: boolean): void {
    this.#isActivityWanted = isWanted;
    if (!isWanted) {
      this.#activity?.dispose();
      this.#activity = undefined;
    }
    this.#followActivity();
  }

  watchUsage(wanted: boolean): void {
    this.#setUsage({ ...this.#usage, wanted });
  }

  setVisible(visible: boolean): void {
    this.#setUsage({ ...this.#usage, visible });
  }

  /** Ends all subscriptions, because the window is gone or reloading. */
  dispose(): void {
    for (const key of [...this.#logs.keys()]) this.unwatchLog(key);
    for (const key of [...this.#health.keys()]) this.unwatchHealth(key);
    this.watchActivity(false);
    this.watchUsage(false);
  }

  #setUsage({ wanted, visible }: UsageWatch): void {
    const running = this.#usage.running;
    const needed = wanted && visible;
    if (!needed) running?.dispose();
    const kept = needed ? (running ?? this.#subscribe()) : undefined;
    this.#usage = { wanted, visible, ...(kept === undefined ? {} : { running: kept }) };
  }

  #subscribe(): Disposable | undefined {
    const { hub, push } = this.#options;
    return hub.running?.watchUsage((usage) => push({ name: 'process.usage', payload: { usage } }));
  }

  #followActivity(): void {
    const { hub, push } = this.#options;
    if (!this.#isActivityWanted || hub.running === undefined) return;
    this.#activity ??= hub.running.watchActivity((payload) => push({ name: 'activity.added', payload }));
  }
}

interface UsageWatch {
  readonly wanted: boolean;
  readonly visible: boolean;
  /** Present exactly while both of the above are true. */
  readonly running?: Disposable;
}
