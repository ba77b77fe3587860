import type { Problem } from '../../../shared/error/problem.ts';
import type { IpcInput } from '../../../shared/ipc/contract.ts';
import type { SettingsPatch } from '../../../shared/schema/settings.ts';
import type { Model } from '../../store/model.ts';
import { offerUndo } from '../undo-actions.ts';

type Connection = IpcInput<'app.copyConnection'>['what'];

const copied: Readonly<Record<Connection, string>> = {
  url: 'The URL is on the clipboard.',
  token: 'The access token is on the clipboard. Treat it like a password.',
  'http-json': 'The HTTP entry is on the clipboard. It contains your access token.',
  'bridge-json': 'The bridge entry is on the clipboard. Paste it into your client’s MCP config.',
};

export async function copyConnection(model: Model, what: Connection): Promise<boolean> {
  const answer = await model.link.call('app.copyConnection', { what });
  if (answer.ok) model.notify.done(copied[what]);
  else model.notify.problem(answer.problem);
  return answer.ok;
}

/** Copies a text to the clipboard; true if it succeeded. */
export async function copyText(model: Model, text: string): Promise<boolean> {
  const answer = await model.link.call('app.copyText', { text });
  if (!answer.ok) model.notify.problem(answer.problem);
  return answer.ok;
}

/**
 * Saves settings at once. The mirror is updated by an event; the caller shows the returned problem, if any.
 */
export async function saveSettings(model: Model, patch: SettingsPatch): Promise<Problem | undefined> {
  const answer = await model.link.call('settings.set', patch);
  return answer.ok ? undefined : answer.problem;
}

/** Replaces a broken file with the last good config; can be undone for a while. */
export async function restoreConfig(model: Model): Promise<void> {
  const answer = await model.link.call('config.restore', undefined);
  if (!answer.ok) return model.notify.problem(answer.problem);
  const { undoId } = answer.value;
  offerUndo(model, undoId, 'The last good config was restored.', () => {
    void model.link.call('config.undoRestore', { undoId }).then((undone) => {
      if (!undone.ok) model.notify.problem(undone.problem);
    });
  });
}

export async function runAppCall(
  model: Model,
  name: 'app.openDataFolder' | 'app.openConfigFile',
): Promise<void> {
  const answer = await model.link.call(name, undefined);
  if (!answer.ok) model.notify.problem(answer.problem);
}
