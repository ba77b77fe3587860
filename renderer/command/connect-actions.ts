import type { ConnectClient } from '../../shared/model/connect.ts';
import type { Model } from '../store/model.ts';
import { ask, openDialog } from '../store/view-store.ts';
import { openView } from './navigate.ts';

/** Opens the steps from the exact diff to a proven connection. */
export function openConnect(model: Model, { id, title, pickupText, status }: ConnectClient): void {
  const isConnected = status === 'connected';
  openDialog(model.view, { kind: 'connect', id, title, pickup: pickupText, isConnected });
}

/** Opens the same for a client known only by its id. */
export async function openConnectById(model: Model, id: string): Promise<void> {
  openView(model, 'clients');
  const answer = await model.link.call('connect.list', undefined);
  if (!answer.ok) return model.notify.problem(answer.problem);
  const client = answer.value.clients.find((each) => each.id === id);
  if (client !== undefined) openConnect(model, client);
}

/** Opens the text to paste into a client by hand. */
export function openSnippet(model: Model, { id, title }: Pick<ConnectClient, 'id' | 'title'>): void {
  openDialog(model.view, { kind: 'connect-snippet', id, title });
}

/** Disconnects a client after confirmation; its files get their previous contents back. */
export function askToDisconnect(model: Model, client: ConnectClient): void {
  const files = client.files.filter(({ status }) => status !== 'found');
  ask(model.view, {
    title: `Disconnect ${client.title}?`,
    text: 'The original config comes back, with the servers that were moved to Patchbay.',
    undoHint: 'You can connect again at any time.',
    parts: files.map(({ file }) => ({ name: file, note: '' })),
    yes: 'Disconnect',
    onYes: () => void disconnect(model, client),
  });
}

async function disconnect(model: Model, { id, title }: ConnectClient): Promise<void> {
  const answer = await model.link.call('connect.undo', { id });
  if (!answer.ok) return model.notify.problem(answer.problem);
  const refused = answer.value.files.find((file) => file.kind === 'refused');
  if (refused?.kind === 'refused') return model.notify.problem(refused.problem);
  const bytes = answer.value.files.every(({ kind }) => kind === 'restored' || kind === 'deleted');
  model.notify.done(
    bytes
      ? `${title} is disconnected. Its config is as it was before.`
      : `${title} is disconnected. Other changes to its config were kept.`,
  );
}

/** Accepts that our entry is gone or changed. */
export async function acceptConnectChange(model: Model, { id }: ConnectClient): Promise<void> {
  const answer = await model.link.call('connect.accept', { id });
  if (!answer.ok) model.notify.problem(answer.problem);
}

/** Asks for the location of a client's config file. */
export async function locateClient(model: Model, { id }: ConnectClient): Promise<void> {
  const answer = await model.link.call('connect.locate', { id });
  if (!answer.ok) model.notify.problem(answer.problem);
}

/** Goes back to the default location of the file. */
export async function forgetClientFile(model: Model, { id }: ConnectClient): Promise<void> {
  const answer = await model.link.call('connect.forgetFile', { id });
  if (!answer.ok) model.notify.problem(answer.problem);
}

/** Opens the bundle with Claude Desktop. */
export async function openBundle(model: Model): Promise<void> {
  const answer = await model.link.call('connect.openBundle', undefined);
  if (!answer.ok) model.notify.problem(answer.problem);
}
