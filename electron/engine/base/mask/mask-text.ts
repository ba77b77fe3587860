import { assignedValuesIn } from './assignments.ts';
import { isSecretMember } from './secret-member.ts';
import { hasSecretShape, isIssuedToken } from './secret-shape.ts';
import { queryParamsIn, type TextRange, urlsIn } from './urls.ts';

/** Replacement for a secret. */
export const masked = '•••';

/** Called with each secret that was found by its name or its surroundings. */
export type OnSecret = (secret: string) => void;

/** Masks what looks like a secret in any text: by its shape, or by the name before it. */
export function maskText(text: string, onSecret: OnSecret = ignore): string {
  const shown = replaceParts(text, [...secretRangesIn(text), ...assignedValuesIn(text)], onSecret);
  return candidatePattern.test(text) ? shown.replace(wordPattern, maskWord) : shown;
}

/**
 * Masks only certain secrets, so that our own texts stay readable: paths, ids and names of secrets are kept.
 */
export function maskCertain(text: string): string {
  const shown = replaceParts(text, secretRangesIn(text), ignore);
  return shown.replace(wordPattern, (word) => (isIssuedToken(word) ? masked : word));
}

const ignore = () => {};

/** Runs each pattern only if its marker occurs: running all of them on every text would dominate the cost. */
function secretRangesIn(text: string): readonly TextRange[] {
  return [
    ...(text.includes('PRIVATE KEY') ? partsOf(text, privateKeys) : []),
    ...(text.includes(' ') ? partsOf(text, credentials) : []),
    ...(text.includes('://') ? addressParts(text) : []),
  ];
}

/** Returns the last group of each match, or the whole match. */
function partsOf(text: string, pattern: RegExp): readonly TextRange[] {
  return [...text.matchAll(pattern)].map((match) => {
    const end = match.index + match[0].length;
    return { start: end - (match.at(-1) ?? '').length, end };
  });
}

/** Finds passwords in URLs, and the values of secret names in queries and fragments. */
function addressParts(text: string): readonly TextRange[] {
  const parts: TextRange[] = [];
  for (const { userInfo, rest } of urlsIn(text, addressEnds)) {
    const colon = userInfo === undefined ? -1 : text.indexOf(':', userInfo.start);
    if (userInfo !== undefined && colon !== -1 && colon + 1 < userInfo.end)
      parts.push({ start: colon + 1, end: userInfo.end });
    for (const { name, value } of queryParamsIn(text, rest))
      if (
        value.end - value.start >= minLength &&
        (isSecretMember(name) || queryNames.has(name.toLowerCase()))
      )
        parts.push(value);
  }
  return parts;
}

const addressEnds = '"\'`<>';
const minLength = 4;
const queryNames: ReadonlySet<string> = new Set(['sig', 'pw', 'pwd']);

function replaceParts(text: string, parts: readonly TextRange[], onSecret: OnSecret): string {
  if (parts.length === 0) return text;
  let shown = '';
  let end = 0;
  for (const part of [...parts].sort((a, b) => a.start - b.start)) {
    const secret = text.slice(part.start, part.end);
    if (!secret.startsWith(masked)) onSecret(secret);
    if (part.start >= end) shown += text.slice(end, part.start) + masked;
    end = Math.max(end, part.end);
  }
  return shown + text.slice(end);
}

/** A digit, or many letters in a row. */
const candidatePattern = /[0-9]|[A-Za-z]{16}/;

/** Matches up to the end marker, or up to the end of a truncated text. */
const privateKeys =
  /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY-----|$)/g;
const credentials = /\b(?:bearer|basic)\s{1,8}([A-Za-z0-9._~+/=-]{6,})/gi;

/** Candidates are long enough and not a natural word: those have no digits and few capitals. */
const wordPattern = /[A-Za-z0-9_+/=~.-]{8,}/g;
const unlikely = /^(?:[^0-9]{0,15}|[^0-9A-Z]+|[^0-9a-z]+|[0-9.,/+-]+)$/;

function maskWord(word: string): string {
  if (unlikely.test(word)) return word;
  if (!word.includes('/')) return hasSecretShape(word) ? masked : word;
  return word
    .split('/')
    .map((part) => (part.length >= 8 && hasSecretShape(part) ? masked : part))
    .join('/');
}
