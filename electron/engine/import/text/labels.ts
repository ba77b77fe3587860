import type { Entry } from './dialects.ts';

/** Labels that forms and instructions put before a value, and the member that they stand for. */
const labels: readonly (readonly [label: RegExp, member: 'name' | 'type' | 'url' | 'command' | 'args'])[] = [
  [/^(?:server |connector |display )?name$/i, 'name'],
  [/^(?:type|transport|transport type|connection type)$/i, 'type'],
  [
    /^(?:url|server url|mcp url|remote url|mcp server url|remote mcp server url|endpoint|mcp endpoint)$/i,
    'url',
  ],
  [/^(?:command|cmd|start command)$/i, 'command'],
  [/^(?:args|arguments|parameters)$/i, 'args'],
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
    if (member !== undefined && found[member] === undefined)
      found[member] = value.trim().replace(/^([`"'])(.*)\1$/, '$2');
  }
  const { name = '', type, url, command, args } = found;
  if (url !== undefined && /^https?:\/\//.test(url))
    return { name, entry: { ...(type === undefined ? {} : { type }), url } };
  if (command === undefined || Object.keys(found).length < 2) return undefined;
  return {
    name,
    entry: { ...(type === undefined ? {} : { type }), command, ...(args === undefined ? {} : { args }) },
  };
}
