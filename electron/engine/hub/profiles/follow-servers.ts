import type { ConfigStore } from '../../config/contract.ts';
import { onOtherKeys } from '../other-keys.ts';
import type { ProfileBook } from './profile-book.ts';
import { bringBack, dropServers, partingOf } from './profile-data.ts';

/**
 * A server that is removed leaves the profiles that had it, so that another one of its name is not in them by mistake; if it
 * comes back while the hub runs, by an undo or by hand, so do its places in them. Under another name it keeps them.
 */
export class ServerPlaces {
  readonly #partings = new Map<string, ReturnType<typeof partingOf>>();
  /** By its new key, the one that a server had. */
  readonly #renamed = new Map<string, string>();

  /** See ConfigStoreOptions. */
  newKey(key: string, from: string | undefined): void {
    this.#partings.delete(key);
    if (from === undefined) this.#renamed.delete(key);
    else this.#renamed.set(key, from);
  }

  /** `report` is told what could not be written. */
  follow(
    config: Pick<ConfigStore, 'state' | 'onChange'>,
    book: ProfileBook,
    report: (error: unknown) => void,
  ): void {
    onOtherKeys(config, (gone, come) => void this.#move(gone, come, book).catch(report));
  }

  #move(gone: ReadonlySet<string>, come: readonly string[], book: ProfileBook): Promise<void> {
    return book.edit((data) => {
      for (const key of gone) this.#partings.set(key, partingOf(data, key));
      return come.reduce(
        (next, key) => bringBack(next, key, this.#placesOf(key, gone)),
        dropServers(data, gone),
      );
    });
  }

  /** A copy has none of its own yet. */
  #placesOf(key: string, gone: ReadonlySet<string>): ReturnType<typeof partingOf> {
    const from = this.#renamed.get(key);
    return this.#partings.get(from !== undefined && gone.has(from) ? from : key) ?? {};
  }
}
