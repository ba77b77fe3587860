import type { ToolSummary } from '../../../shared/model/tool/tool.ts';
import { matchesWords, queryWords } from '../text/match-words.ts';

export interface ToolGroup {
  readonly serverKey: string;
  readonly tools: readonly ToolSummary[];
}

/** A group with the lower-case search text of each tool, computed once per list, not per key press. */
export interface IndexedGroup extends ToolGroup {
  readonly texts: readonly string[];
}

/** A row of a tool list: a server's header or a tool. */
export type ToolRow =
  | {
      readonly kind: 'group';
      readonly group: ToolGroup;
      readonly hits: readonly ToolSummary[];
      readonly open: boolean;
    }
  | { readonly kind: 'tool'; readonly tool: ToolSummary };

export function indexTools(groups: readonly ToolGroup[]): readonly IndexedGroup[] {
  return groups.map((group) => ({ ...group, texts: group.tools.map(searchText) }));
}

/**
 * Returns the rows to show. With `collapsed` there is a header for each server with hits; without it, only
 * tools. During a search every hit is shown, collapsed or not.
 */
export function toolRows(
  groups: readonly IndexedGroup[],
  query: string,
  collapsed?: ReadonlySet<string>,
): readonly ToolRow[] {
  const words = queryWords(query);
  return groups.flatMap((group): readonly ToolRow[] => {
    const hits =
      words.length === 0
        ? group.tools
        : group.tools.filter((_tool, index) => matchesWords(group.texts[index] ?? '', words));
    if (hits.length === 0) return [];
    const lines = hits.map((tool): ToolRow => ({ kind: 'tool', tool }));
    if (collapsed === undefined) return lines;
    const open = words.length > 0 || !collapsed.has(group.serverKey);
    return [{ kind: 'group', group, hits, open }, ...(open ? lines : [])];
  });
}

/** Returns the tools in the rows, including those of collapsed groups. */
export function hitsOf(rows: readonly ToolRow[]): readonly ToolSummary[] {
  return rows.flatMap((row) => (row.kind === 'group' ? row.hits : []));
}

function searchText(tool: ToolSummary): string {
  return `${tool.serverKey} ${tool.name} ${tool.title ?? ''} ${tool.description ?? ''}`.toLowerCase();
}
