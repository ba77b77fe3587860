import type { ToolSummary } from '../../shared/model/tool.ts';
import { matchesWords, queryWords } from './match-words.ts';

export interface ToolGroup {
  readonly serverKey: string;
  readonly tools: readonly ToolSummary[];
}

/** A group with the lower-case text each tool is found by, made once per list and not per key press. */
export interface IndexedGroup extends ToolGroup {
  readonly texts: readonly string[];
}

/** A line of a tool list: the head of a server, or a tool. */
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
 * The lines to show. With `collapsed` there is a head per server that has hits; without it, only tools. While
 * something is searched for, every hit is shown, collapsed or not.
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

/** The tools among some lines; those of collapsed groups included. */
export function hitsOf(rows: readonly ToolRow[]): readonly ToolSummary[] {
  return rows.flatMap((row) => (row.kind === 'group' ? row.hits : []));
}

function searchText(tool: ToolSummary): string {
  return `${tool.serverKey} ${tool.name} ${tool.title ?? ''} ${tool.description ?? ''}`.toLowerCase();
}
