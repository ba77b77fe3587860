import type {
  IpcCallName,
  IpcEvent,
  IpcEventName,
  IpcInput,
  IpcOutput,
} from '../../../shared/ipc/contract.ts';
import type { Check, TestAnswer, TestRecord, TestTarget } from '../../../shared/model/tool/tester.ts';
import { sampleAnswers, sampleError, sampleOffer } from './sample-answers.ts';

type TesterCall = Extract<IpcCallName, `tester.${string}` | `check.${string}`>;
type TesterHandlers = {
  [N in TesterCall]: (input: IpcInput<N>) => IpcOutput<N> | Promise<IpcOutput<N>>;
};
type Push = <N extends IpcEventName>(name: N, event: IpcEvent<N>) => void;

/**
 * Fakes a tester whose servers answer by the verb of the tool: `watch` continues until it is cancelled,
 * `merge` refuses.
 */
export function fakeTester(push: Push): TesterHandlers {
  let checks: readonly Check[] = [];
  const history = new Map<string, readonly TestRecord[]>();
  const waiting = new Map<string, (cancelled: boolean) => void>();
  const setChecks = (next: readonly Check[]) => {
    checks = next;
    push('checks.changed', { checks });
  };
  const keep = (target: TestTarget, answer: TestAnswer, text: string) => {
    const id = JSON.stringify(target);
    history.set(id, [{ ...answer, arguments: text }, ...(history.get(id) ?? [])]);
    return answer;
  };
  return {
    'tester.call': async ({ runId, target, arguments: given }) => {
      const startedAt = Date.now();
      const isCancelled = target.name.startsWith('watch') && (await untilCancelled(runId));
      const { outcome, value } = isCancelled
        ? { outcome: 'cancelled' as const, value: { code: -32800, message: 'The request was cancelled.' } }
        : answerOf(target, given);
      const text = JSON.stringify(value);
      const answer = { runId, outcome, startedAt, milliseconds: 42, text, whole: true, bytes: text.length };
      return keep(target, answer, given);
    },
    'tester.cancel': ({ runId }) => {
      waiting.get(runId)?.(true);
      return undefined;
    },
    'tester.reply': ({ questionId }) => {
      push('tester.questionEnded', { questionId });
      return undefined;
    },
    'tester.questions': () => ({ questions: [] }),
    'tester.offer': () => sampleOffer,
    'tester.complete': ({ argument: { value } }) => ({
      values: ['kind', 'plain', 'short'].filter((word) => word.startsWith(value)),
      hasMore: false,
    }),
    'tester.history': (target) => ({ runs: history.get(JSON.stringify(target)) ?? [] }),
    'tester.clearHistory': (target) => {
      history.delete(JSON.stringify(target));
      return undefined;
    },
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
    'check.run': () => {
      setChecks(checks.map((check, index) => ({ ...check, due: false, last: resultOf(index) })));
      return { passed: 1, failed: checks.length - 1 };
    },
  };

  function untilCancelled(runId: string): Promise<boolean> {
    push('tester.progress', { runId, progress: 2, total: 8, message: 'Reading the second page' });
    return new Promise((resolve) => waiting.set(runId, resolve));
  }
}

function answerOf(
  { kind, name }: TestTarget,
  given: string,
): { outcome: TestAnswer['outcome']; value: unknown } {
  if (kind === 'prompt') {
    const content = { type: 'text', text: `Review it: ${given}` };
    return { outcome: 'ok', value: { description: 'A review', messages: [{ role: 'user', content }] } };
  }
  if (kind === 'resource') {
    const contents = [{ uri: name, mimeType: 'text/markdown', text: '# The engine\n\nIt **runs**.' }];
    return { outcome: 'ok', value: { contents } };
  }
  const verb = name.split('_')[0] ?? '';
  if (verb === 'merge') return { outcome: 'error', value: sampleError };
  const value = sampleAnswers[verb] ?? { content: [{ type: 'text', text: `You asked: ${given}` }] };
  return { outcome: verb === 'delete' ? 'tool-error' : 'ok', value };
}

function resultOf(index: number): NonNullable<Check['last']> {
  const differences =
    index === 0 ? [] : ['content[0].text is a number, text was expected.', 'total is missing.'];
  return { ok: index === 0, at: Date.now(), milliseconds: 84, outcome: 'ok', differences };
}
