import { stripVTControlCharacters } from 'node:util';
import { type Problem, problem } from '../../../../shared/error/problem.ts';
import type { ServerHealth } from '../../../../shared/model/server/health.ts';
import type { MissingValue } from '../../../../shared/model/server/missing-value.ts';
import { serverProtocolText } from '../../../../shared/model/server/protocol-text.ts';
import type { ServerStatus, ServerView } from '../../../../shared/model/server/server.ts';
import type { CatalogueServer, ServerListing } from '../../catalogue/contract.ts';
import { type ConfiguredServer, missingLabel } from '../../config/contract.ts';
import type { ServerLog, ServerState, SupervisedServer } from '../../servers/contract.ts';
import { shownState } from './shown-state.ts';

type Process = Pick<SupervisedServer, 'state' | 'activeCalls'>;

/** All facts about one server, from the rooms that have them. */
export interface ServerFacts {
  readonly configured: ConfiguredServer;
  /** Absent until the supervisor has the server. */
  readonly supervised?: Process &
    Pick<SupervisedServer, 'restarts' | 'update'> &
    Partial<Pick<SupervisedServer, 'log'>>;
  /** Processes of single clients. */
  readonly instances: readonly Process[];
  readonly catalogued?: CatalogueServer;
  /** Absent for a server that never asked for a sign-in. */
  readonly auth?: NonNullable<ServerView['auth']>;
  /** Problems that do not stop the server. */
  readonly warnings: readonly Problem[];
  /** True if the tools have been listed since the server connected. */
  readonly knowsTools?: boolean;
  /** Absent while the server is not running. */
  readonly health?: ServerHealth | undefined;
  /** Problem found by health checks and calls. */
  readonly healthProblem?: { readonly problem: Problem; readonly since: number } | undefined;
  /** Bytes saved by sleeping. */
  readonly memorySaved?: number | undefined;
  readonly openCircuits: ServerView['openCircuits'];
  /** Absent if no tool is quarantined. */
  readonly heldTools?: ServerView['heldTools'];
  /** Start time for a server that has no state yet. */
  readonly now: number;
}

/** Combines the facts into the view of a server. */
export function serverView(facts: ServerFacts): ServerView {
  const { configured, supervised, instances, catalogued } = facts;
  const state = shownState(supervised?.state, instances) ?? {
    status: configured.enabled ? ('disconnected' as const) : ('disabled' as const),
    since: facts.now,
  };
  const missing = missingValues(configured, 'problem' in state ? state.problem : undefined);
  const warnings = [
    ...facts.warnings,
    ...placeholderWarnings(configured),
    ...(catalogued?.setAside ?? []),
    ...(isRunning(state.status) ? noToolsWarnings(facts) : []),
  ];
  return {
    key: configured.key,
    transport: configured.transport,
    enabled: configured.enabled,
    target: configured.display,
    restarts: supervised?.restarts ?? 0,
    start: configured.start,
    isolation: configured.isolation,
    instances: instances.length,
    activeCalls: callsOf(supervised) + instances.reduce((sum, instance) => sum + callsOf(instance), 0),
    openCircuits: facts.openCircuits,
    ...(configured.title === undefined ? {} : { title: configured.title }),
    ...(configured.tags === undefined ? {} : { tags: configured.tags }),
    ...(configured.favorite === undefined ? {} : { favorite: configured.favorite }),
    cached: catalogued?.cached ?? false,
    counts: counts(catalogued, catalogued?.disabledTools ?? configured.disabledTools),
    warnings,
    ...(missing.length === 0 ? {} : { missing }),
    ...(facts.auth === undefined ? {} : { auth: facts.auth }),
    ...(supervised?.update === undefined ? {} : { update: supervised.update }),
    ...(facts.heldTools === undefined ? {} : { heldTools: facts.heldTools }),
    ...stateFields(state),
    ...startingFields(state, supervised?.log),
    ...asleepFields(state, facts.memorySaved),
    ...(isRunning(state.status) ? runningFields(state.status, facts, warnings) : {}),
    ...identity(catalogued?.offer),
    ...eraField(state),
  };
}

type ShownState = ServerState | { readonly status: ServerStatus; readonly since: number };

function callsOf(process: Process | undefined): number {
  return process?.activeCalls ?? 0;
}

function isRunning(status: ServerStatus): boolean {
  return status === 'connected' || status === 'degraded';
}

/**
 * Lists the values a person can enter: the key that a server asks for, then missing references and
 * placeholders.
 */
function missingValues(
  { missing = [], placeholders = [] }: ConfiguredServer,
  found: Problem | undefined,
): readonly MissingValue[] {
  return [
    ...missingKey(found),
    ...missingVariable(found),
    ...missing.map((one) => ({ place: { kind: one.kind, name: one.name }, label: missingLabel(one) })),
    ...placeholders.map(({ path, label }) => ({
      place: { kind: 'placeholder' as const, field: path.join('.') },
      label,
    })),
  ];
}

