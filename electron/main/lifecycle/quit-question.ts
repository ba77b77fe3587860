import type { QuitPlan } from '../../../shared/model/call.ts';
import type { Disposable } from '../port/disposable.ts';
import type { QuitPace, QuitSequence } from './quit.ts';
import { interruptsNothing } from './quit-plan.ts';

/** Answer to the quit question: keep serving, or how to quit. */
export type QuitAnswer = 'stay' | Exclude<QuitPace, 'brief'>;

export interface QuitQuestionOptions {
  readonly quit: Pick<QuitSequence, 'quit' | 'stay' | 'quitting' | 'draining'>;
  readonly plan: () => QuitPlan;
  /** Shows the window with the question in it. */
  readonly askInWindow: (plan: QuitPlan) => void;
  /** True once the window's page has loaded and receives events. */
  readonly windowHears: () => boolean;
  /** Asks in a system dialog, if the window cannot. */
  readonly askOutside: (plan: QuitPlan) => Promise<QuitAnswer>;
  readonly after: (milliseconds: number, action: () => void) => Disposable;
}

/**
 * Handles a request to quit: immediately if nothing is interrupted; otherwise asks in the window or, if it
 * does not appear in time, in a system dialog, so that quitting is always possible.
 */
export function createQuitQuestion(options: QuitQuestionOptions): () => void {
  const { quit, plan, askInWindow, windowHears, askOutside, after } = options;
  let isChecking = false;

  /** Waits until the question is certainly visible, or has been answered. */
  async function askOutsideIfNeeded(): Promise<void> {
    if (!windowHears() && !quit.quitting) {
      const answer = await askOutside(plan());
      if (answer === 'stay') quit.stay();
      else quit.quit(answer);
    }
    isChecking = false;
  }

  return () => {
    const interrupted = plan();
    if (interruptsNothing(interrupted) && !quit.draining) return quit.quit('now');
    askInWindow(interrupted);
    if (isChecking) return;
    isChecking = true;
    after(windowTimeoutMs, () => void askOutsideIfNeeded());
  };
}

/** Milliseconds that the window has to appear. */
export const windowTimeoutMs = 5_000;
