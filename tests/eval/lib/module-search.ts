import type { ToolClassifier } from '../../../electron/engine/search/contract.ts';
import { byServer, openSearch } from './open-search.ts';
import type { LabelledTool } from './read-data.ts';

/** What a search finds, as `server:tool`, the best first. */
export type Finder = (query: string) => Promise<readonly string[]>;

/** The search of the program over these tools. As it is shipped, everything is classified by rules, without a network. */
export async function moduleSearch(
  tools: readonly LabelledTool[],
  classifier?: ToolClassifier,
): Promise<Finder> {
  const servers = byServer(tools.map(({ document }) => document));
  const { book, index } = await openSearch(servers, classifier);
  // What could not be classified is tried again later, which nobody waits for here.
  book.dispose();
  return async (query) => {
    const { hits } = index.search({ query, limit: 10 }, { isConnected: () => true });
    return hits.map(({ serverKey, name }) => `${serverKey}:${name}`);
  };
}
