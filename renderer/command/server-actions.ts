import { announce } from '../store/announcer.ts';
import type { Model } from '../store/model.ts';
import { pushRemoval, takeRemoval } from '../store/undo-store.ts';
import { dropWish, makeWish, settleWish } from '../store/wish-store.ts';
import { closeServer, openServer } from './navigate.ts';

/** Moves a server's switch at once; it moves back by itself, with the reason shown, when the engine refuses. */
export async function setServerEnabled(model: Model, key: string, enabled: boolean): Promise<void> {
  await withWish(model, [key], enabled, () => model.link.call('server.setEnabled', { key, enabled }));
}

export async function setAllServersEnabled(model: Model, enabled: boolean): Promise<void> {
  const { order } = model.mirrors.servers.getState();
  await withWish(model, order, enabled, () => model.link.call('server.setAllEnabled', { enabled }));
}

export async function restartServer(model: Model, key: string): Promise<void> {
  announce(model.announcer, `Restarting ${key}`);
  const answer = await model.link.call('server.restart', { key });
  if (!answer.ok) model.notify.problem(answer.problem);
}

/** Opens the browser for a sign-in; the server's view tells how it goes on. */
export async function signInServer(model: Model, key: string): Promise<void> {
  announce(model.announcer, `Opening the browser to sign in to ${key}`);
  const answer = await model.link.call('server.signIn', { key });
  if (!answer.ok) model.notify.problem(answer.problem);
}

/** Forgets a sign-in; also gives up one that is under way. */
export async function signOutServer(model: Model, key: string): Promise<void> {
  const signedIn = model.mirrors.servers.getState().byKey[key]?.auth?.signedIn === true;
  const answer = await model.link.call('server.signOut', { key });
  if (!answer.ok) model.notify.problem(answer.problem);
  else if (signedIn) model.notify.done(`You are signed out of ${key}.`);
}

/** Copies a server, switched off, and opens the copy where its config can be changed. */
export async function duplicateServer(model: Model, key: string): Promise<void> {
  const answer = await model.link.call('server.duplicate', { key });
  if (!answer.ok) return model.notify.problem(answer.problem);
  openServer(model, answer.value.key, 'config');
  model.notify.done(`${key} was copied to ${answer.value.key}. The copy is switched off.`);
}

/** Removes a server without asking, because it can be taken back. */
export async function removeServer(model: Model, key: string): Promise<void> {
  const answer = await model.link.call('server.remove', { key });
  if (!answer.ok) return model.notify.problem(answer.problem);
  const { undoId } = answer.value;
  pushRemoval(model.undo, { undoId, key });
  if (model.draft.getState().draft?.originalKey === key) model.draft.setState({ draft: undefined });
  if (model.view.getState().place.serverKey === key) closeServer(model);
  model.notify.undoable(undoId, `${key} was removed.`, () => void undoRemoval(model, undoId));
}

/** Takes back a removal, the newest one unless an id is given. */
export async function undoRemoval(model: Model, undoId?: string): Promise<void> {
  const removal = takeRemoval(model.undo, undoId);
  if (removal === undefined) return;
  model.notify.close(removal.undoId);
  const answer = await model.link.call('server.undoRemove', { undoId: removal.undoId });
  if (answer.ok) model.notify.done(`${removal.key} is back.`);
  else model.notify.problem(answer.problem);
}

async function withWish(
  model: Model,
  keys: readonly string[],
  enabled: boolean,
  call: () => ReturnType<Model['link']['call']>,
): Promise<void> {
  const ticket = makeWish(model.serverWishes, keys, enabled);
  const answer = await call();
  if (answer.ok) {
    settleWish(
      model.serverWishes,
      keys,
      ticket,
      (key) => model.mirrors.servers.getState().byKey[key]?.enabled,
    );
  } else {
    dropWish(model.serverWishes, keys, ticket);
    model.notify.problem(answer.problem);
  }
}
