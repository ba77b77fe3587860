import { splitCommand } from '../../../../shared/split-command.ts';
import { isPageHost } from './addresses.ts';
import type { AddedServer } from './client-commands.ts';
import type { Entry } from './dialects.ts';
import { fields, given } from './launchers.ts';

type Member = 'name' | 'type' | 'url' | 'command' | 'args' | 'env' | 'headers' | 'authorization';

/** Labels that forms and instructions put before a value, and the member that they stand for. */
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

/** A server as the fields of a form: `Name: …`, `URL: …`, `Command: …`, one a line. Undefined for any other text. */
export function labelledServer(text: string): { readonly name: string; readonly entry: Entry } | undefined {
  const found: Record<string, string> = {};
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length < 2 || lines.length > 30) return undefined;
  for (const line of lines) {
    const [, label = '', value = ''] =
      /^\s{0,20}(?:[-*•]\s+|\d{1,2}[.)]\s+)?\**([A-Za-z ]{2,30})\**\s*:\**\s*(\S.*)$/.exec(line) ?? [];
    const member = labels.find(([known]) => known.test(label.trim()))?.[1];
    if (member !== undefined && found[member] === undefined && !/^[{[]/.test(value))
      found[member] = value.trim().replace(/^([`"'])(.*)\1$/, '$2');
  }
  const { name = '', type, url, command, args, env, headers, authorization } = found;
  if (url !== undefined && /^https?:\/\//.test(url) && !isPageHost(url)) {
    const sent = {
      ...fields(headers === undefined ? [] : [headers], /(?<!\s)\s*[:=]\s*/),
      ...(authorization === undefined ? {} : { Authorization: authorization }),
    };
    return { name, entry: { ...(type === undefined ? {} : { type }), url, ...given('headers', sent) } };
  }
  if (command === undefined || Object.keys(found).length < 2) return undefined;
  return {
    name,
    entry: {
      ...(type === undefined ? {} : { type }),
      command,
      ...(args === undefined ? {} : { args }),
      ...given('env', fields(env?.split(/,\s*(?=[A-Za-z_]\w*=)/) ?? [], /=/)),
    },
  };
}

/** Servers as clients list them with their state: `name: npx -y … - ✓ Connected`, `✓ name: https://… (HTTP) - Connected`. */
export function listedServers(text: string): readonly AddedServer[] {
  return text.split('\n').flatMap((line): readonly AddedServer[] => {
    const end = line.lastIndexOf(' - ');
    const isMarked = /^\s*[✓✔✗✘×!⚠●○…]/.test(line);
    const state = isMarked ? /^\s*(?:dis)?connected\b/i : /^\s*[✓✔✗✘×!⚠]\S?\s+\S/;
    if (end === -1 || !state.test(line.slice(end + 3))) return [];
    const head = line.slice(0, end).trim();
    const colon = head.indexOf(': ');
    const name = head.slice(0, Math.max(colon, 0)).replace(/^[✓✔✗✘×!⚠●○…-]+\s*/, '');
    const [kind = '', type = ''] = /\((http|sse|stdio)\)$/i.exec(head) ?? [];
    const target = head.slice(colon + 2, head.length - kind.length).trim();
    if (name === '' || target === '') return [];
    if (/^https?:\/\//.test(target))
      return [{ name, entry: { ...(type === '' ? {} : { type: type.toLowerCase() }), url: target } }];
    const [command = '', ...args] = splitCommand(target);
    return [{ name, entry: { command, args } }];
  });
}
