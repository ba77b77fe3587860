import { isRecord, scalarText } from '../../../../../shared/json.ts';
import type { EntryIssue } from '../../../../../shared/model/import/import.ts';
import { splitCommand, splitLauncherCommand } from '../../../../../shared/split-command.ts';
import type { Entry } from '../entry/dialects.ts';

/** Removes a shell that only starts a launcher: Patchbay finds programs itself, on Windows too. */
export function unwrapShell(entry: Entry): Entry {
  const { command, args, ...rest } = entry;
  if (typeof command !== 'string' || !Array.isArray(args)) return entry;
  const inner = /(?:^|[\\/])env$/.test(command) ? envWords(args) : wrappedWords(command, args);
  if (inner === undefined) return entry;
  const first = inner.findIndex((word) => !assignment.test(word));
  const set = inner.slice(0, first).map((word) => word.split(/=(.*)/s).slice(0, 2));
  const [program, ...words] = inner.slice(first);
  const env = { ...Object.fromEntries(set), ...(isRecord(rest.env) ? rest.env : {}) };
  return { ...rest, command: program, args: words, ...(set.length === 0 ? {} : { env }) };
}

/** Matches a variable set for the command that follows. */
const assignment = /^[A-Za-z_]\w*=/;

/**
 * Splits a line that starts with a launcher, or that sets variables for its program; undefined for any other.
 */
export function commandLine(
  line: string,
): { readonly words: readonly string[]; readonly env: Entry } | undefined {
  const all = assignment.test(line) ? splitCommand(line) : [];
  const first = all.findIndex((word) => !assignment.test(word));
  const words = first === -1 ? splitLauncherCommand(line) : all.slice(first);
  const set = all.slice(0, Math.max(first, 0)).map((word) => word.split(/=(.*)/s).slice(0, 2));
  return words === undefined ? undefined : { words, env: Object.fromEntries(set) };
}

/** Reads `env A=b npx …`, without options of env. */
function envWords(args: readonly unknown[]): readonly string[] | undefined {
  const words = args.filter((word) => typeof word === 'string');
  const first = words.findIndex((word) => !assignment.test(word));
  return words.length === args.length && isLauncher(words.slice(Math.max(first, 0))) ? words : undefined;
}

function isLauncher(words: readonly string[]): boolean {
  return words.length > 0 && splitLauncherCommand([...words, 'x'].join(' ')) !== undefined;
}

/** Returns the words that a shell is asked to run; undefined if it does more than start them. */
export function wrappedWords(command: string, args: readonly unknown[]): readonly string[] | undefined {
  const words = args.filter((word) => typeof word === 'string');
  if (words.length !== args.length) return undefined;
  const shell = /(?:^|[\\/])(cmd|powershell|pwsh|sh|bash|zsh)(?:\.exe)?$/i.exec(command)?.[1]?.toLowerCase();
  const at = words.findIndex(
    (word) => /^(?:\/c|\/d|\/s|-c|-command)$/i.test(word) && !/^\/[ds]$/i.test(word),
  );
  if (shell === undefined || at === -1) return undefined;
  const after = words.slice(at + 1);
  const [only = ''] = after;
  const inner =
    after.length === 1 || shell === 'bash' || shell === 'sh' || shell === 'zsh'
      ? [...splitCommand(only)]
      : after;
  const isPlain = after.every((word) => !/[|;<>]|&&|\$\(|`/.test(word));
  const first = inner.findIndex((word) => !assignment.test(word));
  return isPlain && first !== -1 && isLauncher(inner.slice(first)) ? inner : undefined;
}

/** Reports a script whose path was split at a space, as on a command line without quotes. */
export function splitPathWarning({ command, args }: Entry): readonly EntryIssue[] {
  if (typeof command !== 'string' || !Array.isArray(args)) return [];
  const words = args.flat().map(scalarText);
  const at = absolutePath.test(command)
    ? -1
    : scriptPrograms.test(command)
      ? words.findIndex((word) => !word.startsWith('-'))
      : words.length;
  const [first = '', second = ''] = at === -1 ? [command, words[0]] : words.slice(at);
  const isEnd = pathEnd.test(second) && (at !== -1 || programEnd.test(second));
  const isSplit = isEnd && absolutePath.test(first) && !extension.test(first);
  if (!isSplit) return [];
  const message = `${first} ${second} looks like one path with a space; put quotes around it`;
  return [{ severity: 'warning', path: at === -1 ? 'command' : `args.${at}`, message }];
}

const absolutePath = /^(?:[/~]|[A-Za-z]:[\\/]).{0,1000}$/;
const scriptPrograms = /^(?:node|bun|deno|java|python\d?|py|ruby|php|dotnet|sh|bash)(?:\.exe)?$/i;
const extension = /\.\w{1,5}$/;
/** Matches the rest of the path of a program; a script may follow a program. */
const programEnd = /\.app\/|\.exe$/i;
/** Matches the rest of a path, which is neither an option nor a path of its own. */
const pathEnd = /^(?![-/~@]|[A-Za-z]:[\\/])[^:]{0,300}[\\/][^:]{1,300}$/;

/** Reports an entry that would install something at each start. */
export function installerWarning({ command, args }: Entry): readonly EntryIssue[] {
  if (typeof command !== 'string') return [];
  const words = [command, ...(Array.isArray(args) ? args.flat().map(scalarText) : [])];
  const at = words.findIndex((word) =>
    /^(?:@smithery\/cli|add-mcp|install-mcp|mcp-add|create-[\w-]+|(?:@michaellatman\/)?mcp-get)(?:@[\w.-]+)?$/.test(
      word,
    ),
  );
  if (at < 0 || at > 3 || (words[at]?.startsWith('@smithery') === true && words[at + 1] === 'run')) return [];
  const message = 'this program installs servers and exits; it is not an MCP server itself';
  return [{ severity: 'error', path: 'command', message }];
}
