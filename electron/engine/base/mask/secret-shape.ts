/**
 * Tells whether a text looks random, as keys and tokens do, whatever its name. Paths, URLs, versions, dates,
 * model names and plain words do not.
 */
export function hasSecretShape(text: string): boolean {
  if (text.length < minLength || /\s/.test(text)) return false;
  if (issuedTokens.test(text) || uuid.test(text)) return true;
  return text.split(/[^A-Za-z0-9]+/).some(isRandom);
}

/** Tells whether a word starts like the tokens that services issue. No natural word, path or URL does. */
export function isIssuedToken(word: string): boolean {
  return issuedTokens.test(word);
}

const minLength = 8;

/** Prefixes of tokens that services issue. */
const issuedTokens =
  /^(?:[spr]k[-_][\w-]{16}|gh[pousr]_\w{16}|github_pat_\w{8}|glpat-|xox[a-z]-|xapp-|A[KS]IA[A-Z0-9]{12}|AIza[\w-]{12}|ya29\.|eyJ[\w-]{8}|hf_\w{16}|npm_\w{20}|pypi-\w{16}|dop_v1_|shp(?:at|ss|ca)_|SG\.[\w-]{16}|tvly-|figd_|ntn_|lin_api_|gsk_\w{8}|xai-\w{16}|pplx-\w{16}|whsec_)/;

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Counts changes between kinds of characters, which are rare in words. */
function isRandom(segment: string): boolean {
  if (segment.length < minLength) return false;
  const kinds = [...segment].map(kindOf);
  const count = (isTurn: (before: Kind, after: Kind) => boolean) =>
    kinds.slice(1).filter((after, index) => isTurn(kinds[index] ?? after, after)).length;
  // A capital followed by small letters is how ordinary words begin.
  const turns = count((before, after) => before !== after && !(before === 'upper' && after === 'lower'));
  if (kinds.includes('digit')) {
    return kinds.some((kind) => kind !== 'digit') && turns >= Math.max(3, segment.length / 5);
  }
  const capitals = count((_, after) => after === 'upper');
  const isMixed = kinds.includes('upper') && kinds.includes('lower');
  return isMixed && segment.length >= 16 && turns >= 3 && capitals >= segment.length / 3;
}

type Kind = 'upper' | 'lower' | 'digit';

function kindOf(character: string): Kind {
  if (character >= '0' && character <= '9') return 'digit';
  return character >= 'A' && character <= 'Z' ? 'upper' : 'lower';
}
