import type { CatalogueView } from '../../catalogue/contract.ts';
import { canonicalId } from '../../catalogue/wire-name.ts';
import { type Route, routeToTool } from '../locate.ts';

/**
 * Resolves a fallback, which the config names by canonical id. Returns undefined if it is unknown, turned
 * off, hidden from this client, or the tool itself. Fallbacks of fallbacks are ignored, so that there are no
 * cycles.
 */
export function routeToFallback(id: string, view: CatalogueView, failed: Route): Route | undefined {
  const lookup = view.findTool(id);
  if (lookup.kind !== 'found') return undefined;
  const found = canonicalId(lookup.target.serverKey, lookup.target.name);
  const failedId = canonicalId(failed.serverKey, failed.name ?? '');
  return found === id && found !== failedId ? routeToTool(lookup.target) : undefined;
}
