import type { SearchHit } from '../../shared/model/search.ts';

/** Search hits, split into matches by name and others. */
export interface SortedHits {
  /** Exact names first, then names that begin with the query; each in the order found. */
  readonly named: readonly SearchHit[];
  readonly related: readonly SearchHit[];
}

/** Separates hits by name, title or server from those by synonyms, descriptions and single words. */
export function sortHits(hits: readonly SearchHit[], query: string): SortedHits {
  const asked = normalizedName(query);
  const ranked = hits.map((hit) => ({ hit, rank: asked === '' ? notNamed : rankOf(hit, asked) }));
  return {
    named: ranked
      .filter(({ rank }) => rank < notNamed)
      .toSorted((one, other) => one.rank - other.rank)
      .map(({ hit }) => hit),
    related: ranked.filter(({ rank }) => rank === notNamed).map(({ hit }) => hit),
  };
}

const notNamed = 6;

/** Ranks exact matches before prefixes; a name before a title before a server. */
function rankOf({ name, title, serverKey }: SearchHit, asked: string): number {
  const names = [
    [normalizedName(name), normalizedName(`${serverKey} ${name}`)],
    title === undefined ? [] : [normalizedName(title)],
    [normalizedName(serverKey)],
  ];
  const exact = names.findIndex((texts) => texts.includes(asked));
  if (exact >= 0) return exact;
  const begun = names.findIndex((texts) => texts.some((text) => text.startsWith(asked)));
  return begun < 0 ? notNamed : names.length + begun;
}

/** Normalises a name to words: `createOrder`, `create_order` and `Create order` are the same. */
function normalizedName(text: string): string {
  return text
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .join(' ');
}
