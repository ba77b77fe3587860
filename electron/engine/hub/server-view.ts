import type { Problem } from '../../../shared/error/problem.ts';
import type { ServerStatus, ServerView } from '../../../shared/model/server.ts';
import type { CatalogueServer, Offer } from '../catalogue/contract.ts';
import type { ConfiguredServer } from '../config/contract.ts';
import type { ServerState, SupervisedServer } from '../supervise/contract.ts';

/** All that is known of one server, from the rooms that know it. */
export interface ServerFacts {
  readonly configured: ConfiguredServer;
  /** Absent until the supervisor has been told of it. */
  readonly supervised?: Pick<SupervisedServer, 'state' | 'restarts'>;
  readonly catalogued?: CatalogueServer;
  /** Absent for a server that has never asked for a sign-in. */
  readonly auth?: NonNullable<ServerView['auth']>;
  /** Problems that do not stop it, from its lists. */
  readonly warnings: readonly Problem[];
  /** Time for a server that has no state yet. */
  readonly now: number;
}

/** A server as people see it. */
export function serverView(facts: ServerFacts): ServerView {
  const { configured, supervised, catalogued } = facts;
  const state = supervised?.state ?? {
    status: configured.enabled ? 'disconnected' : 'disabled',
    since: facts.now,
  };
  const warnings = [...facts.warnings, ...(catalogued?.setAside ?? [])];
  return {
    key: configured.key,
    transport: configured.transport,
    enabled: configured.enabled,
    target: configured.display,
    restarts: supervised?.restarts ?? 0,
    start: configured.start,
    isolation: configured.isolation,
    instances: 0,
    activeCalls: 0,
    openCircuits: [],
    cached: catalogued?.cached ?? false,
    counts: counts(catalogued, configured.disabledTools),
    warnings,
    ...(facts.auth === undefined ? {} : { auth: facts.auth }),
    ...stateFields(state),
    ...(state.status === 'connected' && isSilent(warnings) ? { status: 'degraded' as const } : {}),
    ...identity(catalogued?.offer),
  };
}

/** Connected, and yet of no use: it could not say what it offers. */
function isSilent(warnings: readonly Problem[]): boolean {
  return warnings.some(({ code }) => code === 'server.list_failed');
}

function counts(
  catalogued: CatalogueServer | undefined,
  disabled: ReadonlySet<string>,
): ServerView['counts'] {
  const offer = catalogued?.offer;
  const tools = offer?.tools ?? [];
  return {
    tools: tools.length,
    disabledTools: tools.filter((tool) => typeof tool.name === 'string' && disabled.has(tool.name)).length,
    resources: (offer?.resources.length ?? 0) + (offer?.resourceTemplates.length ?? 0),
    prompts: offer?.prompts.length ?? 0,
  };
}

type StateFields = Pick<
  ServerView,
  'status' | 'since' | 'connectedAt' | 'nextTryAt' | 'pid' | 'resolvedCommand' | 'problem'
>;

function stateFields(
  state: ServerState | { readonly status: ServerStatus; readonly since: number },
): StateFields {
  return {
    status: state.status,
    since: state.since,
    ...('connectedAt' in state ? { connectedAt: state.connectedAt } : {}),
    ...('nextTryAt' in state && state.nextTryAt !== undefined ? { nextTryAt: state.nextTryAt } : {}),
    ...('pid' in state && state.pid !== undefined ? { pid: state.pid } : {}),
    ...('resolvedCommand' in state && state.resolvedCommand !== undefined
      ? { resolvedCommand: state.resolvedCommand }
      : {}),
    ...('problem' in state && state.problem !== undefined ? { problem: state.problem } : {}),
  };
}

function identity(offer: Offer | undefined): Pick<ServerView, 'serverInfo' | 'protocolVersion'> {
  if (offer === undefined) return {};
  const { name, version, title } = offer.serverInfo;
  return {
    ...(typeof name === 'string' && typeof version === 'string'
      ? { serverInfo: { name, version, ...(typeof title === 'string' ? { title } : {}) } }
      : {}),
    ...(offer.protocolVersion === '' ? {} : { protocolVersion: offer.protocolVersion }),
  };
}
