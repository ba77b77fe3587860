import { parseJson } from '../../../../shared/json.ts';

/** Note at the end of a text that was cut, and in place of members that are missing. */
export const cutNote = '… (cut)';

/**
 * Completes truncated JSON: closes what is open, with a note for what is missing. The last characters of a
 * truncated string are dropped, since they may be half a secret. The result is JSON if the input was the
 * beginning of JSON.
 */
export function closeJson(json: string): string {
  const open: string[] = [];
  /** End of the last complete member or element, or of the bracket before the first. */
  let end = 0;
  let previous = '';
  for (const { 0: token, index } of json.matchAll(tokens)) {
    const isKey = open.at(-1) === '}' && previous !== ':';
    const isString = token.startsWith('"');
    if (isString && !isKey && !isClosed(token))
      return `${json.slice(0, index)}"${knownText(token.slice(1))}${cutNote}"${open.reverse().join('')}`;
    if (token === '{' || token === '[') open.push(token === '{' ? '}' : ']');
    else if (token === '}' || token === ']') open.pop();
    if (token === ',') end = index;
    else if (brackets.has(token) || (isString && !isKey)) end = index + token.length;
    previous = token;
  }
  const before = json.slice(0, end);
  const comma = /[{[]$/.test(before) ? '' : ',';
  const name = open.at(-1) === '}' ? '"…":' : '';
  return open.length === 0 ? json : `${before}${comma}${name}"${cutNote}"${open.reverse().join('')}`;
}

const tokens = /"[^"\\]*(?:\\[\s\S]?[^"\\]*)*"?|[{}[\],:]|[^\s"{}[\],:]+/g;
const brackets: ReadonlySet<string> = new Set('{}[]');

function isClosed(string: string): boolean {
  return parseJson(string) !== undefined;
}

/** Returns what certainly belongs to no half secret, without the half of an escape. */
function knownText(raw: string): string {
  const known = raw.slice(0, Math.max(0, raw.length - maxSecretLength));
  const ends = Array.from({ length: escapeLength }, (_, length) => known.length - length);
  const end = ends.find((position) => position >= 0 && isClosed(`"${known.slice(0, position)}"`));
  return known.slice(0, end ?? 0);
}

/** Characters; longer than any key. */
const maxSecretLength = 4 * 1024;
const escapeLength = 6;
