import { systemClock } from '../../../electron/engine/base/clock.ts';
import type {
  KnowledgeOf,
  SearchDocument,
  ToolClassifier,
} from '../../../electron/engine/search/contract.ts';
import type { Nearness } from '../../../electron/engine/search/meaning/meaning.ts';
import { openSearchIndex, openSkillBook, ruleClassifier } from '../../../electron/engine/search/room.ts';
import type { LabelledTool } from './read-data.ts';

/** What a search finds, as `server:tool`, the best first. */
export type Finder = (query: string) => Promise<readonly string[]>;

/** How near documents are to a query, for a search that counts meaning too. */
export type MeaningOf = (
  documents: readonly SearchDocument[],
  knowledgeOf: KnowledgeOf,
) => Promise<(query: string) => Promise<Nearness>>;

/** The search of the program over these tools. As it is shipped, everything is classified by rules, without a network. */
export async function moduleSearch(
  tools: readonly LabelledTool[],
  classifier: ToolClassifier = ruleClassifier(),
  meaningOf?: MeaningOf,
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
  const near = await meaningOf?.([...byServer.values()].flat(), (key, name) => book.knowledgeOf(key, name));
  return async (query) => {
    const meaning = await near?.(query);
    const moment = { isConnected: () => true, ...(meaning === undefined ? {} : { meaning }) };
    const { hits } = index.search({ query, limit: 10 }, moment);
    return hits.map(({ serverKey, name }) => `${serverKey}:${name}`);
  };
}
