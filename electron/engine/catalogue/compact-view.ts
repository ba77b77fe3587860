import { compactTools } from './compact-tools.ts';
import type { CatalogueView, RawItem } from './contract.ts';

/**
 * The same with a short list of tools: those that search, describe and call, and some that can be called directly, by
 * `server:tool`, in this order. All others can still be called by their names.
 */
export function compactView(view: CatalogueView, direct: readonly string[]): CatalogueView {
  let tools: readonly RawItem[] | undefined;
  return {
    revision: view.revision,
    isWhole: view.isWhole,
    get tools() {
      tools ??= shortList(view, direct);
      return tools;
    },
    get prompts() {
      return view.prompts;
    },
    get resources() {
      return view.resources;
    },
    get resourceTemplates() {
      return view.resourceTemplates;
    },
    get problems() {
      return view.problems;
    },
    findTool: (name) => (isOwn(name) ? { kind: 'unknown', name } : view.findTool(name)),
    findPrompt: view.findPrompt,
    findResource: view.findResource,
    wireUri: view.wireUri,
  };
}

/** Whether a short list names the hub's own tool so: what servers have of this name goes by its whole one. */
function isOwn(name: string): boolean {
  return compactTools.some((tool) => tool.name === name);
}

/** Where there is nothing to search, it is as empty as the whole one. */
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
