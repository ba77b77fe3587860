import { systemClock } from '../../../electron/engine/base/clock.ts';
import type { SearchDocument, ToolClassifier } from '../../../electron/engine/search/contract.ts';
import { openSearchIndex, openSkillBook, ruleClassifier } from '../../../electron/engine/search/room.ts';
import type { LabelledTool } from './read-data.ts';

/** What a search finds, as `server:tool`, the best first. */
export type Finder = (query: string) => Promise<readonly string[]>;

/** The search of the program over these tools. As it is shipped, everything is classified by rules, without a network. */
export async function moduleSearch(
  tools: readonly LabelledTool[],
  classifier: ToolClassifier = ruleClassifier(),
): Promise<Finder> {
  const byServer = new Map<string, SearchDocument[]>();
  for (const { document } of tools)
    byServer.set(document.serverKey, [...(byServer.get(document.serverKey) ?? []), document]);
  const book = openSkillBook({
    clock: systemClock,
    keeper: {
      load: async () => ({ tools: [], suggestions: [] }),
      saveTools() {},
      saveSuggestion() {},
      forget() {},
    },
    tools: () => byServer,
    classifier: async () => classifier,
    report: (error) => console.error(error),
  });
  await book.catchUp();
  const index = openSearchIndex(book, () => undefined);
  for (const [server, documents] of byServer) index.set(server, documents);
  // What could not be classified is tried again later, which nobody waits for here.
  book.dispose();
  return async (query) => {
    const { hits } = index.search({ query, limit: 10 }, { isConnected: () => true });
    return hits.map(({ serverKey, name }) => `${serverKey}:${name}`);
  };
}
