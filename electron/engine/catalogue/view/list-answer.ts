import { type ListMethod, listKeys } from '../../../../shared/model/mcp.ts';
import type { CatalogueView, RawItem } from '../contract.ts';

/** Returns the items that a list method responds with. */
export function itemsOf(view: CatalogueView, method: ListMethod): readonly RawItem[] {
  return view[listKeys[method]];
}
