import type { ToolClassifications } from '../classify/tool-classifications.ts';
import type { SearchIndex } from '../index/search-index.ts';
import type { RecentUses } from './recent-uses.ts';
import type { ServerDocuments } from './server-documents.ts';

/** The search module, loaded on demand. */
export type SearchModule = typeof import('../search-module.ts');

export interface LiveIndexOptions {
  readonly documents: ServerDocuments;
  readonly uses: RecentUses;
  readonly loadSearch: () => Promise<SearchModule>;
  readonly skills: () => Promise<ToolClassifications>;
  /** Brings `documents` up to date with the catalogue. */
  readonly refresh: () => Promise<void>;
}

/** The index over the whole catalogue, built and updated on search. */
export class LiveIndex {
  readonly #options: LiveIndexOptions;
  readonly #outdated = new Set<string>();
  #index: SearchIndex | undefined;
  #syncing: Promise<SearchIndex> | undefined;

  constructor(options: LiveIndexOptions) {
    this.#options = options;
  }

  /** Marks a server whose classification changed but not its listing. */
  markOutdated(serverKey: string): void {
    this.#outdated.add(serverKey);
  }

  forget(): void {
    this.#index = undefined;
    this.#outdated.clear();
  }

  /** Brings the index up to date with the catalogue. Concurrent searches share one update. */
  sync(): Promise<SearchIndex> {
    this.#syncing ??= this.#syncNow().finally(() => {
      this.#syncing = undefined;
    });
    return this.#syncing;
  }

  async #syncNow(): Promise<SearchIndex> {
    const { documents: offered, uses, refresh } = this.#options;
    const room = await this.#options.loadSearch();
    const book = await this.#options.skills();
    await uses.read();
    await refresh();
    const index = this.#index ?? room.openSearchIndex(book, (key) => uses.of(key));
    this.#index = index;
    for (const key of index.servers) if (!offered.has(key)) index.set(key, []);
    let since = performance.now();
    for (const [key, documents] of offered.all()) {
      if (index.documents(key) === documents && !this.#outdated.has(key)) continue;
      this.#outdated.delete(key);
      index.set(key, documents);
      if (performance.now() - since < sliceMs) continue;
      await new Promise((resolve) => setImmediate(resolve));
      since = performance.now();
    }
    return index;
  }
}

/** Milliseconds that indexing may block the event loop. */
const sliceMs = 8;
