import type { CatalogueView } from '../../catalogue/contract.ts';
import { canonicalId } from '../../catalogue/wire-name.ts';
import { type Way, wayToTool } from '../locate.ts';

/**
 * The way to a fallback, which the config names by its canonical id; undefined where there is none: it is unknown,
 * switched off, not to be seen by this client, or the tool itself. A fallback's own fallbacks do not count, so that
 * there is no going round in circles.
 */
export function wayToFallback(id: string, view: CatalogueView, failed: Way): Way | undefined {
  const lookup = view.findTool(id);
  if (lookup.kind !== 'found') return undefined;
  const found = canonicalId(lookup.target.serverKey, lookup.target.name);
  const own = canonicalId(failed.serverKey, failed.name ?? '');
  return found === id && found !== own ? wayToTool(lookup.target) : undefined;
}
