import type { IpcInput } from '../../shared/ipc/contract.ts';
import type { CheckInput, TestTarget } from '../../shared/model/tool/tester.ts';
import { formatCount } from '../lib/text/format-amount.ts';
import type { Model } from '../store/model.ts';
import {
  addQuestion,
  changeDraft,
  draftOf,
  dropQuestion,
  noteProgress,
  type TryTarget,
} from '../store/tester-store.ts';

/** Subscribes to progress and questions of runs, until the returned function is called. */
export function followTester({ link, tester }: Model): () => void {
  const stops = [
    link.on('tester.progress', (progress) => noteProgress(tester, progress)),
    link.on('tester.question', (question) => addQuestion(tester, question)),
    link.on('tester.questionEnded', ({ questionId }) => dropQuestion(tester, questionId)),
    link.on('checks.changed', ({ checks }) => tester.setState({ checks })),
  ];
  void link.call('tester.questions', undefined).then((answer) => {
    if (answer.ok) for (const question of answer.value.questions) addQuestion(tester, question);
  });
  // A failure is shown when the checks are opened.
  void link.call('check.list', undefined).then((answer) => {
    if (answer.ok) tester.setState({ checks: answer.value.checks });
  });
  return () => {
    for (const stop of stops) stop();
  };
}

/** Runs the prepared test. `sent` is the actual target; for a template its expanded URI. */
export async function runTest(
  model: Model,
  shown: TryTarget,
  sent: { readonly target: TestTarget; readonly text: string; readonly evenIfOff?: boolean },
): Promise<void> {
  const { link, tester } = model;
  if (draftOf(tester.getState(), shown).run?.kind === 'running') return;
  const runId = crypto.randomUUID();
  changeDraft(tester, shown, { run: { kind: 'running', runId } });
  const { target, text, evenIfOff = false } = sent;
  const answer = await link.call('tester.call', { runId, target, arguments: text, evenIfOff });
  changeDraft(tester, shown, {
    run: answer.ok
      ? { kind: 'answered', answer: answer.value, sent: text }
      : { kind: 'failed', problem: answer.problem },
  });
}

export async function cancelTest(model: Model, target: TryTarget): Promise<void> {
  const { run } = draftOf(model.tester.getState(), target);
  if (run?.kind !== 'running') return;
  const answer = await model.link.call('tester.cancel', { runId: run.runId });
  if (!answer.ok) model.notify.problem(answer.problem);
}

/** Answers a server's question; true if it succeeded. */
export async function replyTo(model: Model, reply: IpcInput<'tester.reply'>): Promise<boolean> {
  const answer = await model.link.call('tester.reply', reply);
  if (answer.ok) dropQuestion(model.tester, reply.questionId);
  else model.notify.problem(answer.problem);
  return answer.ok;
}

export async function saveAnswer(model: Model, runId: string): Promise<void> {
  const answer = await model.link.call('tester.save', { runId });
  if (!answer.ok) model.notify.problem(answer.problem);
  else if (answer.value.saved) model.notify.done('Answer saved.');
}

export async function loadChecks(model: Model): Promise<void> {
  const answer = await model.link.call('check.list', undefined);
  if (answer.ok) model.tester.setState({ checks: answer.value.checks });
  else model.notify.problem(answer.problem);
}

export async function addCheck(model: Model, check: CheckInput): Promise<boolean> {
  const answer = await model.link.call('check.add', check);
  if (answer.ok) model.notify.done(`“${check.title}” was added to the checks.`);
  else model.notify.problem(answer.problem);
  return answer.ok;
}

export async function removeCheck(model: Model, id: string): Promise<void> {
  const answer = await model.link.call('check.remove', { id });
  if (!answer.ok) model.notify.problem(answer.problem);
}

export async function runChecks(model: Model, which: IpcInput<'check.run'>): Promise<void> {
  const answer = await model.link.call('check.run', which);
  if (!answer.ok) return model.notify.problem(answer.problem);
  const { passed, failed } = answer.value;
  const all = formatCount(passed + failed, 'check');
  model.notify.done(failed === 0 ? `${all} passed.` : `${failed} of ${all} failed.`);
}
