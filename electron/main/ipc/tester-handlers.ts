import { writeFileAtomic } from '../../engine/engine.ts';
import type { IpcHandlers } from './dispatcher.ts';
import type { HandlerContext } from './handlers.ts';

/** Handles the calls of `tester-calls.ts`, in the same order. */
export function testerHandlers({ engine, system }: HandlerContext) {
  const { tester, checks } = engine;
  return {
    'tester.call': (run) => tester.call(run),
    'tester.cancel': ({ runId }) => tester.cancel(runId),
    'tester.reply': (answer) => tester.reply(answer),
    'tester.questions': () => ({ questions: tester.questions() }),
    'tester.offer': ({ serverKey }) => tester.offer(serverKey),
    'tester.complete': (wish) => tester.complete(wish),
    'tester.history': (target) => ({ runs: tester.history(target) }),
    'tester.clearHistory': (target) => tester.clearHistory(target),
    'tester.save': async ({ runId }) => {
      const answer = tester.answer(runId);
      const file = await system.chooseTarget('Save the answer', 'answer.json');
      if (file === undefined) return { saved: false };
      await writeFileAtomic(file, answer);
      return { saved: true };
    },
    'check.list': async () => ({ checks: await checks.list() }),
    'check.add': async (check) => ({ id: await checks.add(check) }),
    'check.remove': ({ id }) => checks.remove(id),
    'check.run': (which) => checks.run(which),
  } satisfies Partial<IpcHandlers>;
}
