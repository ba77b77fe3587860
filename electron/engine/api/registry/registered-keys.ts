import type { Clock } from '../../base/clock.ts';
import type { ConfigStore } from '../../config/contract.ts';
import { onKeysChanged } from '../../config/keys-changed.ts';
import type { RegistryStore } from './registry-store.ts';

/**
 * Keeps the id of a renamed server, and restores it when a removed server comes back, by undo or by hand; a
 * different server with the same name gets a new id.
 */
export class RegisteredKeys {
  readonly #store: RegistryStore;
  readonly #clock: Clock;
  /** Previous keys by new key. */
  readonly #renamed = new Map<string, string>();
  #report: (error: unknown) => void = () => {};

  constructor(store: RegistryStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** See ConfigStoreOptions. */
  newKey(key: string, from: string | undefined): void {
    if (from !== undefined) {
      this.#renamed.set(key, from);
      return;
    }
    this.#renamed.delete(key);
    this.#store.forget(key).catch((error: unknown) => this.#report(error));
  }

  /** `report` receives write errors. */
  follow(config: Pick<ConfigStore, 'state' | 'onChange'>, report: (error: unknown) => void): void {
    this.#report = report;
    onKeysChanged(config, (removed, added) => void this.#move(removed, added).catch(report));
  }

  async #move(removed: ReadonlySet<string>, added: readonly string[]): Promise<void> {
    const renamed = new Set<string>();
    for (const key of added) {
      const from = this.#renamed.get(key);
      this.#renamed.delete(key);
      const isRenamed = from !== undefined && removed.has(from);
      if (isRenamed) renamed.add(from);
      await (isRenamed ? this.#store.rename(from, key) : this.#store.restore(key));
    }
    for (const key of removed) if (!renamed.has(key)) await this.#store.remove(key, this.#clock.now());
  }
}
