import { printableWord } from './printable.ts';

/** Formats a text as one word of a command line, for any common shell if the text allows it. */
export function shellWord(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  const quoted = isLiteralInQuotes.test(text) ? `"${text}"` : `'${text.replaceAll("'", "'\\''")}'`;
  return printableWord(quoted);
}

/** Matches text without a character that a shell would interpret inside double quotes. */
const isLiteralInQuotes = /^(?:[^"$`!\\]|\\(?!["$`!\\\n]|$))*$/;

/** Formats a command of ours within a sentence. */
export function patchbayCommand(...words: readonly string[]): string {
  const line = ['patchbay', ...words.map(shellWord)].join(' ');
  return /["']/.test(line) ? `\`${line}\`` : `"${line}"`;
}
