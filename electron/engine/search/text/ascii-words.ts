import type { Word } from './words.ts';

/**
 * Splits ASCII text, which nearly all texts are, character by character: this is most of the work of indexing
 * and of highlighting hits.
 */
export function asciiWords(text: string): Word[] {
  const words: Word[] = [];
  let at = 0;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    const end = isLetter(code) ? endOf(text, at, isLetter) : isDigit(code) ? endOf(text, at, isDigit) : at;
    if (end === at) at = code === apostrophe ? afterEnding(text, at) : at + 1;
    else {
      if (isDigit(code)) pushDigits(words, text.slice(at, end), at, end);
      else pushLetters(words, text.slice(at, end), at);
      at = end;
    }
  }
  return words;
}

const apostrophe = 39;

/** Returns the end of the ending in `Bob's` and `they're`, or of the apostrophe alone. */
function afterEnding(text: string, at: number): number {
  if (at === 0 || !isLetter(text.charCodeAt(at - 1))) return at + 1;
  const end = endOf(text, at, isLetter);
  return endings.has(text.slice(at + 1, end).toLowerCase()) ? end : at + 1;
}

/** Endings after an apostrophe that mean nothing in a search. */
export const endings: ReadonlySet<string> = new Set(['s', 't', 're', 've', 'll', 'm', 'd']);

function isLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || isCapital(code);
}

function isCapital(code: number): boolean {
  return code >= 65 && code <= 90;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

function endOf(text: string, from: number, isPart: (code: number) => boolean): number {
  let end = from + 1;
  while (end < text.length && isPart(text.charCodeAt(end))) end += 1;
  return end;
}

/** Treats `s3`, `ec2`, `d1` as one word; `issue2` is two. */
function pushDigits(words: Word[], text: string, start: number, end: number): void {
  const before = words.at(-1);
  const isTail = before !== undefined && before.end === start && /^[a-z]{1,2}$/.test(before.text);
  if (isTail) words[words.length - 1] = { text: before.text + text, start: before.start, end };
  else words.push({ text, start, end });
}

const humps = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[A-Z]/g;

/** Splits letters at changes from lower to upper case, and between a run of capitals and a word. */
export function pushLetters(words: Word[], run: string, start: number): void {
  const lower = run.toLowerCase();
  if (!hasHumps(run)) {
    words.push({ text: lower, start, end: start + run.length });
    return;
  }
  for (const match of run.matchAll(humps)) {
    const from = start + match.index;
    words.push({ text: match[0].toLowerCase(), start: from, end: from + match[0].length });
  }
}

/** False for all lower case, all upper case, and a single leading capital. */
function hasHumps(run: string): boolean {
  let capitals = 0;
  for (let index = 0; index < run.length; index += 1) if (isCapital(run.charCodeAt(index))) capitals += 1;
  return capitals > 0 && capitals < run.length && !(capitals === 1 && isCapital(run.charCodeAt(0)));
}
