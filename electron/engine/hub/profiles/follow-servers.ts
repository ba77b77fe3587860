import type { ConfigStore } from '../../config/contract.ts';
import { onOtherKeys } from '../other-keys.ts';
import type { ProfileBook } from './profile-book.ts';
import { bringBack, dropServers, partingOf } from './profile-data.ts';

/**
 * Takes a removed server out of its profiles, so that another server with the same name is not in them by
 * mistake, and puts it back if it returns while the hub runs. A renamed server keeps its profiles.
 */
export class ServerPlaces {
  readonly #partings = new Map<string, ReturnType<typeof partingOf>>();
  /** New key -> previous key. */
  readonly #renamed = new Map<string, string>();

  /** See ConfigStoreOptions. */
  newKey(key: string, from: string | undefined): void {
    this.#partings.delete(key);
    if (from === undefined) this.#renamed.delete(key);
    else this.#renamed.set(key, from);
  }

  /** `report` gets errors of writing the file. */
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

  /** A copy of a server is in no profile yet. */
  #placesOf(key: string, gone: ReadonlySet<string>): ReturnType<typeof partingOf> {
    const from = this.#renamed.get(key);
    return this.#partings.get(from !== undefined && gone.has(from) ? from : key) ?? {};
  }
}
