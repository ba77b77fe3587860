import type { ShellCommand } from './shell.ts';

/** Matches a path at the start of a command line. */
export const pathStart = /^(?:\.{0,2}[\\/]|~[\\/]|[A-Za-z]:[\\/])/;

/** Files that are read, not run; folders end in a slash. */
const documents =
  /[\\/]$|\.(?:jsonc?|json5|ya?ml|toml|mdx?|txt|ini|conf|cfg|config|env|lock|log|xml|html?|css|csv|pdf|png|jpe?g|gif|svg|webp|ico|zip|tgz|gz|tar|db|sqlite3?|pem|crt|key|plist|service|desktop|app|ipynb|mcpb|dxt|tsx?|jsx|rs|go|java)$/i;

/** Matches a comment, an escape, a pattern, a word with punctuation after it, punctuation alone. */
const notAPath = /^\/\/|^\\[^\\]|[*,;:)\]]$|[\\/][^\w\\/]*$/;

/**
 * Returns whether a path is a folder, a document or no path at all. An unquoted path with spaces comes as
 * several words.
 */
export function isDocument(program: string, args: readonly string[]): boolean {
  const [next = ''] = args;
  if (documents.test(program) || notAPath.test(program)) return true;
  const isCut = /[\\/][A-Z]\w*$/.test(program) && /^[\w.-]+[\\/]/.test(next);
  return isCut && (/[\\/](?:Application|Program)$/.test(program) || documents.test(args.join(' ')));
}

/** Folders that contain programs or build output. */
const programPath = /[\\/](?:s?bin|macos|release|debug|build|dist|out)[\\/][^\\/]+$|\.(?:exe|cmd|bat)$/i;
const pathRoots =
  /^(?:\.{1,2}[\\/]|~[\\/]|[A-Za-z]:[\\/]|\/(?:usr|opt|home|Users|root|srv|var|app|snap|nix|Applications)\/)/;
const serverName = /^(?!\.).*?(?:mcp[-_.]|[-_.]mcp|[-_]server)/i;

/**
 * Returns whether a sentence only mentions a path, which does not look like a program. Code may start one.
 */
export function isMentionedPath({ words }: ShellCommand, isCode: boolean): boolean {
  const [program = '', ...args] = words;
  if (args.length > 0 || !pathStart.test(program) || (isCode && /^\.{1,2}[\\/]/.test(program))) return false;
  const last = program.split(/[\\/]/).at(-1) ?? '';
  return !programPath.test(program) && !(pathRoots.test(program) && serverName.test(last));
}
