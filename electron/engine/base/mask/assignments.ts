import { isSecretMember } from './secret-member.ts';
import { wordsOf } from './secret-name.ts';
import type { TextRange } from './urls.ts';

/**
 * Finds the values that follow the name of a secret: `password=abc`, `"token": "abc"`, `pin := 1234`,
 * `user[password]=abc`, `--api-key abc`, `<password>abc</password>`. Also handles escaped and encoded quotes.
 */
export function assignedValuesIn(text: string): readonly TextRange[] {
  return [
    ...(assigns.test(text) ? assigned(text) : []),
    ...(text.includes('--') ? optionsIn(text) : []),
    ...(text.includes('</') ? elementsIn(text) : []),
  ];
}

const assigns = /[:=]|%3[AaDd]/;

/** Matches a name and its assignment sign. The value is read only if the name is that of a secret. */
const headPattern =
  /(?<![\w.])([A-Za-z_$][\w.-]{0,60})((?:\[["']?[\w.-]{0,60}["']?\]){0,3})(?:\\{0,3}["'`]\]?|%22|&quot;)?[ \t]{0,3}(?::=|=>|==?|:|%3[AaDd])(?!\/\/)\s{0,3}/g;
/** Our own sentence about a tool's name looks like an assignment, but is none. */
const ownSentence = 'must be prefixed with server ';

/** Skips references into the vault: `${secret:NAME}` names a secret but holds none. */
function assigned(text: string): readonly TextRange[] {
  const parts: TextRange[] = [];
  headPattern.lastIndex = 0;
  for (let head = headPattern.exec(text); head !== null; head = headPattern.exec(text)) {
    const [whole, name = '', members = ''] = head;
    if (!isNamedSecret(name, members) || text.endsWith(ownSentence, head.index)) continue;
    if (whole === 'secret:' && text.endsWith('${', head.index)) continue;
    const value = valueAt(text, head.index + whole.length, name);
    if (value === undefined) continue;
    parts.push(value);
    headPattern.lastIndex = Math.max(headPattern.lastIndex, value.end);
  }
  return parts;
}

function isNamedSecret(name: string, members: string): boolean {
  return isSecretMember(name) || (members !== '' && members.split(/["'[\]]+/).some(isSecretMember));
}

/** Characters of a value that are read. */
const maxValueLength = 4 * 1024;
const minValueLength = 4;

function valueAt(text: string, at: number, name: string): TextRange | undefined {
  opening.lastIndex = at;
  const quote = opening.exec(text)?.[0];
  if (quote !== undefined) return quotedAt(text, at + quote.length, quote);
  const sign = text[at];
  if (sign === '{' || sign === '[') return { start: at, end: endOfBrackets(text, at) };
  scheme.lastIndex = at;
  const start = at + (scheme.exec(text)?.[0].length ?? 0);
  const pattern = wordsOf(name).some((word) => word === 'COOKIE' || word === 'COOKIES') ? line : bare;
  pattern.lastIndex = start;
  return toRange(text, start, start + (pattern.exec(text)?.[0].length ?? 0));
}

const opening = /\\{0,3}["'`]|%22|&quot;|&#39;/y;
/** Authentication scheme, or a similar word, before a secret. */
const scheme = /(?:bearer|basic|bot|token|api-?key|jwt|oauth|ssws|splunk|negotiate) {1,3}(?=[^\s"'&;,<>])/iy;
const bare = /[^\s"'&;,<>]{4,4096}/y;
/** Cookie headers hold several cookies, separated by characters that would end any other value. */
const line = /[^\r\n"'<>]{4,4096}/y;

function quotedAt(text: string, start: number, quote: string): TextRange | undefined {
  const max = Math.min(text.length, start + maxValueLength);
  for (let end = text.indexOf(quote, start); end !== -1 && end < max; end = text.indexOf(quote, end + 1))
    if (quote.length > 1 || text[end - 1] !== '\\' || text[end - 2] === '\\')
      return toRange(text, start, end);
  return toRange(text, start, max);
}

/** Returns the index after the bracket that closes the one at `start`, or the limit if it is not closed. */
function endOfBrackets(text: string, start: number): number {
  const max = Math.min(text.length, start + maxValueLength);
  let depth = 0;
  for (let at = start; at < max; at += 1) {
    const sign = text[at];
    if (sign === '{' || sign === '[') depth += 1;
    else if (sign === '}' || sign === ']') depth -= 1;
    if (depth === 0) return at + 1;
  }
  return max;
}

function toRange(text: string, start: number, end: number): TextRange | undefined {
  return end - start >= minValueLength && !plainValues.test(text.slice(start, Math.min(end, start + 16)))
    ? { start, end }
    : undefined;
}

const plainValues = /^(?:true|false|null|none|undefined|bearer|basic|•+)[\])}]{0,3}$/i;

const options = /(?<![\w-])--([A-Za-z][\w-]{0,60})[ \t]{1,3}["']?([^\s"',-][^\s"',]{3,4095})/g;

/** Finds the values of secret options in a command line, but not the words of a sentence about an option. */
function optionsIn(text: string): readonly TextRange[] {
  return [...text.matchAll(options)].flatMap(({ index, 0: whole, 1: name = '', 2: value = '' }) => {
    const end = index + whole.length;
    return isSecretMember(name) && !sentenceWords.has(value) ? [{ start: end - value.length, end }] : [];
  });
}

const sentenceWords: ReadonlySet<string> = new Set(
  'option options flag flags argument arguments instead with from must need needs where when that which will also only'.split(
    ' ',
  ),
);

const elements = /<([A-Za-z][\w.:-]{0,60})>([^<>]{4,4096})<\//g;

function elementsIn(text: string): readonly TextRange[] {
  return [...text.matchAll(elements)].flatMap(({ index, 1: name = '', 2: value = '' }) => {
    const start = index + name.length + 2;
    return isSecretMember(name) ? [{ start, end: start + value.length }] : [];
  });
}
