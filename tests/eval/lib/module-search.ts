import type { ToolClassifier } from '../../../electron/engine/search/contract.ts';
import { byServer, openSearch } from './open-search.ts';
import type { LabelledTool } from './read-data.ts';

/** Returns the hits of a search as `server:tool`, best first. */
export type Finder = (query: string) => Promise<readonly string[]>;

/** The search of the program over these tools. As it is shipped, everything is classified by rules, without a network. */
export async function moduleSearch(
  tools: readonly LabelledTool[],
  classifier?: ToolClassifier,
): Promise<Finder> {
  const servers = byServer(tools.map(({ document }) => document));
  const { book, index } = await openSearch(servers, classifier);
  // Stops retries of tools that could not be classified.
  book.dispose();
  return async (query) => {
    const { hits } = index.search({ query, limit: 10 }, { isConnected: () => true });
    return hits.map(({ serverKey, name }) => `${serverKey}:${name}`);
  };
}
