import { addressesIn, type Part, queryIn } from './addresses.ts';
import { assignedIn } from './assignments.ts';
import { isSecretMember } from './secret-member.ts';
import { hasSecretShape, isIssuedToken } from './secret-shape.ts';

/** What stands where a secret was. */
export const masked = '•••';

/** Hears each secret that was found by its name, or by what stands around it. */
export type OnSecret = (secret: string) => void;

/** A text of any kind with what looks like a secret in it replaced: by its form, or by the name that stands before it. */
export function maskText(text: string, onSecret: OnSecret = ignore): string {
  const shown = hide(text, [...formsIn(text), ...assignedIn(text)], onSecret);
  return couldBeSecret.test(text) ? shown.replace(words, maskWord) : shown;
}

/** Only what is a secret beyond doubt, so that a text of ours stays as it is: paths, ids and names of secrets are left. */
export function maskCertain(text: string): string {
  const shown = hide(text, formsIn(text), ignore);
  return shown.replace(words, (word) => (isIssuedToken(word) ? masked : word));
}

const ignore = () => {};

/** Each form is looked for only where its sign is: to look for all of them in every text would cost the most of it. */
function formsIn(text: string): readonly Part[] {
  return [
    ...(text.includes('PRIVATE KEY') ? partsOf(text, privateKeys) : []),
    ...(text.includes(' ') ? partsOf(text, credentials) : []),
    ...(text.includes('://') ? addressParts(text) : []),
  ];
}

/** The last group of each match, or all of it. */
function partsOf(text: string, pattern: RegExp): readonly Part[] {
  return [...text.matchAll(pattern)].map((match) => {
    const end = match.index + match[0].length;
    return { start: end - (match.at(-1) ?? '').length, end };
  });
}

/** Passwords, and what stands under the name of a secret in the query or the fragment. */
function addressParts(text: string): readonly Part[] {
  const parts: Part[] = [];
  for (const { userInfo, rest } of addressesIn(text, addressEnds)) {
    const colon = userInfo === undefined ? -1 : text.indexOf(':', userInfo.start);
    if (userInfo !== undefined && colon !== -1 && colon + 1 < userInfo.end)
      parts.push({ start: colon + 1, end: userInfo.end });
    for (const { name, value } of queryIn(text, rest))
      if (value.end - value.start >= shortest && (isSecretMember(name) || queryNames.has(name.toLowerCase())))
        parts.push(value);
  }
  return parts;
}

const addressEnds = '"\'`<>';
const shortest = 4;
const queryNames: ReadonlySet<string> = new Set(['sig', 'pw', 'pwd']);

function hide(text: string, parts: readonly Part[], onSecret: OnSecret): string {
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
const couldBeSecret = /[0-9]|[A-Za-z]{16}/;

/** To its end, or to that of the text where it was cut. */
const privateKeys =
  /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY-----|$)/g;
const credentials = /\b(?:bearer|basic)\s{1,8}([A-Za-z0-9._~+/=-]{6,})/gi;

/** Long enough to be one, and no word of a language: those have no digits, and few capitals. */
const words = /[A-Za-z0-9_+/=~.-]{8,}/g;
const unlikely = /^(?:[^0-9]{0,15}|[^0-9A-Z]+|[^0-9a-z]+|[0-9.,/+-]+)$/;

function maskWord(word: string): string {
  if (unlikely.test(word)) return word;
  if (!word.includes('/')) return hasSecretShape(word) ? masked : word;
  return word
    .split('/')
    .map((part) => (part.length >= 8 && hasSecretShape(part) ? masked : part))
    .join('/');
}
