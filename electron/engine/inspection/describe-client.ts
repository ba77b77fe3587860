import type { Problem } from '../../../shared/error/problem.ts';
import type { ClientDetail, ClientFix, ClientTool } from '../../../shared/model/client/client-detail.ts';
import { clientTitle } from '../../../shared/model/client/client-title.ts';
import { defaultCompactSettings } from '../../../shared/model/client/compact.ts';
import { compactWorth, isWorthwhile } from '../../../shared/model/client/compact-worth.ts';
import type { Catalogue, CatalogueView, ClientProfile, RawItem } from '../catalogue/contract.ts';
import { serializeItems } from '../catalogue/item-text.ts';
import type { CompactChoice } from '../catalogue/profiles.ts';
import { canonicalId } from '../catalogue/wire-name.ts';
import { startOfDay } from './tool-use.ts';
import type { ToolUse } from './tool-uses.ts';

/** A client, with the list that it has and the one it would get now. */
export interface DescribedClient {
  readonly id: string;
  readonly name: string;
  readonly title?: string;
  readonly connected: boolean;
  readonly profile: ClientProfile;
  readonly catalogue: Catalogue;
  readonly view: CatalogueView;
  /** Everything that the client may use. */
  readonly fullView: CatalogueView;
  readonly compact: CompactChoice | undefined;
  /** Returns the tools, as `server:tool`, that a compact list contains besides search. */
  readonly direct: (choice: CompactChoice) => readonly string[];
  readonly tools: readonly RawItem[];
  readonly clientTools: readonly RawItem[] | undefined;
  readonly hasToolList: boolean;
  readonly isStale: boolean;
  readonly clientRevision: number | undefined;
}

/** Describes a client; `uses` are the calls of all clients in recent days. */
export function describeClient(client: DescribedClient, uses: readonly ToolUse[]): ClientDetail {
  const { id, name, title, connected, profile, view, catalogue, tools, clientRevision } = client;
  const { style, budget, toolCap, honoursListChanged } = profile;
  const list = listState(client);
  const difference = list === 'outdated' ? listDifference(client.clientTools ?? [], tools) : undefined;
  return {
    id,
    name,
    ...(title === undefined ? {} : { title }),
    connected,
    nameStyle: style,
    ...(style === 'safe' ? { longestName: budget } : {}),
    ...(toolCap === undefined ? {} : { toolCap }),
    honoursListChanged,
    ...(clientRevision === undefined ? {} : { heldRevision: clientRevision }),
    revision: catalogue.revision,
    list,
    ...(difference === undefined ? {} : { difference }),
    tools: visibleTools(tools, view, usesOf(uses, name)),
    leftOut: [...view.problems.filter(isLeftOut), ...catalogue.servers.flatMap(({ setAside }) => setAside)],
    withheld: withheldOf(catalogue),
    ...(uses.length === 0 ? {} : { countedSince: startOfDay(Math.min(...uses.map(({ day }) => day))) }),
    compact: compactOf(client),
    fixes: fixesOf(client, list),
  };
}

/** A resource whose address two servers share is listed all the same, under another address. */
function isLeftOut({ code }: Problem): boolean {
  return code !== 'resource.uri_clash';
}

function compactOf({ compact, fullView }: DescribedClient): ClientDetail['compact'] {
  const tools = fullView.tools.length;
  if (compact === undefined) return { settings: defaultCompactSettings, tools };
  return { by: compact.by, settings: compact.settings, tools };
}

function listState({ hasToolList, clientTools, isStale }: DescribedClient): ClientDetail['list'] {
  if (!hasToolList) return 'none';
  if (!isStale) return 'current';
  return clientTools === undefined ? 'unknown' : 'outdated';
}

/** Compares by the names that the client sees. */
export function listDifference(
  before: readonly RawItem[],
  after: readonly RawItem[],
): NonNullable<ClientDetail['difference']> {
  const older = byName(before);
  const newer = byName(after);
  const names = [...newer.keys()];
  return {
    added: names.filter((name) => !older.has(name)),
    removed: [...older.keys()].filter((name) => !newer.has(name)),
    changed: names.filter((name) => hasChanged(older.get(name), newer.get(name))),
  };
}

function byName(items: readonly RawItem[]): ReadonlyMap<string, RawItem> {
  return new Map(items.map((item) => [String(item.name), item]));
}

/** An item that was not listed again is the same object. */
function hasChanged(before: RawItem | undefined, after: RawItem | undefined): boolean {
  if (before === undefined || after === undefined || before === after) return false;
  return serializeItems([before]) !== serializeItems([after]);
}

function visibleTools(
  tools: readonly RawItem[],
  view: CatalogueView,
  calls: ReadonlyMap<string, number>,
): readonly ClientTool[] {
  return tools.map((item) => {
    const wireName = String(item.name);
    const found = view.findTool(wireName);
    if (found.kind !== 'found') return { name: wireName, wireName, calls: 0 };
    const { serverKey, name } = found.target;
    return { serverKey, name, wireName, calls: calls.get(canonicalId(serverKey, name)) ?? 0 };
  });
}

function usesOf(uses: readonly ToolUse[], client: string): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const use of uses) {
    if (use.client !== client) continue;
    const id = canonicalId(use.serverKey, use.name);
    sums.set(id, (sums.get(id) ?? 0) + use.calls);
  }
  return sums;
}

function withheldOf({ servers }: Catalogue): ClientDetail['withheld'] {
  const count = (isWithheld: (name: string, server: (typeof servers)[number]) => boolean) =>
    servers.reduce(
      (sum, server) =>
        sum +
        server.offer.tools.filter((item) => typeof item.name === 'string' && isWithheld(item.name, server))
          .length,
      0,
    );
  return {
    disabled: count((name, { disabledTools }) => disabledTools.has(name)),
    held: count((name, { heldTools }) => heldTools.has(name)),
  };
}

function fixesOf(client: DescribedClient, list: ClientDetail['list']): readonly ClientFix[] {
  const { profile, tools, compact } = client;
  const title = clientTitle(client);
  const isStale = client.connected && (list === 'outdated' || list === 'unknown');
  const { toolCap } = profile;
  const isTooMuch = toolCap !== undefined && tools.length > toolCap;
  const worth = compactWorth({ tools: tools.length, toolCap });
  return [
    ...(isStale ? [staleFix(title, profile.honoursListChanged)] : []),
    ...(isTooMuch ? [capFix(title, tools.length, toolCap)] : []),
    ...(compact === undefined && isWorthwhile(worth) ? [compactFix(title, tools.length)] : []),
  ];
}

function staleFix(title: string, honoursListChanged: boolean): ClientFix {
  return honoursListChanged
    ? {
        kind: 'notify',
        sentence: `${title} was notified that its list has changed, but has not requested the new one.`,
      }
    : {
        kind: 'restart',
        sentence: `${title} keeps the list that it received at startup. Quit it, including its tray icon, and start it again.`,
      };
}

function capFix(title: string, tools: number, cap: number): ClientFix {
  const sentence = `${title} gets ${tools} tools, but works reliably with at most ${cap}: beyond that it truncates the list, warns or fails.`;
  return { kind: 'fewer-tools', sentence };
}

function compactFix(title: string, tools: number): ClientFix {
  const sentence = `In compact mode ${title} gets only a few tools, which find and call all ${tools}.`;
  return { kind: 'compact', sentence };
}
