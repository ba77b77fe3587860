/**
 * Escapes text for a terminal. Characters that would move the cursor or change colours, titles or writing
 * direction are shown as JSON escapes (`\u001b`), so JSON stays equivalent. Line breaks and tabs are kept.
 */
export function printable(text: string): string {
  return text.replace(unsafeCharacters, (character) =>
    character === '\n' || character === '\t' ? character : escaped(character),
  );
}

/** Escapes text for use within a line: it cannot start a new line. */
export function printableWord(text: string): string {
  return text.replace(unsafeCharacters, escaped);
}

/** Escapes text of several lines: continuation lines are indented, so that none looks like one of ours. */
export function printableLines(text: string): string {
  return printable(text).replace(/\n(?=\S)/g, '\n  ');
}

/** Controls (C0, DEL, C1), other line separators, direction marks, and invisible tag characters. */
const unsafeCharacters = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\u{E0000}-\u{E007F}]/gu;

function escaped(character: string): string {
  const short = JSON.stringify(character).slice(1, -1);
  if (short.startsWith('\\')) return short;
  return Array.from({ length: character.length }, (_, at) => unit(character.charCodeAt(at))).join('');
}

function unit(code: number): string {
  return `\\u${code.toString(16).padStart(4, '0')}`;
}
