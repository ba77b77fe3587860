import type { NamedItem, NameLookup } from './contract.ts';
import { beginsLikeNamesOf, canonicalId, cautiousBudget, maxBudget, wireName } from './wire-name.ts';

/** One item of any server, listed or not. */
export interface IndexedItem {
  readonly target: NamedItem;
  readonly disabled: boolean;
  readonly held: boolean;
}

/**
 * Finds an item by any of its names: the wire name of this view first, then canonical, dotted and safe name, then the
 * bare one. Names are looked up, never split. An alias that means two items means none: nothing is guessed. `unlisted`
 * are the keys of servers that have never said what they offer.
 */
export function createNameIndex(
  wire: ReadonlyMap<string, IndexedItem>,
  items: readonly IndexedItem[],
  off: readonly NamedItem[],
  unlisted: readonly string[],
): (name: string) => NameLookup {
  let aliases: readonly AliasMap[] | undefined;

  return (name) => {
    const found = wire.get(name) ?? findAlias(name);
    if (found === undefined) return findOff(name);
    const { target, disabled, held } = found;
    return { kind: disabled ? 'disabled' : held ? 'held' : 'found', target };
  };

  /** Names of switched-off servers mean something only where nothing else has them. */
  function findOff(name: string): NameLookup {
    const target = off.find(
      (item) => item.wireName === name || aliasNames.some((nameOf) => nameOf(item) === name),
    );
    if (target !== undefined) return { kind: 'server-off', target };
    const server = unlisted.find((key) => beginsLikeNamesOf(key, name));
    return { kind: 'unknown', name, ...(server === undefined ? {} : { server }) };
  }

  function findAlias(name: string): IndexedItem | undefined {
    // Built when first needed: most clients only ever use wire names.
    aliases ??= aliasNames.map((nameOf) => aliasMap(items, nameOf));
    return aliases.find((map) => map.has(name))?.get(name);
  }
}

type AliasMap = ReadonlyMap<string, IndexedItem | undefined>;

/** Safe names as cut for the longest and for the usual budget: a name learnt in one client works in another. */
const aliasNames: readonly ((item: NamedItem) => string)[] = [
  ({ serverKey, name }) => canonicalId(serverKey, name),
  ({ serverKey, name }) => wireName('dot', 0, serverKey, name),
  ({ serverKey, name }) => wireName('safe', maxBudget, serverKey, name),
  ({ serverKey, name }) => wireName('safe', cautiousBudget, serverKey, name),
  ({ name }) => name,
];

/** An alias claimed twice maps to undefined. Items of one canonical id are one item. */
function aliasMap(items: readonly IndexedItem[], nameOf: (item: NamedItem) => string): AliasMap {
  const map = new Map<string, IndexedItem | undefined>();
  for (const item of items) {
    const alias = nameOf(item.target);
    const holder = map.get(alias);
    if (!map.has(alias)) map.set(alias, item);
    else if (holder !== undefined && !isSameId(holder.target, item.target)) map.set(alias, undefined);
  }
  return map;
}

function isSameId(a: NamedItem, b: NamedItem): boolean {
  return a.serverKey === b.serverKey && a.name === b.name;
}
