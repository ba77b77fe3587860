import type { OperationHandlers } from '../base/operation-handlers.ts';
import type { HubChecks } from './checks.ts';
import type { HubTester } from './hub-tester.ts';

export function testerOperations(tester: HubTester, checks: HubChecks) {
  return {
    'tester.call': (run) => tester.call(run),
    'tester.cancel': ({ runId }) => tester.cancel(runId),
    'tester.reply': (answer) => tester.reply(answer),
    'tester.questions': () => ({ questions: tester.questions() }),
    'tester.offer': ({ serverKey }) => tester.offer(serverKey),
    'tester.complete': (wish) => tester.complete(wish),
    'tester.history': (target) => ({ runs: tester.history(target) }),
    'tester.clearHistory': (target) => tester.clearHistory(target),
    'tester.answer': ({ runId }) => ({ answer: tester.answer(runId) }),
    'check.list': async () => ({ checks: await checks.list() }),
    'check.add': async (check) => ({ id: await checks.add(check) }),
    'check.remove': ({ id }) => checks.remove(id),
    'check.run': (which) => checks.run(which),
  } satisfies Partial<OperationHandlers>;
}
