import { ProblemError, problem } from '../../../shared/error/problem.ts';
import type { ClientWeight } from '../../../shared/model/client/client-detail.ts';
import { defaultCompactSettings } from '../../../shared/model/client/compact.ts';
import { hubNameStyle } from '../../../shared/model/client/initialize-result.ts';
import type { AccessTables } from '../access/access-tables.ts';
import type { Authorizer } from '../access/authorizer.ts';
import type { Clock } from '../base/clock.ts';
import type { OperationHandlers } from '../base/operation-handlers.ts';
import { chooseProfile } from '../catalogue/client-facts.ts';
import type { CatalogueStore } from '../catalogue/contract.ts';
import type { CompactChoice } from '../catalogue/profiles.ts';
import { compactView } from '../catalogue/view/compact-view.ts';
import { createView } from '../catalogue/view/view.ts';
import { directTools } from '../gateway/session/catalogue/compact-mode.ts';
import type { SessionProfiles } from '../gateway/session/session-contract.ts';
import type { SessionRegistry } from '../gateway/session/session-registry.ts';
import { type DescribedClient, describeClient } from './describe-client.ts';
import { mostUsed } from './most-used.ts';
import { estimateTools } from './token-estimate.ts';
import { recentUses, startOfDay, type ToolUseCounter } from './tool-use.ts';
import type { ToolUse, ToolUses } from './tool-uses.ts';
import { weighCompact } from './weigh-compact.ts';

/** The parts of a running hub that the inspection of clients needs. */
export interface InspectedHub {
  readonly clock: Clock;
  readonly catalogue: CatalogueStore;
  readonly profiles: Pick<SessionProfiles, 'choose' | 'select' | 'compact'>;
  readonly access: {
    readonly service: { readonly tables: Pick<AccessTables, 'byName'> };
    readonly authorizer: Pick<Authorizer, 'part'>;
  };
  readonly truth: {
    readonly sessions: Pick<SessionRegistry, 'find' | 'views'>;
    readonly uses: ToolUses;
    readonly counter: ToolUseCounter;
  };
}

export function clientOperations(hub: InspectedHub) {
  return {
    'client.detail': async ({ id }) => {
      const client = await describedClient(hub, id);
      return describeClient(client, await lastUses(hub));
    },
    'client.weigh': async ({ id }) => weigh(await describedClient(hub, id)),
    'client.notify': ({ id }) => {
      const session = hub.truth.sessions.find(id);
      if (session === undefined) throw clientGone();
      session.notifyAgain();
    },
    'client.known': async () => {
      const connected = new Set(hub.truth.sessions.views().map(({ name }) => name));
      return { clients: knownClients(await lastUses(hub), connected) };
    },
  } satisfies Partial<OperationHandlers>;
}

function weigh(client: DescribedClient): ClientWeight {
  const { tools, fullView } = client;
  const estimates = estimateTools(tools);
  return {
    total: estimates.reduce((sum, one) => sum + one, 0),
    byName: Object.fromEntries(tools.map(({ name }, index) => [String(name), estimates[index] ?? 0])),
    compact: weighCompact(fullView.tools, compactList(client)),
  };
}

/** Returns the compact list, as it is or as it would be. */
function compactList({ fullView, compact, direct }: DescribedClient): DescribedClient['tools'] {
  const choice = compact ?? ({ by: 'client', settings: defaultCompactSettings } as const);
  return compactView(fullView, direct(choice)).tools;
}

const knownPrefix = 'known:';

/** Returns a session, or what a client of this name would get now. */
async function describedClient(hub: InspectedHub, id: string): Promise<DescribedClient> {
  if (id.startsWith(knownPrefix)) return absentClient(hub, id, id.slice(knownPrefix.length));
  const truth = hub.truth.sessions.find(id)?.snapshot();
  if (truth === undefined) throw clientGone();
  return { ...truth, ...truth.client, id, connected: true };
}

async function absentClient(hub: InspectedHub, id: string, name: string): Promise<DescribedClient> {
  const profile = chooseProfile({ clientName: name, programDefault: hubNameStyle });
  const { catalogue, compact } = selectedCatalogue(hub, name);
  const whole = createView(catalogue, profile);
  const used = await mostUsed(hub.truth.uses, hub.clock, name);
  const direct = ({ settings }: CompactChoice) => directTools(whole, settings, used);
  const view = compact === undefined ? whole : compactView(whole, direct(compact));
  return {
    id,
    name,
    connected: false,
    profile,
    catalogue,
    view,
    fullView: whole,
    compact,
    direct,
    tools: view.tools,
    clientTools: undefined,
    hasToolList: false,
    isStale: false,
    clientRevision: undefined,
  };
}

/**
 * Returns the catalogue that a client may use; all of it for an unknown client, whose future grants are not
 * known.
 */
function grantedCatalogue(
  { catalogue: { current }, access: { service, authorizer } }: InspectedHub,
  client: string,
) {
  const identity = service.tables.byName('client', client);
  if (identity === undefined) return current;
  return authorizer.part(identity.id)?.select(current) ?? { ...current, servers: [], off: [] };
}

/** Applies the grants and the profile of the client. */
function selectedCatalogue(hub: InspectedHub, client: string) {
  const { profiles } = hub;
  const current = grantedCatalogue(hub, client);
  const choice = profiles.choose(undefined, [client]);
  const compact = profiles.compact(choice, [client], false);
  if (choice.kind === 'everything') return { catalogue: current, compact };
  if (choice.kind === 'selection') return { catalogue: profiles.select(current, choice.selection), compact };
  return { catalogue: { ...current, servers: [], off: [] }, compact };
}

/** Returns the uses of earlier days; none without the database. */
function lastUses({ clock, truth: { uses, counter } }: InspectedHub): Promise<readonly ToolUse[]> {
  return recentUses(uses, counter, clock).catch(() => []);
}

function knownClients(uses: readonly ToolUse[], connected: ReadonlySet<string>) {
  const byName = new Map<string, { calls: number; day: number }>();
  for (const { client, calls, day } of uses) {
    if (connected.has(client)) continue;
    const known = byName.get(client) ?? { calls: 0, day };
    byName.set(client, { calls: known.calls + calls, day: Math.max(known.day, day) });
  }
  return [...byName].map(([name, { calls, day }]) => ({
    id: knownPrefix + name,
    name,
    calls,
    lastUsedAt: startOfDay(day),
  }));
}

function clientGone(): ProblemError {
  const sentence = 'This client is no longer connected.';
  return new ProblemError(problem('client.gone', sentence, 'Connect it again.'));
}
