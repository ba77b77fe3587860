import type { Entry } from './found.ts';

/**
 * A key for a server: as written where it is a plain word, else its last part, so that the names clients are told stay
 * short; guessed from the package or host where it has none. Numbered when it is taken.
 */
export function suggestKey(written: string, entry: Entry, taken: ReadonlySet<string>): string {
  const base = written === '' ? guess(entry) : plainWord(written);
  for (let number = 1; ; number += 1) {
    const key = number === 1 ? base : `${base}-${number}`;
    if (!taken.has(key)) return key;
  }
}

/** `github.com/owner/mcp-thing` as `mcp-thing`. */
function plainWord(written: string): string {
  if (!/[./\\:\s]/.test(written)) return written;
  const last =
    written
      .split(/[/\\]/)
      .filter((part) => part.trim() !== '')
      .at(-1) ?? '';
  const word = last.replace(/[.:\s]+/g, '-').replace(/^-+|-+$/g, '');
  return word === '' ? 'server' : word;
}

function guess(entry: Entry): string {
  if (typeof entry.url === 'string') {
    const host = /^[a-z]+:\/\/([^/:?#]+)/i.exec(entry.url)?.[1] ?? '';
    const parts = host.split('.').filter((part) => !/^(?:mcp|www|api)$/i.test(part));
    return plainWord(parts.at(-2) ?? parts[0] ?? '') || 'server';
  }
  const args = Array.isArray(entry.args) ? entry.args.flat() : [];
  const words = [entry.command, ...args].filter((word): word is string => typeof word === 'string');
  const named = words.find((word) => /mcp|server/i.test(word) && !word.startsWith('-')) ?? words[0] ?? '';
  return plainWord(named.replace(/(?<=.)@[^/@]*$/, '').replace(/\.(?:m?js|ts|py|exe|cmd)$/, '')) || 'server';
}
