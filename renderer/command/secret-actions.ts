import type { Problem } from '../../shared/error/problem.ts';
import type { IpcInput } from '../../shared/ipc/contract.ts';
import type { Model } from '../store/model.ts';

/** Puts a value into the vault; resolves to what stopped it. */
export async function storeSecret(
  model: Model,
  secret: IpcInput<'secret.set'>,
): Promise<Problem | undefined> {
  const answer = await model.link.call('secret.set', secret);
  if (!answer.ok) return answer.problem;
  model.notify.done(secret.replace ? `${secret.name} has a new value.` : `${secret.name} is in the vault.`);
  return undefined;
}

/** Deletes a secret, also under servers that refer to it; resolves to what stopped it. */
export async function deleteSecret(model: Model, name: string): Promise<Problem | undefined> {
  const answer = await model.link.call('secret.delete', { name, force: true });
  if (!answer.ok) return answer.problem;
  model.notify.done(`${name} was deleted.`);
  return undefined;
}
