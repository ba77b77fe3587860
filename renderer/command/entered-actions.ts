import type { Problem } from '../../shared/error/problem.ts';
import type { IpcInput } from '../../shared/ipc/contract.ts';
import type { ValuePlace } from '../../shared/model/missing-value.ts';
import { announce } from '../store/announcer.ts';
import type { Model } from '../store/model.ts';
import { titleOf } from '../store/server-title.ts';
import { signInServer } from './server-actions.ts';

/** Outcome of a form on a server's page. */
export interface FormOutcome {
  /** Problem that prevented the change. */
  readonly problem?: Problem;
}

/** Stores a missing value and starts the server with it; all of it can be undone. */
export async function enterValue(
  model: Model,
  key: string,
  place: ValuePlace,
  value: string,
): Promise<FormOutcome> {
  const answer = await model.link.call('server.enterValue', { key, place, value });
  if (!answer.ok) return { problem: answer.problem };
  const { undoId, secret } = answer.value;
  announce(model.announcer, `Starting ${titleOf(model, key)}`);
  model.notify.undoable(
    undoId,
    `${titleOf(model, key)} uses the new secret ${secret}.`,
    () => void undo(model, undoId, key),
  );
  return {};
}

/** Writes a registered client into the entry, then starts the sign-in. */
export async function setSignInClient(
  model: Model,
  key: string,
  client: IpcInput<'server.setSignInClient'>['client'],
): Promise<FormOutcome> {
  const answer = await model.link.call('server.setSignInClient', { key, client });
  if (!answer.ok) return { problem: answer.problem };
  const { undoId } = answer.value;
  model.notify.undoable(
    undoId,
    `${titleOf(model, key)} uses your client ID.`,
    () => void undo(model, undoId, key),
  );
  await signInServer(model, key);
  return {};
}

async function undo(model: Model, undoId: string, key: string): Promise<void> {
  model.notify.close(undoId);
  const answer = await model.link.call('server.undoEntered', { undoId });
  if (answer.ok) model.notify.done(`${titleOf(model, key)} was restored.`);
  else model.notify.problem(answer.problem);
}
