import type { CatalogueServer } from '../../electron/engine/catalogue/contract.ts';
import { documentsOf } from '../../electron/engine/search/index/documents.ts';
import { SearchIndex, type SearchIndexOptions } from '../../electron/engine/search/index/search-index.ts';
import type { SearchQuery } from '../../shared/model/tool/search.ts';

/** An index over these servers, all of them on, that knows no skills and no calls unless told otherwise. */
export function indexOf(
  servers: readonly CatalogueServer[],
  options: Partial<SearchIndexOptions> = {},
): SearchIndex {
  const index = new SearchIndex({
    knowledgeOf: () => undefined,
    skillNames: () => new Map(),
    skillsOfQuery: () => new Map(),
    usesOf: () => undefined,
    ...options,
  });
  for (const server of servers) index.set(server.key, documentsOf(server, true));
  return index;
}

/** Returns the hits as `server:name`, best first. */
export function find(
  index: SearchIndex,
  query: string,
  more: Partial<SearchQuery> = {},
  isConnected: (key: string) => boolean = () => true,
): readonly string[] {
  const { hits } = index.search({ query, limit: 10, ...more }, { isConnected });
  return hits.map(({ serverKey, name }) => `${serverKey}:${name}`);
}
