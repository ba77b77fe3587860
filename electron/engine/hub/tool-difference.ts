import type { ToolDifference } from '../../../shared/model/server-update.ts';
import type { RawItem, ServerListing } from '../catalogue/contract.ts';
import { serializeItems } from '../catalogue/item-text.ts';

/** Compares the tools of two listings by their text; without an earlier listing all tools are new. */
export function toolDifference(before: ServerListing | undefined, after: ServerListing): ToolDifference {
  const older = textsByName(before?.tools ?? []);
  const newer = textsByName(after.tools);
  const names = [...newer.keys()];
  return {
    added: names.filter((name) => !older.has(name)),
    removed: [...older.keys()].filter((name) => !newer.has(name)),
    changed: names.filter((name) => older.has(name) && older.get(name) !== newer.get(name)),
  };
}

function textsByName(tools: readonly RawItem[]): ReadonlyMap<string, string> {
  return new Map(
    tools.flatMap((tool) => (typeof tool.name === 'string' ? [[tool.name, serializeItems([tool])]] : [])),
  );
}
