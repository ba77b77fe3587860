import { type Problem, problem } from '../../../../shared/error/problem.ts';
import type { Catalogue, CatalogueServer, ClientProfile, NameLookup, RawItem } from '../contract.ts';
import { withMember } from '../item-text.ts';
import { createNameIndex, type IndexedItem } from '../name-index.ts';
import { formFor } from '../strict/strict-items.ts';
import { canonicalId, wireName } from '../wire-name.ts';

export interface NamedList {
  /** Original objects with only the name replaced. */
  readonly items: readonly RawItem[];
  readonly problems: readonly Problem[];
  readonly find: (name: string) => NameLookup;
}

/** Differences between lists of tools and prompts. */
export interface NamedKind {
  readonly noun: 'tool' | 'prompt';
  readonly part: 'tools' | 'prompts';
  readonly itemsOf: (server: CatalogueServer) => readonly RawItem[];
  readonly isDisabled: (server: CatalogueServer, name: string) => boolean;
  readonly isQuarantined: (server: CatalogueServer, name: string) => boolean;
}

/**
 * Cache of the names of server lists for one profile, for as long as those lists live: while servers start
 * one after the other, the names of the others are not recomputed.
 */
export type NameMemo = WeakMap<readonly RawItem[], CachedNames>;

interface CachedNames {
  readonly kind: NamedKind;
  readonly key: string;
  readonly disabledTools: ReadonlySet<string>;
  readonly heldTools: ReadonlySet<string>;
  readonly items: readonly NamedListItem[];
}

/** An item with the form that the client gets. */
interface NamedListItem extends IndexedItem {
  readonly clientItem: RawItem;
}

/** Creates the tools or prompts of all servers with one client's names, in config order. */
export function createNamedList(
  catalogue: Catalogue,
  profile: ClientProfile,
  kind: NamedKind,
  memo: NameMemo,
): NamedList {
  const all = catalogue.servers.flatMap((server) => namesOf(server, profile, kind, memo));
  const off = catalogue.off.flatMap((server) =>
    namesOf(server, profile, kind, memo).map(({ target }) => target),
  );
  const wire = new Map<string, IndexedItem>();
  const items: RawItem[] = [];
  const problems: Problem[] = [];

  for (const entry of all) {
    if (isWithheld(entry)) continue;
    const { target } = entry;
    const holder = wire.get(target.wireName);
    if (!profile.pattern.test(target.wireName)) {
      problems.push(nameRefusedProblem(kind, entry));
    } else if (holder !== undefined) {
      problems.push(nameClashProblem(kind, holder, entry));
    } else {
      wire.set(target.wireName, entry);
      items.push(entry.clientItem);
    }
  }
  // A withheld item keeps its name only if no listed item has it.
  for (const entry of all) {
    if (isWithheld(entry) && !wire.has(entry.target.wireName)) wire.set(entry.target.wireName, entry);
  }
  const unlisted = catalogue.servers
    .filter(({ offer }) => offer.protocolVersion === '' || offer.unlisted?.includes(kind.part) === true)
    .map(({ key }) => key);
  const silent = [...unlisted, ...(catalogue.silent ?? [])];
  return { items, problems, find: createNameIndex(wire, all, off, silent) };
}

function namesOf(
  server: CatalogueServer,
  profile: ClientProfile,
  kind: NamedKind,
  memo: NameMemo,
): readonly NamedListItem[] {
  const { key, disabledTools, heldTools } = server;
  const list = kind.itemsOf(server);
  const known = memo.get(list);
  const isSameOwner = known?.kind === kind && known.key === key;
  if (isSameOwner && known.disabledTools === disabledTools && known.heldTools === heldTools)
    return known.items;
  const items = nameItems(server, profile, kind);
  memo.set(list, { kind, key, disabledTools, heldTools, items });
  return items;
}

function nameItems(
  server: CatalogueServer,
  profile: ClientProfile,
  kind: NamedKind,
): readonly NamedListItem[] {
  return kind.itemsOf(server).flatMap((item) => {
    const { name } = item;
    if (typeof name !== 'string') return [];
    const clientName = wireName(profile.style, profile.budget, server.key, name);
    const target = { serverKey: server.key, name, wireName: clientName, item };
    const withheld = { disabled: kind.isDisabled(server, name), held: kind.isQuarantined(server, name) };
    return [{ target, clientItem: renamed(formFor(profile, server, item), name, clientName), ...withheld }];
  });
}

function isWithheld({ disabled, held }: IndexedItem): boolean {
  return disabled || held;
}

function renamed(item: RawItem, name: string, clientName: string): RawItem {
  return clientName === name ? item : withMember(item, 'name', clientName);
}

function nameRefusedProblem({ noun }: NamedKind, { target }: IndexedItem): Problem {
  const id = canonicalId(target.serverKey, target.name);
  const sentence = `The client would reject the name ${JSON.stringify(target.wireName)}, so the ${noun} ${id} is not in its list.`;
  return problem('tool.name_refused', sentence, `Choose safe names for this client, or call it as ${id}.`, {
    server: target.serverKey,
    [noun]: target.name,
    name: target.wireName,
  });
}

function nameClashProblem({ noun }: NamedKind, holder: IndexedItem, late: IndexedItem): Problem {
  const keeper = canonicalId(holder.target.serverKey, holder.target.name);
  const loser = canonicalId(late.target.serverKey, late.target.name);
  const evidence = { name: late.target.wireName, server: late.target.serverKey, kept: keeper, left: loser };
  const sentence = `The ${noun}s ${keeper} and ${loser} would both be called ${JSON.stringify(late.target.wireName)}; ${keeper} keeps the name.`;
  const fix = `Call the other one as ${loser}, choose safe or colon names, or rename a server.`;
  return problem('tool.name_clash', sentence, fix, evidence);
}
