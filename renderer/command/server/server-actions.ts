import { shownStatus } from '../../lib/server/server-status.ts';
import { announce } from '../../store/announcer.ts';
import type { Model } from '../../store/model.ts';
import {
  addPendingChange,
  dropPendingChange,
  settlePendingChange,
} from '../../store/pending-change-store.ts';
import { titleOf } from '../../store/server-title.ts';
import { closeServer, openServer } from '../navigate.ts';
import { offerUndo } from '../undo-actions.ts';

/** Moves a server's switch at once; it moves back, with the reason shown, if the engine refuses. */
export async function setServerEnabled(model: Model, key: string, enabled: boolean): Promise<void> {
  const ticket = addPendingChange(model.pendingServerSwitches, [key], enabled);
  const answer = await model.link.call('server.setEnabled', { key, enabled });
  if (answer.ok) {
    settlePendingChange(
      model.pendingServerSwitches,
      [key],
      ticket,
      () => model.mirrors.servers.getState().byKey[key]?.enabled,
    );
  } else {
    dropPendingChange(model.pendingServerSwitches, [key], ticket);
    model.notify.problem(answer.problem);
  }
}

/** Restarts a server, or wakes it. */
export async function restartServer(model: Model, key: string): Promise<void> {
  const server = model.mirrors.servers.getState().byKey[key];
  const isAsleep = server !== undefined && shownStatus(server) === 'asleep';
  announce(model.announcer, `${isAsleep ? 'Waking' : 'Restarting'} ${titleOf(model, key)}`);
  await callServer(model, 'server.restart', key);
}

export function restartAllServers(model: Model): void {
  const { byKey } = model.mirrors.servers.getState();
  for (const { key, enabled } of Object.values(byKey)) if (enabled) void restartServer(model, key);
}

/** Stops a server's process; its tools stay listed and a call starts it again. */
export async function sleepServer(model: Model, key: string): Promise<void> {
  announce(model.announcer, `Putting ${titleOf(model, key)} to sleep`);
  await callServer(model, 'server.sleep', key);
}

/** Checks a server's health now; the view shows the result. */
export async function checkHealth(model: Model, key: string): Promise<void> {
  announce(model.announcer, `Checking ${titleOf(model, key)}`);
  await callServer(model, 'server.checkHealth', key);
}

/** Applies the new config after a failed update, even if it may fail again. */
export async function forceUpdate(model: Model, key: string): Promise<void> {
  announce(model.announcer, `Restarting ${titleOf(model, key)} with its new config`);
  await callServer(model, 'server.forceUpdate', key);
}

export async function dismissUpdate(model: Model, key: string): Promise<void> {
  await callServer(model, 'server.dismissUpdate', key);
}

/** Opens the browser for a sign-in; the server's view shows its progress. */
export async function signInServer(model: Model, key: string): Promise<void> {
  announce(model.announcer, `Opening the browser to sign in to ${titleOf(model, key)}`);
  const answer = await model.link.call('app.signIn', { key });
  if (!answer.ok) model.notify.problem(answer.problem);
}

/** Copies the address of the current sign-in to the clipboard; resolves to true if it succeeded. */
export async function copySignInLink(model: Model, key: string): Promise<boolean> {
  const answer = await model.link.call('app.copySignInLink', { key });
  if (!answer.ok) model.notify.problem(answer.problem);
  return answer.ok;
}

/** Signs out, or cancels a sign-in in progress. */
export async function signOutServer(model: Model, key: string): Promise<void> {
  const signedIn = model.mirrors.servers.getState().byKey[key]?.auth?.signedIn === true;
  const answer = await model.link.call('server.signOut', { key });
  if (!answer.ok) model.notify.problem(answer.problem);
  else if (signedIn) model.notify.done(`You are signed out of ${titleOf(model, key)}.`);
}

/** Duplicates a server, disabled, and opens the copy's config. */
export async function duplicateServer(model: Model, key: string): Promise<void> {
  const answer = await model.link.call('server.duplicate', { key });
  if (!answer.ok) return model.notify.problem(answer.problem);
  openServer(model, answer.value.key, 'config');
  model.notify.done(
    `${titleOf(model, key)} was copied to ${titleOf(model, answer.value.key)}. The copy is turned off.`,
  );
}

/** Removes a server without asking, since it can be undone. */
export async function removeServer(model: Model, key: string): Promise<void> {
  const title = titleOf(model, key);
  const answer = await model.link.call('server.remove', { key });
  if (!answer.ok) return model.notify.problem(answer.problem);
  const { undoId } = answer.value;
  if (model.draft.getState().draft?.originalKey === key) model.draft.setState({ draft: undefined });
  if (model.view.getState().place.serverKey === key) closeServer(model);
  offerUndo(model, undoId, `${title} was removed.`, () => void undoRemoval(model, undoId, title));
}

async function undoRemoval(model: Model, undoId: string, title: string): Promise<void> {
  const answer = await model.link.call('server.undoRemove', { undoId });
  if (answer.ok) model.notify.done(`${title} is back.`);
  else model.notify.problem(answer.problem);
}

type PlainCall =
  | 'server.sleep'
  | 'server.restart'
  | 'server.checkHealth'
  | 'server.forceUpdate'
  | 'server.dismissUpdate';

async function callServer(model: Model, name: PlainCall, key: string): Promise<void> {
  const answer = await model.link.call(name, { key });
  if (!answer.ok) model.notify.problem(answer.problem);
}
