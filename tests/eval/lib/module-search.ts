import type {
  ClassificationOf,
  SearchDocument,
  ToolClassifier,
} from '../../../electron/engine/search/contract.ts';
import type { Similarity } from '../../../electron/engine/search/meaning/meaning.ts';
import { byServer, openSearch } from './open-search.ts';
import type { LabelledTool } from './read-data.ts';

/** What a search finds, as `server:tool`, the best first. */
export type Finder = (query: string) => Promise<readonly string[]>;

/** How near documents are to a query, for a search that counts meaning too. */
export type MeaningOf = (
  documents: readonly SearchDocument[],
  knowledgeOf: ClassificationOf,
) => Promise<(query: string) => Promise<Similarity>>;

/** The search of the program over these tools. As it is shipped, everything is classified by rules, without a network. */
export async function moduleSearch(
  tools: readonly LabelledTool[],
  classifier?: ToolClassifier,
  meaningOf?: MeaningOf,
): Promise<Finder> {
  const servers = byServer(tools.map(({ document }) => document));
  const { book, index } = await openSearch(servers, classifier);
  // What could not be classified is tried again later, which nobody waits for here.
  book.dispose();
  const near = await meaningOf?.([...servers.values()].flat(), (key, name) => book.knowledgeOf(key, name));
  return async (query) => {
    const meaning = await near?.(query);
    const moment = { isConnected: () => true, ...(meaning === undefined ? {} : { meaning }) };
    const { hits } = index.search({ query, limit: 10 }, moment);
    return hits.map(({ serverKey, name }) => `${serverKey}:${name}`);
  };
}
