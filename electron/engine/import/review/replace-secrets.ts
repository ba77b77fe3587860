import { isDeepStrictEqual } from 'node:util';
import type { PlainSecret } from '../../config/entry/plain-secrets.ts';
import type { Entry } from '../found.ts';
import { mapEntry } from '../reference/map-texts.ts';

export interface Replacement {
  readonly place: PlainSecret;
  readonly by: string;
}

/** Replaces secrets in an entry with other texts. */
export function replaceSecrets(entry: Entry, replacements: readonly Replacement[]): Entry {
  return mapEntry(entry, (text, path) =>
    replacements
      .filter(({ place }) => isDeepStrictEqual(place.path, path))
      .sort((a, b) => b.place.from - a.place.from)
      .reduce(
        (current, { place: { from, to }, by }) => current.slice(0, from) + by + current.slice(to),
        text,
      ),
  );
}
