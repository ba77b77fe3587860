import type { Entry } from '../entry/dialects.ts';
import { fields, optionalMember } from '../shell/fields.ts';
import { isPageHost } from './addresses.ts';

type Member = 'name' | 'type' | 'url' | 'command' | 'args' | 'env' | 'headers' | 'authorization';

/** Labels that forms and instructions use, and their members. */
const labels: readonly (readonly [label: RegExp, member: Member])[] = [
  [/^(?:server |connector |display )?name$/i, 'name'],
  [/^(?:type|transport|transport type|connection type)$/i, 'type'],
  [
    /^(?:url|server url|mcp url|remote url|mcp server url|remote mcp server url|endpoint|mcp endpoint)$/i,
    'url',
  ],
  [/^(?:command|cmd|start command)$/i, 'command'],
  [/^(?:args|arguments|parameters)$/i, 'args'],
  [/^(?:env|environment|environment variables?)$/i, 'env'],
  [/^(?:headers?|http headers?|custom headers?)$/i, 'headers'],
  [/^authorization$/i, 'authorization'],
];

/**
 * Reads a server from the fields of a form: `Name: …`, `URL: …`, `Command: …`, one per line. Undefined for
 * any other text.
 */
export function labelledServer(text: string): { readonly name: string; readonly entry: Entry } | undefined {
  const found: Record<string, string> = {};
  const below: Record<'env' | 'headers', string[]> = { env: [], headers: [] };
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length < 2 || lines.length > 30) return undefined;
  let open:
    | { readonly member: 'env' | 'headers'; readonly indent: number; readonly isItem: boolean }
    | undefined;
  for (const [at, line] of lines.entries()) {
    const indent = indentOf(line);
    const isVariable = open?.member === 'env' && /^\s*[A-Za-z_]\w*=/.test(line);
    const [, item] = /^\s*[-*•]\s+([`"']?[A-Za-z_][\w-]{0,80}\s{0,3}[:=].*)$/.exec(line) ?? [];
    const isItem = item !== undefined && open?.isItem === false;
    if (open !== undefined && (isVariable || isItem || indent > open.indent)) {
      below[open.member].push((item ?? line).trim().replace(/^([`"'])(.*)\1$/, '$2'));
      continue;
    }
    open = undefined;
    const [, label = '', value = ''] =
      /^\s{0,20}(?:[-*•]\s+|\d{1,2}[.)]\s+)?\**([A-Za-z ]{2,30})\**\s*:\**\s*(\S.*)?$/.exec(line) ?? [];
    const member = labels.find(([known]) => known.test(label.trim()))?.[1];
    if (member === undefined) {
      // A client that shows a single server prints its name above the fields.
      if (indentOf(lines[at + 1] ?? '') > indent && Object.keys(found).length === 0)
        found.title = /^([\w.@/-]{1,80}):?$/.exec(line.trim())?.[1] ?? '';
    } else if (value === '') {
      if (member === 'env' || member === 'headers') open = { member, indent, isItem: /^\s*[-*•]/.test(line) };
    } else if (found[member] === undefined && value !== '-' && !/^[{[]/.test(value))
      found[member] = value.trim().replace(/^([`"'])(.*)\1$/, '$2');
  }
  const { title = '', name = title, type, url, command, args, env, headers, authorization } = found;
  if (url !== undefined && /^https?:\/\//.test(url) && !isPageHost(url)) {
    const sent = {
      ...fields([...(headers === undefined ? [] : [headers]), ...below.headers], /(?<!\s)\s*[:=]\s*/),
      ...(authorization === undefined ? {} : { Authorization: authorization }),
    };
    return {
      name,
      entry: { ...(type === undefined ? {} : { type }), url, ...optionalMember('headers', sent) },
    };
  }
  if (command === undefined || Object.keys(found).filter((member) => member !== 'title').length < 2)
    return undefined;
  return {
    name,
    entry: {
      ...(type === undefined ? {} : { type }),
      command,
      ...(args === undefined ? {} : { args }),
      ...optionalMember('env', fields([...(env?.split(/,\s*(?=[A-Za-z_]\w*=)/) ?? []), ...below.env], /=/)),
    },
  };
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
