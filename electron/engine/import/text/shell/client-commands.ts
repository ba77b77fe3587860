import { isRecord } from '../../../../../shared/json.ts';
import { splitCommand } from '../../../../../shared/split-command.ts';
import type { Entry } from '../entry/dialects.ts';
import { parsePastedJson } from '../language/pasted-json.ts';
import { strictJson } from '../language/strict-json.ts';
import { type AddedServer, readAddCommand } from './add-command.ts';
import { options, withOptionsFirst } from './client-options.ts';
import { withPlainDashes } from './command-purpose.ts';
import { fields, optionalMember } from './fields.ts';
import { type ShellCommand, shellCommands } from './shell.ts';

/**
 * Returns the servers that a client's command adds: `CLIENT mcp add …`, `CLIENT mcp add-json NAME JSON`,
 * `code --add-mcp JSON`, and commands that install a Python file. Undefined if it adds none.
 */
export function serversAddedBy(command: ShellCommand): readonly AddedServer[] | undefined {
  const words = withPlainDashes(command.words).map((word) => word.replace(/(?<=\w)`$/, ''));
  // A line that is appended to a settings file of the client.
  if (words[0] === 'echo' && words.length === 2)
    return shellCommands(words[1] ?? '').flatMap((inner) => serversAddedBy(inner) ?? []);
  const json = words.findIndex((word) => /^--(?:add-mcp|mcp-config)(?:=|$)/.test(word));
  if (json !== -1) return fromJson('', words[json]?.split(/=(.*)/s)[1] ?? words[json + 1] ?? '');
  const extensions = gooseExtensions(words);
  if (extensions.length > 0) return extensions;
  const at = words.findIndex(
    (word, index) => isGroup(word, words[index - 1]) && index < 5 && verbs.test(words[index + 1] ?? ''),
  );
  if (at !== -1) {
    const verb = words[at + 1] ?? '';
    const rest = words.slice(at + 2);
    if (verb === 'install') return pythonFile(rest);
    return verb === 'add-json' || verb === 'set'
      ? readAddJsonCommand(rest)
      : readAddCommand(withOptionsFirst(rest), command.env);
  }
  const fast = words.findIndex(
    (word, index) => /^(?:fastmcp|mcp)$/.test(word) && index < 5 && words[index + 1] === 'install',
  );
  return fast === -1 ? undefined : pythonFile(words.slice(fast + 2));
}

/** Matches `mcp add`, `/mcp add`, `mcporter config add`. */
function isGroup(word: string, before: string | undefined): boolean {
  return /^\/?mcp$/.test(word) || (word === 'config' && before === 'mcporter');
}

const verbs = /^(?:add|add-json|set|install)$/;

function readAddJsonCommand(words: readonly string[]): readonly AddedServer[] | undefined {
  const plain: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (word === '--') continue;
    if (Object.hasOwn(options, word)) at += 1;
    else if (!/^-./.test(word)) plain.push(word);
  }
  const json = plain.findIndex((word) => /^\s*[{[]/.test(word));
  if (json === -1) return undefined;
  const name = plain.slice(0, json)[0] ?? '';
  // Without the quotes that a shell removed, the JSON is split into words.
  return fromJson(name, plain[json] ?? '') ?? fromJson(name, plain.slice(json).join(' '));
}

function fromJson(name: string, text: string): readonly AddedServer[] | undefined {
  for (const reading of [
    text,
    text.replaceAll('\\"', '"'),
    text.replaceAll('"""', '"'),
    text.replaceAll('""', '"'),
    text.replaceAll('`"', '"'),
  ]) {
    const value = parsePastedJson(reading) ?? parsePastedJson(strictJson(reading) ?? '');
    const servers = isRecord(value) ? serversIn(value, name) : [];
    if (servers.length > 0) return servers;
  }
  return undefined;
}

function serversIn(value: Entry, name: string): readonly AddedServer[] {
  const nested = value.mcpServers ?? value.servers;
  if (isRecord(nested))
    return Object.entries(nested).flatMap(([key, entry]) => (isRecord(entry) ? [{ name: key, entry }] : []));
  const [only] = Object.entries(value);
  if (only !== undefined && Object.keys(value).length === 1 && isRecord(only[1]))
    return [{ name: name === '' ? only[0] : name, entry: only[1] }];
  const { name: own, ...entry } = value;
  return [{ name: name === '' && typeof own === 'string' ? own : name, entry }];
}

/** Reads `goose session --with-extension "A=b npx …"` and similar options. */
function gooseExtensions(words: readonly string[]): readonly AddedServer[] {
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
function pythonFile(words: readonly string[]): readonly AddedServer[] | undefined {
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
