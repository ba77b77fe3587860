import type { SkillBook } from '../../search/classify/skill-book.ts';
import type { SearchIndex } from '../../search/index/search-index.ts';
import type { RecentUses } from './recent-uses.ts';
import type { ServerDocuments } from './server-documents.ts';

/** The search, loaded when it is needed. */
export type Room = typeof import('../../search/room.ts');

export interface HubIndexOptions {
  readonly documents: ServerDocuments;
  readonly uses: RecentUses;
  readonly room: () => Promise<Room>;
  readonly skills: () => Promise<SkillBook>;
  /** Has `documents` be what the catalogue offers now. */
  readonly refresh: () => Promise<void>;
}

/** The index over everything that is offered, made and brought up to date when somebody searches. */
export class HubIndex {
  readonly #options: HubIndexOptions;
  readonly #outdated = new Set<string>();
  #index: SearchIndex | undefined;
  #syncing: Promise<SearchIndex> | undefined;

  constructor(options: HubIndexOptions) {
    this.#options = options;
  }

  /** What is known of the server's tools has changed, though not what it offers. */
  outdated(serverKey: string): void {
    this.#outdated.add(serverKey);
  }

  forget(): void {
    this.#index = undefined;
    this.#outdated.clear();
  }

  /** As the catalogue is now. Who searches at the same time waits for the same one. */
  sync(): Promise<SearchIndex> {
    this.#syncing ??= this.#syncNow().finally(() => {
      this.#syncing = undefined;
    });
    return this.#syncing;
  }

  async #syncNow(): Promise<SearchIndex> {
    const { documents: offered, uses, refresh } = this.#options;
    const room = await this.#options.room();
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

/** Milliseconds that indexing may hold everything else up. */
const sliceMs = 8;
