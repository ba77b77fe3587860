import { isRecord, scalarText } from '../../../../shared/json.ts';
import { isPlaceholder, isUnfilledSecret } from '../../../../shared/model/import/entry-variable.ts';
import { isSecretName } from '../../base/mask/secret-name.ts';
import { hasSecretShape, isIssuedToken } from '../../base/mask/secret-shape.ts';
import type { Path } from '../jsonc/tree.ts';
import { type Entry, placesOf } from './aliases.ts';
import { keyTextsIn } from './key-members.ts';

/** A part of a text in an entry that is likely to be a secret in plain text. */
export interface PlainSecret {
  readonly path: Path;
  /** Offsets in the text at `path`. */
  readonly from: number;
  readonly to: number;
  /** A name to store it under; valid in a reference, but possibly taken. */
  readonly name: string;
}

/** A part of one text, with words for its name. */
type Part = Pick<PlainSecret, 'from' | 'to'> & { readonly words: string };

/**
 * Finds secrets in plain text in an entry: variables, headers, options and addresses whose name or shape
 * suggests one. References do not count. Names include the server's key if the field alone would say too
 * little.
 */
export function plainSecretsIn(entry: Entry, key: string): readonly PlainSecret[] {
  const found = [
    ...fieldsOf(entry, 'env').flatMap(([path, name, text]) => secretsAt(path, valueParts(name, text, name))),
    ...fieldsOf(entry, 'headers').flatMap(([path, name, text]) =>
      secretsAt(path, valueParts(name, text, secretWords(key, headerWords(name)))),
    ),
    ...keyTextsIn(entry).flatMap(([name, text]) =>
      isShort(text) ? secretsAt([name], valueParts('token', text, secretWords(key, headerWords(name)))) : [],
    ),
    ...argsOf(entry).flatMap(([path, word, before]) => secretsAt(path, argumentParts(word, before, key))),
    ...(isShort(entry.url) ? secretsAt(['url'], addressParts(entry.url, key)) : []),
    ...clientSecret(entry, key),
  ];
  return found.filter((one, index) => !found.some((other, place) => place < index && isInside(one, other)));
}

/** Returns the text as the config means it: `$$NAME` stands for `$NAME`. */
export function plainText(text: string): string {
  return text.replace(/\$\$(?=[A-Za-z_{])/g, '$');
}

/** Longer texts are documents, and slow to search. */
const maxTextLength = 20_000;

function secretsAt(path: Path, parts: readonly Part[]): readonly PlainSecret[] {
  return parts.map(({ from, to, words }) => ({ path, from, to, name: secretNameOf(words) }));
}

/** Turns `github X-API-Key` into `GITHUB_API_KEY`. */
export function secretNameOf(words: string): string {
  const name = words
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '_')
    .replace(/^_+|(?<!_)_+$/g, '')
    .slice(0, maxNameLength)
    .replace(/^(?=\d|$)/, 'SECRET_')
    .replace(/(?<!_)_+$/, '');
  return name;
}

const maxNameLength = 50;

/** Prefixes a field's name with the server's key, unless it starts with the key already. */
function secretWords(key: string, name: string): string {
  return secretNameOf(name).startsWith(`${secretNameOf(key)}_`) ? name : `${key} ${name}`;
}

export function headerWords(name: string): string {
  return name.toLowerCase() === 'authorization' ? 'token' : name.replace(/^x-/i, '');
}

function fieldsOf(entry: Entry, field: 'env' | 'headers'): readonly (readonly [Path, string, string])[] {
  return placesOf(entry, field).flatMap(([path, values]) =>
    Object.entries(isRecord(values) ? values : {}).flatMap(([name, value]) =>
      isShort(value) ? [[[...path, name], name, value] as const] : [],
    ),
  );
}

function argsOf({ args }: Entry): readonly (readonly [Path, string, string])[] {
  if (!Array.isArray(args)) return [];
  return args.flatMap((word: unknown, index) =>
    isShort(word) ? [[['args', index], word, scalarText(args[index - 1])] as const] : [],
  );
}

