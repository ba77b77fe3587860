import { isSecretMember } from './secret-member.ts';
import { hasSecretShape, isIssuedToken } from './secret-shape.ts';

/** What stands where a secret was. */
export const masked = '•••';

/** A text of any kind with what looks like a secret in it replaced: by its form, or by the name that stands before it. */
export function maskText(text: string): string {
  let shown = maskForms(text);
  if (assigns.test(text)) shown = shown.replace(assignments, maskAssignment);
  return couldBeSecret.test(text) ? shown.replace(words, maskWord) : shown;
}

/** Only what is a secret beyond doubt, so that a text of ours stays as it is: paths, ids and names of secrets are left. */
export function maskCertain(text: string): string {
  return maskForms(text).replace(words, (word) => (isIssuedToken(word) ? masked : word));
}

function maskForms(text: string): string {
  // Each form is looked for only where its sign is: to look for all of them in every text would cost the most of it.
  let shown = text;
  if (text.includes('PRIVATE KEY')) shown = shown.replace(privateKeys, masked);
  if (text.includes(' ')) shown = shown.replace(credentials, `$1${masked}`);
  return text.includes('://') ? shown.replace(userInfos, `$1${masked}@`) : shown;
}

const assigns = /[:=]/;
/** A digit, or many letters in a row. */
const couldBeSecret = /[0-9]|[A-Za-z]{16}/;

/** To its end, or to that of the text where it was cut. */
const privateKeys = /-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z0-9 ]*PRIVATE KEY-----|$)/g;
const credentials = /(\b(?:bearer|basic)\s+)[A-Za-z0-9._~+/=-]{6,}/gi;
/** `scheme://user:password@`; the password alone is left out. */
const userInfos = /([a-z][a-z0-9+.-]{0,20}:\/\/[^\s:@/]{0,200}:)[^\s@]{1,500}@/gi;
/** Our own sentence about a tool's name assigns nothing. */
const assignments =
  /(?<![\w.-]|must be prefixed with server )([A-Za-z][\w.-]{0,60})(["']?\s?[:=](?!\/\/)\s?["']?)([^\s"'&;,<>]{4,})/g;

function maskAssignment(whole: string, name: string, sign: string, value: string): string {
  const isLeft = plainValues.test(value) || !isSecretMember(name);
  return isLeft ? whole : `${name}${sign}${masked}`;
}

const plainValues = /^(?:true|false|null|none|undefined|bearer|basic|•+)$/i;

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
