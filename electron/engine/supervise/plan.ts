import type { Problem } from '../../../shared/error/problem.ts';
import type { LaunchTarget, ServerOrder } from './contract.ts';

/** An order that can be carried out. */
export interface RunnableOrder extends ServerOrder {
  readonly target: { readonly ok: true; readonly value: LaunchTarget };
}

/** What a server is needed for now. */
export type Need =
  /** It may sleep until somebody calls. */
  | 'nothing'
  /** What it offers is not known: it is to say so, then it may sleep. */
  | 'its-offer'
  | 'use';

/** What is wanted of a server. */
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

/** The order as one that can be carried out, or what is wrong with it. */
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
  /** Whether nothing is known of what it offers; absent where nobody cares. */
  readonly mustListFirst: (() => boolean) | undefined;
}

/** What it is needed for once the order has changed. */
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

/** What it offered with another config says little; a run of this one is asked when it starts. */
function mustList({ before, order, main, mustListFirst }: OrderChange): boolean {
  if (mustListFirst === undefined) return false;
  if (main.kind === 'serving' && main.fingerprint === order.fingerprint) return false;
  return (before !== undefined && before.fingerprint !== order.fingerprint) || mustListFirst();
}

/** What a server's one main run is doing; the fingerprint is that of the config it was started with, or rests for. */
export interface MainFacts {
  readonly kind: 'down' | 'resting' | 'waiting' | 'starting' | 'serving' | 'draining' | 'ending';
  readonly fingerprint?: string;
  /** Those it rests or waits with. */
  readonly options?: string | undefined;
}

export type Move =
  | 'stay'
  | 'start'
  /** Leaves a rest or a wait behind, and decides again. */
  | 'forget'
  /** At once. */
  | 'end'
  /** Once its calls have been answered. */
  | 'drain'
  | 'resume';

/**
 * The next step of the main run towards the goal. One that serves is never ended for the sake of another config: see
 * {@link updateOf}.
 */
export function nextMove(goal: Goal, main: MainFacts): Move {
  switch (main.kind) {
    case 'down':
      return goal.kind === 'run' ? 'start' : 'stay';
    case 'resting':
    case 'waiting':
      // Whoever edits it wants it to run, whatever the edit was.
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

/** What is to be started beside the main run, to take its place. */
export type Update =
  | { readonly kind: 'none' }
  | { readonly kind: 'start'; readonly order: RunnableOrder }
  /** The changed config cannot be used: the main run serves on. */
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
