import type { Problem } from '../../../shared/error/problem.ts';
import type { LaunchTarget, ServerOrder } from './contract.ts';

/** A config that can be run. */
export interface RunnableOrder extends ServerOrder {
  readonly target: { readonly ok: true; readonly value: LaunchTarget };
}

/** Reason for which a server is needed now. */
export type Need =
  /** May sleep until it is called. */
  | 'nothing'
  /** Must report its lists, then it may sleep. */
  | 'its-offer'
  | 'use';

/** Desired state of a server. */
export type Goal =
  | { readonly kind: 'off' | 'asleep' }
  /** Its entry cannot be used. */
  | { readonly kind: 'broken'; readonly problem: Problem }
  | { readonly kind: 'run'; readonly order: RunnableOrder };

export function goalOf(order: ServerOrder | undefined, need: Need): Goal {
  if (order === undefined || !order.enabled) return { kind: 'off' };
  const wanted = runnable(order);
  if (!wanted.ok) return { kind: 'broken', problem: wanted.problem };
  return need === 'nothing' ? { kind: 'asleep' } : { kind: 'run', order: wanted.order };
}

/** Returns the config as a runnable one, or its problem. */
export function runnable(
  order: ServerOrder,
): { readonly ok: true; readonly order: RunnableOrder } | { readonly ok: false; readonly problem: Problem } {
  const { target } = order;
  return target.ok ? { ok: true, order: { ...order, target } } : target;
}

export interface OrderChange {
  readonly before: ServerOrder | undefined;
  readonly order: ServerOrder;
  readonly main: MainFacts;
  /** Tells whether its lists are unknown; absent if nobody needs them. */
  readonly mustListFirst: (() => boolean) | undefined;
}

/** Returns the demand after a config change. */
export function needAfter(need: Need, change: OrderChange): Need {
  const { before, order } = change;
  const isOnDemand = order.start === 'on-demand';
  if (before === undefined || (order.enabled && !before.enabled)) {
    if (!isOnDemand) return 'use';
    return mustList(change) ? 'its-offer' : 'nothing';
  }
  if (!isOnDemand && before.start === 'on-demand') return 'use';
  const isEdited = before.fingerprint !== order.fingerprint;
  return need === 'nothing' && isEdited && mustList(change) ? 'its-offer' : need;
}

/** Lists of another config do not count; the update of a running server asks for them anyway. */
function mustList({ before, order, main, mustListFirst }: OrderChange): boolean {
  if (mustListFirst === undefined) return false;
  if (main.kind === 'serving' && main.fingerprint === order.fingerprint) return false;
  return (before !== undefined && before.fingerprint !== order.fingerprint) || mustListFirst();
}

/** Phase of the active process. The fingerprint is that of the config it was started with, or rests for. */
export interface MainFacts {
  readonly kind: 'down' | 'resting' | 'waiting' | 'starting' | 'serving' | 'draining' | 'ending';
  readonly fingerprint?: string;
  /** Options it rests or waits with. */
  readonly options?: string | undefined;
}

export type Move =
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
export function nextMove(goal: Goal, main: MainFacts): Move {
  switch (main.kind) {
    case 'down':
      return goal.kind === 'run' ? 'start' : 'stay';
    case 'resting':
    case 'waiting':
      // Someone who edits the config wants the server to run, whatever the edit was.
      return isFor(goal, main) && isWithOptions(goal, main) ? 'stay' : 'forget';
    case 'starting':
      return isFor(goal, main) ? 'stay' : 'end';
    case 'serving':
      return goal.kind === 'off' || goal.kind === 'asleep' ? 'drain' : 'stay';
    case 'draining':
      return goal.kind === 'run' ? 'resume' : 'stay';
    case 'ending':
      return 'stay';
  }
}

/** Process to start beside the active one, to replace it. */
export type Update =
  | { readonly kind: 'none' }
  | { readonly kind: 'start'; readonly order: RunnableOrder }
  /** The changed config cannot be used; the active process keeps serving. */
  | { readonly kind: 'refuse'; readonly problem: Problem };

export function updateOf(goal: Goal, main: MainFacts): Update {
  if (main.kind !== 'serving') return { kind: 'none' };
  if (goal.kind === 'broken') return { kind: 'refuse', problem: goal.problem };
  if (goal.kind !== 'run' || isFor(goal, main)) return { kind: 'none' };
  return { kind: 'start', order: goal.order };
}

function isWithOptions(goal: Goal, { options }: MainFacts): boolean {
  return goal.kind === 'run' && goal.order.options === options;
}

function isFor(goal: Goal, { fingerprint }: MainFacts): boolean {
  return goal.kind === 'run' && goal.order.fingerprint === fingerprint;
}
