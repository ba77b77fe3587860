/** A lower-case word of a text, with its position. */
export interface Word {
  readonly text: string;
  /** UTF-16 units. */
  readonly start: number;
  readonly end: number;
}

/**
 * Matches runs of letters or digits, and single pictograms. Names are split at changes from lower to upper
 * case, between a run of capitals and a word (`HTTPServer`), and between letters and digits, except `s3` or
 * `ec2`.
 */
const runs = /[\p{L}\p{M}]+|\p{N}+|\p{Extended_Pictographic}/gu;

const asciiOnly = /^[\0-\x7f]*$/;

const lowerCase = /^[a-z]+$/;

/** Scripts without spaces between words. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

export function wordsOf(said: string): Word[] {
  const text = said.replaceAll('\u2019', "'");
  const words: Word[] = [];
  for (const match of text.matchAll(runs)) {
    const run = match[0];
    const start = match.index;
    if (isEnding(text, start, run)) continue;
    if (lowerCase.test(run)) words.push({ text: run, start, end: start + run.length });
    else if (asciiOnly.test(run)) pushHumps(words, run, start);
    else if (unspaced.test(run)) pushPairs(words, run, start);
    else words.push({ text: fold(run), start, end: start + run.length });
  }
  return joinShortDigits(words);
}

/** Tells whether a run is the ending in `Bob's` or `they're`. */
function isEnding(text: string, start: number, run: string): boolean {
  return text[start - 1] === "'" && endings.has(run.toLowerCase()) && /\p{L}/u.test(text[start - 2] ?? '');
}

/** Endings after an apostrophe that mean nothing in a search. */
const endings: ReadonlySet<string> = new Set(['s', 't', 're', 've', 'll', 'm', 'd']);

const humps = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[A-Z]|\d+/g;

/** Splits letters at changes from lower to upper case, and between a run of capitals and a word. */
function pushHumps(words: Word[], run: string, start: number): void {
  for (const { 0: hump, index } of run.matchAll(humps))
    words.push({ text: hump.toLowerCase(), start: start + index, end: start + index + hump.length });
}

/** Uses pairs of characters for scripts without word boundaries. */
function pushPairs(words: Word[], run: string, start: number): void {
  const characters = [...run];
  if (characters.length === 1) words.push({ text: run, start, end: start + run.length });
  let from = start;
  for (let index = 0; index + 1 < characters.length; index += 1) {
    const pair = `${characters[index]}${characters[index + 1]}`;
    words.push({ text: pair, start: from, end: from + pair.length });
    from += characters[index]?.length ?? 1;
  }
}

/** Treats `s3`, `ec2`, `d1` as one word; `issue2` is two. */
function joinShortDigits(words: Word[]): Word[] {
  const joined: Word[] = [];
  for (const word of words) {
    const before = joined.at(-1);
    const isTail = before !== undefined && before.end === word.start && /^\d+$/.test(word.text);
    if (isTail && /^[a-z]{1,2}$/.test(before.text)) {
      joined[joined.length - 1] = { text: before.text + word.text, start: before.start, end: word.end };
    } else joined.push(word);
  }
  return joined;
}

/** Removes accents from Latin letters, so that `café` finds `cafe`; other scripts keep their marks. */
function fold(run: string): string {
  const lower = run.toLowerCase();
  return /\p{Script=Latin}/u.test(lower)
    ? lower.normalize('NFD').replace(/\p{M}/gu, '')
    : lower.normalize('NFC');
}
