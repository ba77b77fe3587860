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
    if (/^[\d.]*$|^\[/.test(host)) return 'server';
    const parts = host.split('.').filter((part) => !/^(?:mcp|www|api)$/i.test(part));
    return plainWord(parts.at(-2) ?? parts[0] ?? '') || 'server';
  }
  const args = Array.isArray(entry.args) ? entry.args.flat() : [];
  const words = [entry.command, ...args].filter((word): word is string => typeof word === 'string');
  const [program = '', ...rest] = words;
  const named = words.find((word) => /mcp|server/i.test(word) && !/^-|^https?:|^\$|[\s[\]]/.test(word));
  const first = rest.find((word) => !/^-|^\$|^(?:run|exec|dlx|x|tool|mcp|gateway|container)$/.test(word));
  const isRunner =
    /^(?:npx|bunx|pnpx|npm|pnpm|yarn|bun|deno|uvx?|pipx|node|python[\d.]*|docker|podman|java|go|dotnet|dnx|tsx)$/i;
  const folder =
    typeof entry.cwd === 'string' && first !== undefined && built.test(first) ? entry.cwd : undefined;
  return (
    plainWord(folder ?? packageWord(named ?? (isRunner.test(program) ? first : undefined) ?? program)) ||
    'server'
  );
}

/** A file that says nothing of what it is. */
const built =
  /^(?:\.[/\\])?(?:(?:dist|build|src|lib|out|bin)[/\\])*(?:index|main|server|cli|start|app)\.\w+$/;

/** Without its version, its extension, and the folders that programs are built into. */
function packageWord(word: string): string {
  const bare = word
    .replace(/(?<=.)@[^/@]*$/, '')
    .replace(/[=<>~!]=.*$/, '')
    .replace(/(?<=\/[^/:]+):[\w.-]+$/, '');
  const file =
    /^(.*?)[/\\](?:(?:dist|build|src|lib|out|bin)[/\\])*(?:index|main|server|cli|start|app)\.(?:[cm]?[jt]s|py)$/.exec(
      bare,
    )?.[1];
  const folder = file?.split(/[/\\]/).at(-1) ?? '';
  const name = folder !== '' && !/^(?:dist|build|src|lib|out|bin|\.+)$/.test(folder) ? folder : bare;
  return name.replace(/\.(?:[cm]?js|ts|py|exe|cmd|jar)$/, '');
}
