import type { EntryIssue } from '../../../../shared/model/import.ts';
import { launcherWords, splitCommand } from '../../../../shared/split-command.ts';
import type { Entry } from './dialects.ts';

/** A shell that only starts a launcher: we find programs by ourselves, on Windows too. */
export function unwrapShell(entry: Entry): Entry {
  const { command, args, ...rest } = entry;
  if (typeof command !== 'string' || !Array.isArray(args)) return entry;
  const inner = shellWords(command, args);
  if (inner === undefined) return entry;
  const [program, ...words] = inner;
  return { ...rest, command: program, args: words };
}

/** The words that a shell is given to run; undefined where it has more to do than to start them. */
export function shellWords(command: string, args: readonly unknown[]): readonly string[] | undefined {
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
  return isPlain && inner.length > 0 && launcherWords([...inner, 'x'].join(' ')) !== undefined
    ? inner
    : undefined;
}

/** An entry whose program installs something would do so at each start. */
export function installerWarning({ command, args }: Entry): readonly EntryIssue[] {
  if (typeof command !== 'string') return [];
  const words = [command, ...(Array.isArray(args) ? args.flat().map(String) : [])];
  const at = words.findIndex((word) =>
    /^(?:@smithery\/cli|add-mcp|install-mcp|mcp-add|create-[\w-]+|(?:@michaellatman\/)?mcp-get)(?:@[\w.-]+)?$/.test(
      word,
    ),
  );
  if (at < 0 || at > 3 || (words[at]?.startsWith('@smithery') === true && words[at + 1] === 'run')) return [];
  const message = 'this program installs servers and ends; it is not an MCP server itself';
  return [{ severity: 'error', path: 'command', message }];
}