function missingKey(found: Problem | undefined): readonly MissingValue[] {
  if (found?.code !== 'server.key_needed' && found?.code !== 'server.key_refused') return [];
  const written = found.evidence.find(({ label }) => label === 'header')?.value ?? '';
  const [, header = 'Authorization', scheme = ''] = /^([^:]+): (?:(\S+) )?…$/.exec(written) ?? [];
  const replaces = found.code === 'server.key_refused' ? { replaces: header } : {};
  return [{ place: { kind: 'header', header, scheme, ...replaces }, label: 'API key' }];
}

/** Names the variable that the program itself reports as missing. */
function missingVariable(found: Problem | undefined): readonly MissingValue[] {
  const name = found?.cause?.code === 'variable_missing' ? found.cause.subject : undefined;
  return name === undefined || !/^[A-Za-z_]\w{0,100}$/.test(name)
    ? []
    : [{ place: { kind: 'env', name }, label: name }];
}

function placeholderWarnings({ placeholders = [] }: ConfiguredServer): readonly Problem[] {
  return placeholders.map(({ path, label }) =>
    problem('config.placeholder', `${label} still contains a placeholder.`, 'Enter the value.', {
      field: path.join('.'),
    }),
  );
}

/** Warns of a server without tools: this may be intended, but without a note the server looks broken. */
function noToolsWarnings({ configured: { key }, catalogued, knowsTools }: ServerFacts): readonly Problem[] {
  if (catalogued === undefined || knowsTools !== true || catalogued.offer.tools.length > 0) return [];
  const { capabilities, prompts, resources, resourceTemplates } = catalogued.offer;
  const others = prompts.length + resources.length + resourceTemplates.length;
  const isDeclared = capabilities.tools !== undefined && capabilities.tools !== null;
  const what = isDeclared ? 'lists no tools' : 'neither declares nor lists tools';
  const besides = others === 0 ? '' : ', only prompts or resources';
  const fix = 'If it should have tools, check its log: it may need a sign-in, a variable or a newer version.';
  return [problem('server.no_tools', `${key} ${what}${besides}.`, fix)];
}

type RunningFields = Pick<ServerView, 'health'> & Partial<Pick<ServerView, 'status' | 'since' | 'problem'>>;

/** Combines health checks with failed lists: a connected server without lists is shown as degraded. */
function runningFields(
  status: ServerStatus,
  { health, healthProblem }: ServerFacts,
  warnings: readonly Problem[],
): RunningFields {
  const isSilent = warnings.some(({ code }) => code === 'server.list_failed');
  return {
    ...(health === undefined ? {} : { health }),
    ...(status === 'connected' && isSilent ? { status: 'degraded' as const } : {}),
    ...(healthProblem === undefined ? {} : { status: 'degraded' as const, ...healthProblem }),
  };
}

/** Shows the last output line since the start. */
function startingFields(
  { status, since }: ShownState,
  log: ServerLog | undefined,
): Pick<ServerView, 'starting'> {
  if (status !== 'connecting') return {};
  const last = log?.lines.findLast(
    ({ stream, at, text }) => at >= since && ownStreams.has(stream) && text.trim() !== '',
  );
  const line = last && stripVTControlCharacters(last.text.slice(0, maxLineLength)).trim();
  return { starting: line === undefined ? {} : { line } };
}

const ownStreams: ReadonlySet<string> = new Set(['stderr', 'stdout']);
const maxLineLength = 300;

function asleepFields(state: ShownState, memorySaved: number | undefined): Pick<ServerView, 'asleep'> {
  if (!('asleep' in state) || state.asleep !== true) return {};
  return { asleep: { since: state.since, ...(memorySaved === undefined ? {} : { memorySaved }) } };
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

/** Returns how a server speaks, in words; undefined unless it is connected, and was asked. */
export function serverProtocolOf(state: ShownState | undefined): string | undefined {
  const { era } = state === undefined ? {} : eraField(state);
  return era && serverProtocolText(era);
}

function eraField(state: ShownState): Pick<ServerView, 'era'> {
  if (!('connection' in state)) return {};
  const { era, protocolVersion } = state.connection.handshake;
  return era === undefined ? {} : { era: { version: protocolVersion, ...era } };
}

type StateFields = Pick<
  ServerView,
  'status' | 'since' | 'connectedAt' | 'nextTryAt' | 'pid' | 'resolvedCommand' | 'problem'
>;

function stateFields(state: ShownState): StateFields {
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

function identity(offer: ServerListing | undefined): Pick<ServerView, 'serverInfo' | 'protocolVersion'> {
  if (offer === undefined) return {};
  const { name, version, title } = offer.serverInfo;
  return {
    ...(typeof name === 'string' && typeof version === 'string'
      ? { serverInfo: { name, version, ...(typeof title === 'string' ? { title } : {}) } }
      : {}),
    ...(offer.protocolVersion === '' ? {} : { protocolVersion: offer.protocolVersion }),
  };
}
