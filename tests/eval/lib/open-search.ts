import { systemClock } from '../../../electron/engine/base/clock.ts';
import type { SearchDocument, ToolClassifier } from '../../../electron/engine/search/contract.ts';
import {
  openSearchIndex,
  openToolClassifications,
  ruleClassifier,
} from '../../../electron/engine/search/room.ts';

export type ByServer = ReadonlyMap<string, readonly SearchDocument[]>;

export function byServer(documents: Iterable<SearchDocument>): ByServer {
  const servers = new Map<string, SearchDocument[]>();
  for (const document of documents) {
    const { serverKey } = document;
    servers.set(serverKey, [...(servers.get(serverKey) ?? []), document]);
  }
  return servers;
}

/** The skills of these tools, of which nothing is kept; by rules as they are shipped. */
export function openBook(servers: ByServer, classifier: ToolClassifier = ruleClassifier()) {
  return openToolClassifications({
    clock: systemClock,
    keeper: {
      load: async () => ({ tools: [], suggestions: [] }),
      saveTools() {},
      saveSuggestion() {},
      forget() {},
    },
    tools: () => servers,
    classifier: async () => classifier,
    report: (error) => console.error(error),
  });
}

/** The skills and the index of these tools, classified. */
export async function openSearch(servers: ByServer, classifier?: ToolClassifier) {
  const book = openBook(servers, classifier);
  await book.catchUp();
  const index = openSearchIndex(book, () => undefined);
  for (const [server, documents] of servers) index.set(server, documents);
  return { book, index };
}
