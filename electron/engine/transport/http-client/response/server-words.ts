import { stripVTControlCharacters } from 'node:util';
import { isRecord, parseJson } from '../../../../../shared/json.ts';
import { maskText } from '../../../base/mask/mask-text.ts';
import { inUtf8 } from '../../utf8-input.ts';

/**
 * Extracts readable text from a body that is not a message: one short line without markup, control characters
 * and secrets. Returns undefined if there is none. `secrets` are values that the server was sent and may
 * repeat.
 */
export function serverWords(body: Buffer, type: string, secrets: readonly string[]): string | undefined {
  const text = inUtf8(body).toString('utf8').trim();
  const value = parseJson(text);
  const isMarkup = text.startsWith('<') || type.includes('html');
  const found = isMarkup ? wordsInMarkup(text) : value === undefined ? text : wordsIn(value, text);
  // Masks before cutting, because a secret is only recognised as a whole.
  const line = stripVTControlCharacters(found.slice(0, maxLineLength * 4))
    .replace(unprintable, ' ')
    .trim();
  const shown = maskText(secrets.reduce((rest, secret) => rest.replaceAll(secret, '•••'), line));
  if (shown === '' || line.includes('\uFFFD')) return undefined;
  return shown.length > maxLineLength ? `${shown.slice(0, maxLineLength)}…` : shown;
}

/** Returns the secrets in headers, which a server may repeat. */
export function secretsIn(headers: Readonly<Record<string, string>>): readonly string[] {
  const parts = Object.values(headers).flatMap((value) => [value, ...value.split(' ')]);
  return parts.filter(({ length }) => length >= minSecretLength);
}

const minSecretLength = 8;
const maxLineLength = 300;
/** Control and formatting characters, and any space. */
const unprintable = /[\p{Cc}\p{Cf}\p{Z}]+/gu;

/** Returns the title of a page, or the text of an error in XML. */
function wordsInMarkup(markup: string): string {
  const start = markup.slice(0, maxTitleOffset);
  const lower = start.toLowerCase();
  const found = elements.map((name) => textOf(start, lower, name)).find((text) => text.trim() !== '');
  return found ?? '';
}

const elements = ['title', 'message', 'faultstring', 'detail', 'description', 'error'] as const;

function textOf(markup: string, lower: string, name: string): string {
  const opening = [`<${name}>`, `<${name} `].map((tag) => lower.indexOf(tag)).find((at) => at >= 0);
  if (opening === undefined) return '';
  const start = lower.indexOf('>', opening) + 1;
  const end = lower.indexOf(`</${name}>`, start);
  const text = end > start ? markup.slice(start, end) : '';
  return text.includes('<') && name !== 'title' ? '' : text;
}

const maxTitleOffset = 65_536;

/** Members where services put their text, the best first. */
const members = [
  'message',
  'error_description',
  'detail',
  'error',
  'msg',
  'title',
  'description',
  'reason',
  'errors',
];

/** Returns the first text inside the value, or the whole body if there is none at a known place. */
function wordsIn(value: unknown, whole: string, depth = 0): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.length > 0 && depth < maxDepth)
    return wordsIn(value[0], whole, depth + 1);
  const places = isRecord(value) && depth < maxDepth ? members.map((member) => value[member]) : [];
  const next = places.find(
    (place) => typeof place === 'string' || (typeof place === 'object' && place !== null),
  );
  return next === undefined ? whole : wordsIn(next, whole, depth + 1);
}

const maxDepth = 4;
