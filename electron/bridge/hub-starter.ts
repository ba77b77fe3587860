import type { Problem } from '../../shared/error/problem.ts';
import { type BackoffOptions, backoffDelay } from '../engine/base/backoff.ts';
import type { Clock } from '../engine/base/clock.ts';

/** Why a start came to nothing. */
export interface StartFailure {
  readonly problem: Problem;
  /** False where a hub may still come: another one is at it, or a person opens the app. */
  readonly isFinal: boolean;
}

/** A start under way. */
export interface HubStart {
  /** Undefined where the hub ended in good order, `unneeded` where one runs already; never rejects. */
  readonly failed: Promise<StartFailure | 'unneeded' | undefined>;
  /** Nobody asks any more how it ends. */
  release(): void;
}

/** Who wants the hub: nobody, someone later, or a request that waits now. */
export type Wish = 'none' | 'later' | 'now';

/** Why there is no hub. */
export interface HubAbsence {
  /** Why the last start failed. */
  reason(): Problem | undefined;
  /** What can be found out after so many milliseconds of waiting. */
  explain(waited: number): Promise<Problem>;
}

export interface HubStarterOptions {
  readonly launch: () => HubStart;
  readonly clock: Clock;
  readonly random?: () => number;
}

/**
 * Starts at most one hub per pause, and the pauses grow; two bridges that start two are settled by the hub's lock. Who
 * waits for a hub whose start failed does not sleep out a long pause.
 */
export interface HubStarter {
  start(wish: Wish): void;
  /** Why no hub can be had, until it is time to try again. */
  readonly failure: Problem | undefined;
  /** The same as last heard, final or not, however long ago. */
  readonly reason: Problem | undefined;
  /** A hub is there: the next loss may be answered at once. */
  reset(): void;
}

interface State {
  readonly attempts: number;
  /** When the next start may be. */
  readonly notBefore: Readonly<Record<Exclude<Wish, 'none'>, number>>;
  readonly start?: HubStart;
  /** Why the last start failed; absent while another is under way. */
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
    const mine: State = {
      ...rest,
      attempts: before.attempts + 1,
      notBefore: { later: next, now: next },
      start,
    };
    state = mine;
    void start.failed.then((outcome) => {
      if (state !== mine || outcome === undefined) return;
      if (outcome === 'unneeded') wait(before);
      else fail(mine, outcome);
    });
  }

  /** The hub that runs may end at any moment: this was no start that makes the pauses grow. */
  function wait(before: State): void {
    const next = clock.uptime() + lookPause;
    state = { ...before, notBefore: { later: next, now: next } };
  }

  function fail(started: State, failure: StartFailure): void {
    const { later } = started.notBefore;
    const now = failure.isFinal ? Math.min(later, clock.uptime() + failurePause) : later;
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
/** Milliseconds for which a failed start answers for the next one. */
const failurePause = 3_000;
/** Milliseconds until it is looked again whether a hub runs. */
const lookPause = 500;
