import type { CatalogueView, RawItem } from '../contract.ts';
import { compactTools } from './compact-tools.ts';
import { derivedView } from './derived-view.ts';

/**
 * Returns a view with a short list of tools: search, describe and call, and those that can be called directly
 * (`server:tool`), in this order. All others can still be called by name.
 */
export function compactView(view: CatalogueView, direct: readonly string[]): CatalogueView {
  let tools: readonly RawItem[] | undefined;
  return derivedView(view, {
    tools() {
      tools ??= shortList(view, direct);
      return tools;
    },
    findTool: (name) => (isHubTool(name) ? { kind: 'unknown', name } : view.findTool(name)),
  });
}

/** Checks for the names of the hub's own tools; tools of servers with such a name need their full name. */
function isHubTool(name: string): boolean {
  return compactTools.some((tool) => tool.name === name);
}

/** Returns an empty list if there is nothing to search. */
function shortList(view: CatalogueView, direct: readonly string[]): readonly RawItem[] {
  if (view.tools.length === 0) return [];
  if (direct.length === 0) return compactTools;
  const listed = new Map(view.tools.map((item) => [item.name, item]));
  const named = direct.flatMap((id) => {
    const found = view.findTool(id);
    const item = found.kind === 'found' ? listed.get(found.target.wireName) : undefined;
    return item === undefined ? [] : [item];
  });
  return [...compactTools, ...new Set(named)];
}
