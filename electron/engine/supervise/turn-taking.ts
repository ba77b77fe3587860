import { performance } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** How a long piece of work lets messages through, which a client waits for. */
export interface TurnTaking {
  /** It has worked for as long as it may. */
  readonly isOver: () => boolean;
  /** Lets everybody else have their turn. */
  readonly next: () => Promise<void>;
}

/** A call takes some four turns on its way, so that it loses about four times this by work that goes on meanwhile. */
const longestTurn = 0.15;

/** `milliseconds`: how long one turn may take. */
export function takeTurns(milliseconds = longestTurn): TurnTaking {
  // Moves on with each turn.
  let end = performance.now() + milliseconds;
  return {
    isOver: () => performance.now() >= end,
    async next() {
      await nextTurn();
      end = performance.now() + milliseconds;
    },
  };
}
