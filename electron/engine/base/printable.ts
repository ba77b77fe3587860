/**
 * Text as a terminal may be given it. Whatever would move the cursor, change colours, titles or the direction of writing is
 * shown as JSON writes it (`\u001b`), so that JSON stays the same JSON. Ends of lines and tabs are left.
 */
export function printable(text: string): string {
  return text.replace(obeyed, (character) =>
    character === '\n' || character === '\t' ? character : escaped(character),
  );
}

/** The same for what stands in a line among others: it cannot begin a line of its own. */
export function printableWord(text: string): string {
  return text.replace(obeyed, escaped);
}

/** The same for what may have several lines: none of them looks like one of ours. */
export function printableLines(text: string): string {
  return printable(text).replace(/\n(?=\S)/g, '\n  ');
}

/** Controls (C0, DEL, C1), other ends of lines, marks of direction, and tags, which nobody sees. */
const obeyed = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\u{E0000}-\u{E007F}]/gu;

function escaped(character: string): string {
  const short = JSON.stringify(character).slice(1, -1);
  if (short.startsWith('\\')) return short;
  return Array.from({ length: character.length }, (_, at) => unit(character.charCodeAt(at))).join('');
}

function unit(code: number): string {
  return `\\u${code.toString(16).padStart(4, '0')}`;
}
