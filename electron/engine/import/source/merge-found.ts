import { isDeepStrictEqual } from 'node:util';
import { isRecord, scalarText } from '../../../../shared/json.ts';
import type { Entry, FoundServer } from '../found.ts';

/**
 * Merges servers from several pieces of a text. Instructions show one server several times, once for each
 * program: entries in two pieces that run the same become one server with the details of both. Within a piece
 * only equal ones are merged.
 */
export function mergeFound(groups: readonly (readonly FoundServer[])[]): readonly FoundServer[] {
  const merged = new Map<string, FoundServer[]>();
  const order: { readonly signature: string; readonly at: number }[] = [];
  for (const group of groups) {
    const before = new Map([...merged].map(([signature, servers]) => [signature, servers.length]));
    for (const server of group) {
      const signature = signatureOf(server);
      const known = merged.get(signature) ?? [];
      const twin = known.findIndex((other, at) =>
        at < (before.get(signature) ?? 0) ? areCompatible(other, server) : isDeepStrictEqual(other, server),
      );
      const other = known[twin];
      if (other !== undefined) known[twin] = mergeServers(other, server);
      else {
        merged.set(signature, [...known, server]);
        order.push({ signature, at: known.length });
      }
    }
  }
  return order.flatMap(({ signature, at }) => merged.get(signature)?.[at] ?? []);
}

/** Identifies a server by the program it runs or its address, whatever its placeholders are called. */
export function signatureOf({ key, entry }: FoundServer): string {
  const { url, command } = entry;
  if (typeof url === 'string')
    return `url ${withoutPlaceholderNames(url)
      .replace(/(?<!\/)\/+$/, '')
      .toLowerCase()}`;
  if (typeof command !== 'string') return `none ${key} ${JSON.stringify(entry)}`;
  const args = Array.isArray(entry.args) ? entry.args.flat() : [];
  const words = args.map((arg) => withoutPlaceholderNames(scalarText(arg)));
  const plain = /^(?:npx|bunx|pnpx)$/.test(command)
    ? ['npx', ...words.filter((word) => !/^(?:-y|--yes|-q)$/.test(word))]
    : [command, ...words];
  return `command ${JSON.stringify(plain.map((word) => word.replace(/@latest$/, '')))}`;
}

function withoutPlaceholderNames(text: string): string {
  return text.replace(/\$\{[^{}]*\}/g, '*');
}

/**
 * Returns whether no shared variable or header has two values, and one server has all that the other one has.
 */
export function areCompatible(a: FoundServer, b: FoundServer): boolean {
  return (['env', 'headers'] as const).every((field) => {
    const [one, two] = [a.entry[field], b.entry[field]];
    if (!isRecord(one) || !isRecord(two)) return true;
    // If each has variables of its own, they are two ways to set up the server.
    if (hasExtraNames(one, two) && hasExtraNames(two, one)) return false;
    return Object.entries(one).every(([name, value]) => {
      const other = two[name];
      return (
        other === undefined ||
        other === value ||
        [value, other].some((text) => scalarText(text).includes('${'))
      );
    });
  });
}

function hasExtraNames(one: Entry, two: Entry): boolean {
  return Object.keys(two).some((name) => !Object.hasOwn(one, name));
}

export function mergeServers(first: FoundServer, second: FoundServer): FoundServer {
  const both = (field: 'env' | 'headers') => {
    const [one, two] = [first.entry[field], second.entry[field]];
    return isRecord(one) && isRecord(two) ? { [field]: { ...two, ...one } } : {};
  };
  return {
    ...first,
    key: first.key === '' ? second.key : first.key,
    entry: { ...second.entry, ...first.entry, ...both('env'), ...both('headers') },
  };
}
