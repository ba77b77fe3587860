import type { ConfigStore } from '../config/contract.ts';
import { onKeysChanged } from '../config/keys-changed.ts';
import { dropServers, restoreSelections, selectionsOf } from './profile-data.ts';
import type { ProfileStore } from './profile-store.ts';

/**
 * Takes a removed server out of its profiles, so that another server with the same name is not in them by
 * mistake, and puts it back if it returns while the hub runs. A renamed server keeps its profiles.
 */
export class ProfileServerSync {
  readonly #removed = new Map<string, ReturnType<typeof selectionsOf>>();
  /** New key -> previous key. */
  readonly #renamed = new Map<string, string>();

  /** See ConfigStoreOptions. */
  onNewKey(key: string, from: string | undefined): void {
    this.#removed.delete(key);
    if (from === undefined) this.#renamed.delete(key);
    else this.#renamed.set(key, from);
  }

  /** `report` gets errors of writing the file. */
  follow(
    config: Pick<ConfigStore, 'state' | 'onChange'>,
    store: ProfileStore,
    report: (error: unknown) => void,
  ): void {
    onKeysChanged(config, (removed, added) => void this.#move(removed, added, store).catch(report));
  }

  #move(removed: ReadonlySet<string>, added: readonly string[], store: ProfileStore): Promise<void> {
    return store.edit((data) => {
      for (const key of removed) this.#removed.set(key, selectionsOf(data, key));
      return added.reduce(
        (next, key) => restoreSelections(next, key, this.#selectionsOf(key, removed)),
        dropServers(data, removed),
      );
    });
  }

  /** A copy of a server is in no profile yet. */
  #selectionsOf(key: string, removed: ReadonlySet<string>): ReturnType<typeof selectionsOf> {
    const from = this.#renamed.get(key);
    return this.#removed.get(from !== undefined && removed.has(from) ? from : key) ?? {};
  }
}
