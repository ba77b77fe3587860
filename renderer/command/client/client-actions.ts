import type { ClientDetail, ClientTool } from '../../../shared/model/client/client-detail.ts';
import { announce } from '../../store/announcer.ts';
import type { Model } from '../../store/model.ts';
import { openDialog } from '../../store/view-store.ts';
import { switchesOf, turnTools } from '../server/bulk-actions.ts';

/** Opens a client's details: the list it has, the list it would get, the tools it uses. */
export function openClientDetail(model: Model, id: string, page?: 'compact'): void {
  openDialog(model.view, { kind: 'client-detail', id, ...(page === undefined ? {} : { page }) });
}

/** Notifies a client again that its lists have changed. */
export async function notifyClient(model: Model, { id }: Pick<ClientDetail, 'id'>): Promise<void> {
  const answer = await model.link.call('client.notify', { id });
  if (answer.ok) announce(model.announcer, 'The client was notified again.');
  else model.notify.problem(answer.problem);
}

/** Turns off unused tools. */
export function pruneTools(model: Model, tools: readonly ClientTool[]): void {
  const meant = tools.flatMap(({ serverKey, name }) =>
    serverKey === undefined ? [] : [{ serverKey, name }],
  );
  turnTools(model, switchesOf(model, meant), false);
}
