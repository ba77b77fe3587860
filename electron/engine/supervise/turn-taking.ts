import { performance } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Lets messages through during long synchronous work. */
export interface TurnTimer {
  /** Tells whether the current turn has taken long enough. */
  readonly isOver: () => boolean;
  /** Yields to everything else that is waiting. */
  readonly next: () => Promise<void>;
}

/** Milliseconds. A call takes about four turns, so concurrent work delays it by about four times this. */
const maxTurnMs = 0.15;

/** `milliseconds` is the max duration of a turn. */
export function startTurns(milliseconds = maxTurnMs): TurnTimer {
  // Updated with each turn.
  let end = performance.now() + milliseconds;
  return {
    isOver: () => performance.now() >= end,
    async next() {
      await nextTurn();
      end = performance.now() + milliseconds;
    },
  };
}
