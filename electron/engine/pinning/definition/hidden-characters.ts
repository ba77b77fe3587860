/** Characters that are invisible, or that make the visible text appear in another place. */
export interface HiddenRun {
  readonly start: number;
  readonly end: number;
  readonly what: 'nothing to see' | 'text direction' | 'hidden letters' | 'control';
}

/**
 * Finds zero width characters, fillers, tags, direction marks and control characters. Joiners and modifiers
 * of emoji do not count between emoji.
 */
export function hiddenRuns(text: string): readonly HiddenRun[] {
  return [...text.matchAll(suspicious)].flatMap(({ 0: run, index }) => {
    if (isOfEmoji(text, index, run) || isOfScript(text, index, run)) return [];
    return [{ start: index, end: index + run.length, what: kindOf(run) }];
  });
}

/**
 * Returns the text with hidden characters written out, as `⟨U+200B⟩`; hidden letters also as the text that
 * they spell.
 */
export function showHidden(text: string): string {
  const runs = hiddenRuns(text);
  if (runs.length === 0) return text;
  const parts: string[] = [];
  let at = 0;
  for (const { start, end } of runs) {
    parts.push(text.slice(at, start), spellOut(text.slice(start, end)));
    at = end;
  }
  return [...parts, text.slice(at)].join('');
}

/** Line breaks and tabs are ordinary control characters. */
const suspicious = /(?:(?![\t\n\r])\p{Cc}|\p{Default_Ignorable_Code_Point}|[\u2028\u2029\ufff9-\ufffb])+/gu;

function kindOf(run: string): HiddenRun['what'] {
  if (/[\u{e0020}-\u{e007e}]/u.test(run)) return 'hidden letters';
  if (/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/.test(run)) return 'text direction';
  return /\p{Cc}/u.test(run) ? 'control' : 'nothing to see';
}

/** Accepts a joiner between two emoji, a variation selector after one, and regional flags. */
function isOfEmoji(text: string, index: number, run: string): boolean {
  const before = [...text.slice(Math.max(0, index - 2), index)].at(-1) ?? '';
  const after = [...text.slice(index + run.length, index + run.length + 2)][0] ?? '';
  if (/^\ufe0f?\u200d$/.test(run)) return pictograph.test(before) && pictograph.test(after);
  if (/^[\ufe0e\ufe0f]$/.test(run)) return pictograph.test(before) || /[\d#*\u2000-\u2bff]/.test(before);
  return before === blackFlag && /^[\u{e0061}-\u{e007a}\u{e0030}-\u{e0039}]{3,6}\u{e007f}$/u.test(run);
}

/** Accepts joiners between letters of Persian, Arabic and Indic scripts, which are written with them. */
function isOfScript(text: string, index: number, run: string): boolean {
  if (!/^[\u200c\u200d]$/.test(run)) return false;
  return joined.test(text.slice(index - 1, index)) && joined.test(text.slice(index + 1, index + 2));
}

const joined =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Gujarati}\p{Script=Gurmukhi}\p{Script=Sinhala}\p{M}]/u;

const pictograph = /[\p{Extended_Pictographic}\p{Emoji_Modifier}]/u;
const blackFlag = '\u{1f3f4}';

function spellOut(run: string): string {
  const marks = [...run].slice(0, maxMarks).map(markOf).join('');
  const letters = [...run].map(letterOf).join('').trim();
  const rest = [...run].length > maxMarks ? '…' : '';
  return letters === '' ? marks + rest : `${marks}${rest}⟨spells “${letters}”⟩`;
}

/** Per run; more would say nothing more. */
const maxMarks = 12;

function markOf(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
}

/** Tags are a second alphabet that models can read and people cannot see. */
function letterOf(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  return code >= 0xe0020 && code <= 0xe007e ? String.fromCharCode(code - 0xe0000) : '';
}
