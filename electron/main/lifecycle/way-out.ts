import { app } from 'electron';
import { turnOff } from '../../engine/engine.ts';
import { askQuit } from '../port/ask-quit.ts';
import { after } from '../port/disposable.ts';
import { QuitSequence } from './quit.ts';
import { quitPlan } from './quit-plan.ts';
import { createQuitQuestion, type QuitQuestionOptions } from './quit-question.ts';
import type { ShellParts } from './shell-parts.ts';
import { createHubStopper } from './stop-hub.ts';

/** Shutdown of the app, with the question to the user before it. */
export interface Shutdown {
  readonly quit: QuitSequence;
  /** Asks what to do about connected clients, then quits. */
  readonly ask: () => void;
  /** Quits as the user chose; with `stayOff` no client starts the app again. */
  readonly end: (how: 'now' | 'drain', stayOff: boolean) => void;
}

export interface ShutdownListeners extends Pick<QuitQuestionOptions, 'askInWindow' | 'windowHears'> {
  readonly onQuitting: () => void;
}

export function createShutdown(parts: ShellParts, listeners: ShutdownListeners): Shutdown {
  const { hub, logger, warn } = parts;
  const stopper = createHubStopper(hub);
  let staysOff = false;
  const quit = new QuitSequence({
    app,
    signals: process,
    after,
    onAsked: () => ask(),
    onQuitting: listeners.onQuitting,
    drain: async (milliseconds) => hub.running?.drain(milliseconds),
    resume() {
      staysOff = false;
      hub.running?.resume();
    },
    async stop() {
      // Before the bridges lose their connection, since they would start the app again.
      if (staysOff) await turnOff(hub.view().dataDir).catch(warn('Patchbay could not be turned off.'));
      await stopper.stop();
      logger.log('info', 'stopped');
      await logger.close();
    },
    force: stopper.force,
    onError: warn('Stopping failed.'),
  });
  const ask = createQuitQuestion({
    ...listeners,
    quit,
    plan: () => quitPlan(hub.running),
    askOutside: askQuit,
    after,
  });
  return {
    quit,
    ask,
    end(how, stayOff) {
      staysOff = stayOff;
      quit.quit(how);
    },
  };
}
