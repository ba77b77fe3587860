import type { ClientDetail, ClientTool } from '../../shared/model/client-detail.ts';
import { formatCount } from '../lib/format-amount.ts';
import { announce } from '../store/announcer.ts';
import type { Model } from '../store/model.ts';
import { openDialog } from '../store/view-store.ts';
import { setToolsEnabled } from './tool-actions.ts';

/** Opens what a client holds, gets and uses. */
export function openClientDetail(model: Model, id: string): void {
  openDialog(model.view, { kind: 'client-detail', id });
}

/** Tells a client again that its lists have changed. */
export async function notifyClient(model: Model, { id }: Pick<ClientDetail, 'id'>): Promise<void> {
  const answer = await model.link.call('client.notify', { id });
  if (answer.ok) announce(model.announcer, 'It was told again.');
  else model.notify.problem(answer.problem);
}

/** Switches tools off that nobody uses; it can be taken back for a while. */
export async function pruneTools(model: Model, tools: readonly ClientTool[]): Promise<void> {
  const meant = tools.flatMap(({ serverKey, name }) =>
    serverKey === undefined ? [] : [{ serverKey, name }],
  );
  await setToolsEnabled(model, meant, false);
  const text = `${formatCount(meant.length, 'tool')} switched off for all clients.`;
  model.notify.undoable(`prune-${model.now()}`, text, () => void setToolsEnabled(model, meant, true));
}
