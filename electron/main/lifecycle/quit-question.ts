import type { QuitPlan } from '../../../shared/model/call.ts';
import type { Disposable } from '../port/disposable.ts';
import type { QuitPace, QuitSequence } from './quit.ts';
import { cutsNothing } from './quit-plan.ts';

/** What is to become of the clients: they are served on, or the app ends at a pace. */
export type QuitAnswer = 'stay' | Exclude<QuitPace, 'brief'>;

export interface QuitQuestionOptions {
  readonly quit: Pick<QuitSequence, 'quit' | 'stay' | 'quitting' | 'draining'>;
  readonly plan: () => QuitPlan;
  /** Brings the window up with the question in it. */
  readonly askInWindow: (plan: QuitPlan) => void;
  /** The window's page has loaded and hears what it is told. */
  readonly windowHears: () => boolean;
  /** Asks in a dialog of the system's, for when the window cannot. */
  readonly askOutside: (plan: QuitPlan) => Promise<QuitAnswer>;
  readonly after: (milliseconds: number, action: () => void) => Disposable;
}

/**
 * Somebody wants to quit: at once where that cuts nobody off; else they are asked, in the window, and where that does
 * not come up in time, by the system. There is always a way out.
 */
export function createQuitQuestion(options: QuitQuestionOptions): () => void {
  const { quit, plan, askInWindow, windowHears, askOutside, after } = options;
  let doubting = false;

  /** Until it is certain that the question stands somewhere, or has been answered. */
  async function doubt(): Promise<void> {
    if (!windowHears() && !quit.quitting) {
      const answer = await askOutside(plan());
      if (answer === 'stay') quit.stay();
      else quit.quit(answer);
    }
    doubting = false;
  }

  return () => {
    const cut = plan();
    if (cutsNothing(cut) && !quit.draining) return quit.quit('now');
    askInWindow(cut);
    if (doubting) return;
    doubting = true;
    after(windowPatience, () => void doubt());
  };
}

/** Milliseconds that the window is given to come up. */
export const windowPatience = 5_000;
