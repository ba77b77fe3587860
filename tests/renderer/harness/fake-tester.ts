import type {
  IpcCallName,
  IpcEvent,
  IpcEventName,
  IpcInput,
  IpcOutput,
} from '../../../shared/ipc/contract.ts';
import type { Check } from '../../../shared/model/tester.ts';

type TesterCall = Extract<IpcCallName, `tester.${string}` | `check.${string}`>;
type TesterHandlers = {
  [N in TesterCall]: (input: IpcInput<N>) => IpcOutput<N> | Promise<IpcOutput<N>>;
};
type Push = <N extends IpcEventName>(name: N, event: IpcEvent<N>) => void;

/** A tester whose servers answer what they were asked. */
export function fakeTester(push: Push): TesterHandlers {
  let checks: readonly Check[] = [];
  const setChecks = (next: readonly Check[]) => {
    checks = next;
    push('checks.changed', { checks });
  };
  return {
    'tester.call': ({ runId, arguments: text }) => {
      const startedAt = Date.now();
      const answer = JSON.stringify({ content: [{ type: 'text', text: `You asked: ${text}` }] });
      return {
        runId,
        outcome: 'ok',
        startedAt,
        milliseconds: 42,
        text: answer,
        whole: true,
        bytes: answer.length,
      };
    },
    'tester.cancel': () => undefined,
    'tester.reply': () => undefined,
    'tester.questions': () => ({ questions: [] }),
    'tester.offer': () => ({ prompts: [], resources: [], templates: [], completes: false }),
    'tester.complete': () => ({ values: [], hasMore: false }),
    'tester.history': () => ({ runs: [] }),
    'tester.clearHistory': () => undefined,
    'tester.save': () => ({ saved: true }),
    'check.list': () => ({ checks }),
    'check.add': (check) => {
      const id = `check-${checks.length + 1}`;
      setChecks([...checks, { ...check, id, createdAt: Date.now(), running: false, due: false }]);
      return { id };
    },
    'check.remove': ({ id }) => {
      setChecks(checks.filter((check) => check.id !== id));
      return undefined;
    },
    'check.run': () => ({ passed: checks.length, failed: 0 }),
  };
}
