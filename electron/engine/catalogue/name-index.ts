import type { NamedItem, NameLookup } from './contract.ts';
import { canonicalId, couldBelongTo, defaultBudget, maxBudget, wireName } from './wire-name.ts';

/** An item of any server, listed or not. */
export interface IndexedItem {
  readonly target: NamedItem;
  readonly disabled: boolean;
  readonly held: boolean;
}

/**
 * Finds an item by any of its names: first the wire name of this view, then the canonical, dotted and safe
 * name, then the bare one. Names are looked up, never split. An ambiguous alias finds nothing, because
 * nothing is guessed. `unlisted` are the keys of servers that were never listed.
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
    if (found === undefined) return findDisabled(name);
    const { target, disabled, held } = found;
    return { kind: disabled ? 'disabled' : held ? 'held' : 'found', target };
  };

  /** Names of disabled servers count only if nothing else has them. */
  function findDisabled(name: string): NameLookup {
    const target = off.find(
      (item) => item.wireName === name || aliasNames.some((nameOf) => nameOf(item) === name),
    );
    if (target !== undefined) return { kind: 'server-off', target };
    const server = unlisted.find((key) => couldBelongTo(key, name));
    return { kind: 'unknown', name, ...(server === undefined ? {} : { server }) };
  }

  function findAlias(name: string): IndexedItem | undefined {
    // Built on first use, because most clients only use wire names.
    aliases ??= aliasNames.map((nameOf) => aliasMap(items, nameOf));
    return aliases.find((map) => map.has(name))?.get(name);
  }
}

type AliasMap = ReadonlyMap<string, IndexedItem | undefined>;

/**
 * Safe names for the maximum and for the usual budget, so that a name learned in one client works in another.
 */
const aliasNames: readonly ((item: NamedItem) => string)[] = [
  ({ serverKey, name }) => canonicalId(serverKey, name),
  ({ serverKey, name }) => wireName('dot', 0, serverKey, name),
  ({ serverKey, name }) => wireName('safe', maxBudget, serverKey, name),
  ({ serverKey, name }) => wireName('safe', defaultBudget, serverKey, name),
  ({ name }) => name,
];

/** Maps ambiguous aliases to undefined. Items with the same canonical id are one item. */
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
