import type { Problem } from '../../../../shared/error/problem.ts';
import type { LaunchTarget, ServerConfig } from '../server-config.ts';

/** A config that can be run. */
export interface RunnableConfig extends ServerConfig {
  readonly target: { readonly ok: true; readonly value: LaunchTarget };
}

/** Reason for which a server is needed now. */
export type Demand =
  /** May sleep until it is called. */
  | 'nothing'
  /** Must report its lists, then it may sleep. */
  | 'its-offer'
  | 'use';

/** Desired state of a server. */
export type DesiredState =
  | { readonly kind: 'off' | 'asleep' }
  /** The entry cannot be used. */
  | { readonly kind: 'broken'; readonly problem: Problem }
  | { readonly kind: 'run'; readonly config: RunnableConfig };

export function desiredStateOf(config: ServerConfig | undefined, demand: Demand): DesiredState {
  if (config === undefined || !config.enabled) return { kind: 'off' };
  const result = toRunnable(config);
  if (!result.ok) return { kind: 'broken', problem: result.problem };
  return demand === 'nothing' ? { kind: 'asleep' } : { kind: 'run', config: result.config };
}

/** Returns the config as a runnable one, or its problem. */
export function toRunnable(
  config: ServerConfig,
):
  | { readonly ok: true; readonly config: RunnableConfig }
  | { readonly ok: false; readonly problem: Problem } {
  const { target } = config;
  return target.ok ? { ok: true, config: { ...config, target } } : target;
}

export interface ConfigChange {
  readonly before: ServerConfig | undefined;
  readonly after: ServerConfig;
  readonly active: ActiveFacts;
  /** Tells whether its lists are unknown; absent if nobody needs them. */
  readonly mustListFirst: (() => boolean) | undefined;
}

/** Returns the demand after a config change. */
export function demandAfter(demand: Demand, change: ConfigChange): Demand {
  const { before, after: config } = change;
  const isOnDemand = config.start === 'on-demand';
  if (before === undefined || (config.enabled && !before.enabled)) {
    if (!isOnDemand) return 'use';
    return mustList(change) ? 'its-offer' : 'nothing';
  }
  if (!isOnDemand && before.start === 'on-demand') return 'use';
  const isEdited = before.fingerprint !== config.fingerprint;
  return demand === 'nothing' && isEdited && mustList(change) ? 'its-offer' : demand;
}

/** Lists of another config do not count; the update of a running server asks for them anyway. */
function mustList({ before, after: config, active, mustListFirst }: ConfigChange): boolean {
  if (mustListFirst === undefined) return false;
  if (active.kind === 'serving' && active.fingerprint === config.fingerprint) return false;
  return (before !== undefined && before.fingerprint !== config.fingerprint) || mustListFirst();
}

/** Phase of the active process. The fingerprint is that of the config it was started with, or rests for. */
export interface ActiveFacts {
  readonly kind: 'down' | 'resting' | 'waiting' | 'starting' | 'serving' | 'draining' | 'ending';
  readonly fingerprint?: string;
  /** Options it rests or waits with. */
  readonly options?: string | undefined;
}

export type Transition =
  | 'stay'
  | 'start'
  /** Leaves a resting or waiting phase, and decides again. */
  | 'forget'
  /** Ends it immediately. */
  | 'end'
  /** Ends it once its calls are answered. */
  | 'drain'
  | 'resume';

/**
 * Returns the next step towards the desired state. A serving process is never ended for another config: see
 * {@link updateOf}.
 */
export function nextTransition(desiredState: DesiredState, active: ActiveFacts): Transition {
  switch (active.kind) {
    case 'down':
      return desiredState.kind === 'run' ? 'start' : 'stay';
    case 'resting':
    case 'waiting':
      // Someone who edits the config wants the server to run, whatever the edit was.
      return matches(desiredState, active) && hasSameOptions(desiredState, active) ? 'stay' : 'forget';
    case 'starting':
      return matches(desiredState, active) ? 'stay' : 'end';
    case 'serving':
      return desiredState.kind === 'off' || desiredState.kind === 'asleep' ? 'drain' : 'stay';
    case 'draining':
      return desiredState.kind === 'run' ? 'resume' : 'stay';
    case 'ending':
      return 'stay';
  }
}

/** Process to start beside the active one, to replace it. */
export type Update =
  | { readonly kind: 'none' }
  | { readonly kind: 'start'; readonly config: RunnableConfig }
  /** The changed config cannot be used; the active process keeps serving. */
  | { readonly kind: 'refuse'; readonly problem: Problem };

export function updateOf(desiredState: DesiredState, active: ActiveFacts): Update {
  if (active.kind !== 'serving') return { kind: 'none' };
  if (desiredState.kind === 'broken') return { kind: 'refuse', problem: desiredState.problem };
  if (desiredState.kind !== 'run' || matches(desiredState, active)) return { kind: 'none' };
  return { kind: 'start', config: desiredState.config };
}

function hasSameOptions(desiredState: DesiredState, { options }: ActiveFacts): boolean {
  return desiredState.kind === 'run' && desiredState.config.options === options;
}

function matches(desiredState: DesiredState, { fingerprint }: ActiveFacts): boolean {
  return desiredState.kind === 'run' && desiredState.config.fingerprint === fingerprint;
}
