import type { Problem } from '../../../shared/error/problem.ts';
import type { IpcInput } from '../../../shared/ipc/contract.ts';
import { formatCount } from '../../lib/text/format-amount.ts';
import type { Model } from '../../store/model.ts';
import { ask } from '../../store/view-store.ts';

/** Stores a value in the vault; resolves to the problem, if any. */
export async function storeSecret(
  model: Model,
  secret: IpcInput<'secret.set'>,
): Promise<Problem | undefined> {
  const answer = await model.link.call('secret.set', secret);
  if (!answer.ok) return answer.problem;
  model.notify.done(secret.replace ? `${secret.name} has a new value.` : `${secret.name} was saved.`);
  return undefined;
}

/** Deletes a secret even if servers refer to it; resolves to the problem, if any. */
export async function deleteSecret(model: Model, name: string): Promise<Problem | undefined> {
  const answer = await model.link.call('secret.delete', { name, force: true });
  if (!answer.ok) return answer.problem;
  model.notify.done(`${name} was deleted.`);
  return undefined;
}

/** Deletes unused secrets after confirmation; one that has come into use since stays. */
export function deleteUnused(model: Model, names: readonly string[]): void {
  const what = formatCount(names.length, 'unused secret');
  ask(model.view, {
    title: `Delete ${what}?`,
    undoHint: 'The values cannot be restored.',
    parts: names.map((name) => ({ name, note: 'not used' })),
    yes: `Delete ${names.length}`,
    onYes: () => void deleteAll(model, names),
  });
}

async function deleteAll(model: Model, names: readonly string[]): Promise<void> {
  const answers = await Promise.all(
    names.map((name) => model.link.call('secret.delete', { name, force: false })),
  );
  const deleted = answers.filter(({ ok }) => ok).length;
  const failed = answers.find((answer) => !answer.ok);
  if (deleted > 0) model.notify.done(`${formatCount(deleted, 'secret')} deleted.`);
  if (failed?.ok === false) model.notify.problem(failed.problem);
}
