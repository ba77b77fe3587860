import { splitCommand } from '../../../../shared/split-command.ts';
import type { AddedServer } from './client-commands.ts';
import { fields, optionalMember } from './launchers.ts';

/** Reads `goose session --with-extension "A=b npx …"` and similar options. */
export function gooseExtensions(words: readonly string[]): readonly AddedServer[] {
  return words.flatMap((word, at): readonly AddedServer[] => {
    const [flag = '', inline] = /^--with-[a-z-]*extension=/.test(word) ? word.split(/=(.*)/s) : [word];
    const value = inline ?? words[at + 1];
    if (!/^--with-(?:streamable-http-|remote-)?extension$/.test(flag) || value === undefined) return [];
    if (/^https?:/.test(value))
      return [{ name: '', entry: { url: value, ...(flag.includes('remote') ? { type: 'sse' } : {}) } }];
    const parts = splitCommand(value);
    const first = parts.findIndex((part) => !/^[A-Za-z_]\w*=/.test(part));
    if (first === -1) return [];
    const [program = '', ...args] = parts.slice(first);
    return [
      {
        name: '',
        entry: { command: program, args, ...optionalMember('env', fields(parts.slice(0, first), /=/)) },
      },
    ];
  });
}

/**
 * Reads `fastmcp install [CLIENT] FILE[:OBJECT] [--with PACKAGE] [--env A=b]`, with which clients run the
 * file through uv.
 */
export function pythonFile(words: readonly string[]): readonly AddedServer[] | undefined {
  const file = words.find((word) => /\.py(?::\w+)?$/.test(word));
  if (file === undefined) return undefined;
  const all = (...names: readonly string[]) =>
    words.flatMap((word, at) => (names.includes(words[at - 1] ?? '') ? [word] : []));
  const [name] = all('--name', '-n', '--server-name');
  const editable = all('--with-editable').flatMap((folder) => ['--with-editable', folder]);
  const packages = all('--with').flatMap((one) => ['--with', one]);
  const runner =
    words.includes('--with-editable') || words.length > 0
      ? ['run', '--with', 'fastmcp', ...packages, ...editable, 'fastmcp', 'run', file]
      : [];
  const env = fields(all('--env', '--env-var', '-e', '-v'), /=/);
  const base =
    file
      .split(/[\\/]/)
      .at(-1)
      ?.replace(/\.py(?::\w+)?$/, '') ?? '';
  return [{ name: name ?? base, entry: { command: 'uv', args: runner, ...optionalMember('env', env) } }];
}
