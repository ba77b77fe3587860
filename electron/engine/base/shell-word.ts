import { printableWord } from './printable.ts';

/** Formats a name as one word of a command line. */
export function shellWord(text: string): string {
  return /^[\w.@:-]+$/.test(text) ? text : printableWord(JSON.stringify(text));
}
