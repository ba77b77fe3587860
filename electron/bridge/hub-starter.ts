import type { Problem } from '../../shared/error/problem.ts';
import { type BackoffOptions, backoffDelay } from '../engine/base/backoff.ts';
import type { Clock } from '../engine/base/clock.ts';

/** Reason why a start failed. */
export interface StartFailure {
  readonly problem: Problem;
  /** False if a hub may still come: another process is starting one, or a person opens the app. */
  readonly isFinal: boolean;
}

/** A start in progress. */
export interface HubStart {
  /**
   * Resolves to undefined if the hub exited normally, `unneeded` if one is already running; never rejects.
   */
  readonly failed: Promise<StartFailure | 'unneeded' | undefined>;
  /** Stops following how it ends. */
  release(): void;
}

/** Demand for the hub: none, by someone later, or by a request that waits now. */
export type Demand = 'none' | 'later' | 'now';

/** Explains why there is no hub. */
export interface HubAbsence {
  /** Returns why no hub can be started, until the next start is due. */
  failure(): Problem | undefined;
  /** Returns why the last start failed. */
  reason(): Problem | undefined;
  /** Finds out more after this many milliseconds of waiting. */
  explain(waited: number): Promise<Problem>;
}

export interface HubStarterOptions {
  readonly launch: () => HubStart;
  readonly clock: Clock;
  readonly random?: () => number;
}

/**
 * Starts at most one hub per pause, with growing pauses; if two bridges start two hubs, the hub's lock
 * decides. A request that waits after a failed start does not wait for a long pause.
 */
export interface HubStarter {
  start(wish: Demand): void;
  /** Reason why no hub is available, until the next try is due. */
  readonly failure: Problem | undefined;
  /** Last known reason, final or not, however old. */
  readonly reason: Problem | undefined;
  /** A hub is running: its next loss may be answered at once. */
  reset(): void;
}

interface State {
  readonly attempts: number;
  /** Earliest time of the next start. */
  readonly notBefore: Readonly<Record<Exclude<Demand, 'none'>, number>>;
  readonly start?: HubStart;
  /** Reason why the last start failed; absent while another is in progress. */
  readonly failure?: StartFailure;
  readonly reason?: Problem;
}

export function createHubStarter({ launch, clock, random }: HubStarterOptions): HubStarter {
  let state: State = initial;

  function begin(now: number): void {
    const before = state;
    before.start?.release();
    const next = now + backoffDelay(startPauses, state.attempts, random);
    const start = launch();
    const { failure: _, ...rest } = before;
    const current: State = {
      ...rest,
      attempts: before.attempts + 1,
      notBefore: { later: next, now: next },
      start,
    };
    state = current;
    void start.failed.then((outcome) => {
      if (state !== current || outcome === undefined) return;
      if (outcome === 'unneeded') wait(before);
      else fail(current, outcome);
    });
  }

  /**
   * Checks again soon: a hub is already running but may end at any moment, so this start does not lengthen
   * the pauses.
   */
  function wait(before: State): void {
    const next = clock.uptime() + recheckMs;
    state = { ...before, notBefore: { later: next, now: next } };
  }

  function fail(started: State, failure: StartFailure): void {
    const { later } = started.notBefore;
    const now = failure.isFinal ? Math.min(later, clock.uptime() + failureRetryMs) : later;
    state = { ...started, failure, reason: failure.problem, notBefore: { later, now } };
  }

  return {
    start(wish) {
      const now = clock.uptime();
      if (wish !== 'none' && now >= state.notBefore[wish]) begin(now);
    },
    get failure() {
      const { failure, notBefore } = state;
      return failure?.isFinal && clock.uptime() < notBefore.now ? failure.problem : undefined;
    },
    get reason() {
      return state.reason;
    },
    reset() {
      state.start?.release();
      state = initial;
    },
  };
}

const initial: State = { attempts: 0, notBefore: { later: 0, now: 0 } };
const startPauses: BackoffOptions = { initial: 10_000, max: 300_000, factor: 2, jitter: 0.2 };
/** Milliseconds for which a failed start also answers later requests. */
const failureRetryMs = 3_000;
/** Milliseconds until the next check for a running hub. */
const recheckMs = 500;
