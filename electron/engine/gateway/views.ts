import type { ListMethod } from '../../../shared/schema/bridge-hello.ts';
import { digestOf } from '../base/digest.ts';
import type { Catalogue, CatalogueView, ClientProfile } from '../catalogue/contract.ts';
import { itemsOf } from '../catalogue/list-answer.ts';

/** Views of the current catalogue, made once per kind of client and shared by all sessions. */
export interface Views {
  of(catalogue: Catalogue, profile: ClientProfile): CatalogueView;
  /** Equal for two views exactly when a client would be told the same list. */
  digest(view: CatalogueView, method: ListMethod): string;
}

export function createViews(
  createView: (catalogue: Catalogue, profile: ClientProfile) => CatalogueView,
): Views {
  let made: { readonly catalogue: Catalogue; readonly views: Map<string, CatalogueView> } | undefined;
  const digests = new WeakMap<CatalogueView, Map<ListMethod, string>>();

  return {
    of(catalogue, profile) {
      if (made?.catalogue !== catalogue) made = { catalogue, views: new Map() };
      return getOrMake(made.views, profileKey(profile), () => createView(catalogue, profile));
    },
    digest(view, method) {
      const known = digests.get(view) ?? new Map<ListMethod, string>();
      digests.set(view, known);
      return getOrMake(known, method, () => digestOf(itemsOf(view, method)));
    },
  };
}

function profileKey({ style, budget, pattern }: ClientProfile): string {
  return `${style} ${budget} ${pattern}`;
}

function getOrMake<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
