import { Emitter } from '../../electron/engine/base/emitter.ts';
import type { Engine } from '../../electron/engine/hub/contract.ts';

type Record = (...call: unknown[]) => Promise<void>;

/** The part of a fake engine that tries what servers offer: every run is answered with an empty result. */
export function fakeTester(record: Record): Engine['tester'] {
  const told = (...call: unknown[]) => void record(...call);
  return {
    call: async (run) => {
      await record('tester.call', run);
      const { runId } = run;
      return { runId, outcome: 'ok', startedAt: 1, milliseconds: 5, text: '{}', whole: true, bytes: 2 };
    },
    cancel: (runId) => told('tester.cancel', runId),
    reply: (answer) => told('tester.reply', answer),
    questions: () => [],
    offer: () => ({ prompts: [], resources: [], templates: [], completes: false }),
    complete: async () => ({ values: [], hasMore: false }),
    history: () => [],
    clearHistory: (target) => told('tester.clearHistory', target),
    answer: () => '{}',
    onProgress: new Emitter<never>().event,
    onQuestion: new Emitter<never>().event,
    onQuestionEnded: new Emitter<never>().event,
  };
}

/** Checks that are only remembered to have been asked for. */
export function fakeChecks(record: Record): Engine['checks'] {
  return {
    list: async () => [],
    add: async (check) => {
      await record('checks.add', check);
      return 'check-1';
    },
    remove: (id) => record('checks.remove', id),
    run: async (which) => {
      await record('checks.run', which);
      return { passed: 0, failed: 0 };
    },
    onChange: new Emitter<never>().event,
  };
}