function clientSecret({ patchbay }: Entry, key: string): readonly PlainSecret[] {
  const oauth = isRecord(patchbay) && isRecord(patchbay.oauth) ? patchbay.oauth : {};
  const { clientSecret: text } = oauth;
  if (!isShort(text) || !isPlain(text)) return [];
  return secretsAt(['patchbay', 'oauth', 'clientSecret'], [wholeText(text, `${key} client secret`)]);
}

/** Returns a whole named value, or the secrets among its members. */
function valueParts(name: string, text: string, words: string): readonly Part[] {
  const members = isSecretName(name) ? [] : memberParts(text, words);
  return members.length > 0 ? members : ownParts(name, text, words);
}

/** Returns a value without its scheme, or the secrets of an address in it. */
function ownParts(name: string, text: string, words: string): readonly Part[] {
  if (isAddress(text)) return addressParts(text, words);
  const bare = text.slice(schemeLength(text));
  const named = isSecretName(name) && !isPath(bare) && !isToggleValue(bare);
  if (!isPlain(bare) || !(named || (hasSecretShape(bare) && !isPath(bare)))) return [];
  return [{ from: schemeLength(text), to: text.length, words }];
}

/** Returns secrets in a JSON text or in a list of headers, each under its own name. */
function memberParts(text: string, words: string): readonly Part[] {
  const isJson = /^\s*[{[]/.test(text);
  if (!isJson && !/^[A-Za-z][\w-]{0,60}\s?[:=]/.test(text)) return [];
  return [...text.matchAll(isJson ? jsonMember : listMember)].flatMap((match) => {
    const [, name = '', value = ''] = match;
    const from = match.index + match[0].lastIndexOf(value);
    const bare = value.slice(schemeLength(value));
    const isSecret = isTelling.test(name) || isAddress(bare) || hasSecretShape(bare);
    if (!isSecret || /\s/.test(bare)) return [];
    return shifted(ownParts(name, value, `${words} ${headerWords(name)}`), from);
  });
}

/** A lone `key` may be a table's key. */
const isTelling = /passw|pwd|secret|token|authorization|(?:api|access|auth|private)[-_ ]?key/i;

const jsonMember = /"([^"\\\n]{1,80})"\s{0,20}:\s{0,20}"((?:[^"\\]|\\.){1,4000})/g;
const listMember = /(?<=^|[,;\n]\s{0,4})([A-Za-z][\w-]{0,60})\s?[:=]\s{0,4}([^,;\n]{1,4000})/g;

/**
 * Handles `--api-key abc`, `--token=abc`, `TOKEN=abc`, `Authorization: Bearer abc`, addresses, and issued
 * tokens alone.
 */
function argumentParts(word: string, before: string, key: string): readonly Part[] {
  // A shell script contains more than a value.
  if (/^-[a-z]{0,4}c$|^\/c$|^-command$/i.test(before)) return [];
  const option = /^--?([A-Za-z][\w-]*)$/.exec(before)?.[1];
  const [start, name] = /^-{0,2}([A-Za-z][\w.-]*)[=:](?!\/\/)\s*/.exec(word) ?? [];
  if (start !== undefined && name !== undefined) {
    const words = /^[A-Z0-9_]+$/.test(name) ? name : secretWords(key, headerWords(name));
    return shifted(valueParts(name, word.slice(start.length), words), start.length);
  }
  if (isAddress(word)) return addressParts(word, key);
  if (/^\{/.test(word)) return memberParts(word, key);
  if (option !== undefined && !word.startsWith('-'))
    return valueParts(option, word, secretWords(key, option));
  return isPlain(word) && !isPath(word) && hasSecretShape(word) && !word.startsWith('-')
    ? [wholeText(word, `${key} secret`)]
    : [];
}

/**
 * Returns passwords before the host, values of secret-looking parameters, and path segments that look like
 * keys.
 */
function addressParts(text: string, words: string): readonly Part[] {
  const [path = '', host = ''] = /^([a-z][a-z0-9+.-]{0,20}:\/\/)[^\s?#]*/i.exec(text) ?? [];
  return [
    ...matches(
      text,
      /^[a-z][a-z0-9+.-]*:\/\/(?:\$\{[^{}\s]*\}|[^\s/?#@:$])*:([^\s/?#@]+)@/gi,
      () => `${words} password`,
    ),
    ...matches(text, /^[a-z][a-z0-9+.-]*:\/\/([^\s/?#@:]+)@/gi, () => `${words} token`, hasSecretShape),
    ...matches(
      text,
      /[?&]([^=&#\s?]+)=([^&#\s]+)/g,
      ([, name = '']) => `${words} ${name}`,
      (value, [, name = '']) => isSecretName(name) || hasSecretShape(value),
    ),
    ...matches(
      text,
      /\/([^\s/?#]{16,})/g,
      () => `${words} key`,
      (value, { index }) => index >= host.length && index < path.length && hasSecretShape(value),
    ),
  ];
}

/** Returns the last group of each match that is a secret in plain text. */
function matches(
  text: string,
  pattern: RegExp,
  words: (match: RegExpExecArray) => string,
  isWanted: (value: string, match: RegExpExecArray) => boolean = () => true,
): readonly Part[] {
  return [...text.matchAll(pattern)].flatMap((match) => {
    const value = match.at(-1) ?? '';
    const from = match.index + match[0].lastIndexOf(value);
    const part = { from, to: from + value.length, words: words(match) };
    return isPlain(value) && isWanted(value, match) ? [part] : [];
  });
}

function shifted(parts: readonly Part[], by: number): readonly Part[] {
  return parts.map((part) => ({ ...part, from: part.from + by, to: part.to + by }));
}

function wholeText(text: string, words: string): Part {
  return { from: 0, to: text.length, words };
}

/** Length of the scheme before a secret: `Bearer abc` is a word and a secret. */
export function schemeLength(text: string): number {
  return /^(?:bearer|basic|bot|token|api-?key|key|jwt)\s+(?=\S+$)/i.exec(text)?.[0].length ?? 0;
}

/**
 * Returns whether a text could be a secret: not empty or too short, not a reference, and not a placeholder.
 */
function isPlain(text: string): boolean {
  const value = text.trim();
  return (
    value.length >= minSecretLength &&
    !reference.test(value) &&
    !isPlaceholder(value) &&
    !isUnfilledSecret(value)
  );
}

const minSecretLength = 4;
const reference =
  /\$\{|(?<!\$)\$[A-Z_][A-Z0-9_]*\b|%[A-Z_][A-Z0-9_]*%|^<[^<>]*>$|\{\{|\{(?:env|ENV|file|FILE)[:.]|^\$\(.*\)$|^(?:op|vault):\/\//;

function isToggleValue(text: string): boolean {
  return /^(?:true|false|null|none|undefined|yes|no|on|off|\d{1,3})$/i.test(text.trim());
}

function isAddress(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(text);
}

/**
 * Package stores have random folder names, so only the end of a path may be a key; Base64 may begin with a
 * slash.
 */
function isPath(text: string): boolean {
  const [, root] = /^(~|\.{1,2}|[A-Za-z]:|)[\\/]/.exec(text) ?? [];
  if (root === undefined) return false;
  const steps = text.slice(root.length + 1).split(/[\\/]/);
  const isRooted = root !== '' || /^[A-Z]?[a-z]*$/.test(steps[0] ?? '');
  if (!isRooted || steps.some(isIssuedToken)) return !steps.some(hasSecretShape);
  const last = steps.at(-1) ?? '';
  return !hasSecretShape(last) || /\.[a-z]{2,4}$/.test(last);
}

function isInside(one: PlainSecret, other: PlainSecret): boolean {
  return (
    one.path.length === other.path.length &&
    one.path.every((step, index) => step === other.path[index]) &&
    one.from < other.to &&
    other.from < one.to
  );
}

function isShort(value: unknown): value is string {
  return typeof value === 'string' && value.length <= maxTextLength;
}
