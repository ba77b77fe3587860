import type { ToolSummary } from '../../../../shared/model/tool/tool.ts';
import { matchesWords } from '../../../lib/text/match-words.ts';
import type { IndexedGroup } from '../../../lib/tool/tool-rows.ts';

/** A row of the tree: a server or one of its tools. */
export type ProfileRow =
  | {
      readonly kind: 'server';
      readonly key: string;
      /** The matching tools, or all without a search. */
      readonly hits: readonly ToolSummary[];
      readonly tools: readonly ToolSummary[];
      readonly open: boolean;
    }
  | { readonly kind: 'tool'; readonly key: string; readonly tool: ToolSummary };

/** Returns all servers with the tools of expanded ones; during a search, only what matches. */
export function profileRows(
  groups: readonly IndexedGroup[],
  words: readonly string[],
  opened: ReadonlySet<string>,
): readonly ProfileRow[] {
  return groups.flatMap(({ serverKey: key, tools, texts }): readonly ProfileRow[] => {
    const isFound = words.length > 0 && matchesWords(key.toLowerCase(), words);
    const hits =
      words.length === 0 || isFound
        ? tools
        : tools.filter((_tool, index) => matchesWords(texts[index] ?? '', words));
    if (words.length > 0 && !isFound && hits.length === 0) return [];
    const open = opened.has(key) || (words.length > 0 && !isFound);
    const lines = open ? hits.map((tool): ProfileRow => ({ kind: 'tool', key, tool })) : [];
    return [{ kind: 'server', key, hits, tools, open }, ...lines];
  });
}
