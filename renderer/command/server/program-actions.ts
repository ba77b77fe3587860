import type { CommandExplanation } from '../../../shared/model/server/command.ts';
import { joinWords } from '../../lib/text/join-words.ts';
import { type Explaining, lastExplanation, setExplaining } from '../../store/explain-store.ts';
import type { Model } from '../../store/model.ts';
import { titleOf } from '../../store/server-title.ts';
import { openServer } from '../navigate.ts';
import { offerUndo } from '../undo-actions.ts';

/** Opens the page that explains which file a server's command runs. */
export function showExplanation(model: Model, key: string): void {
  openServer(model, key, 'overview');
  void explainCommand(model, key);
}

/**
 * Fetches which file a server's command runs; the previous explanation stays visible until the answer
 * arrives.
 */
export async function explainCommand(model: Model, key: string): Promise<void> {
  const before = lastExplanation(model.explaining.getState().byKey[key]);
  const asking: Explaining = before === undefined ? { kind: 'asking' } : { kind: 'asking', before };
  setExplaining(model.explaining, key, asking);
  const answer = await model.link.call('server.explainCommand', { key });
  // Outdated if the explanation was closed or requested again.
  if (model.explaining.getState().byKey[key] !== asking) return;
  setExplaining(
    model.explaining,
    key,
    answer.ok ? { kind: 'known', explanation: answer.value } : { kind: 'failed', problem: answer.problem },
  );
}

/** Makes a server run another file or look up its command; can be undone for a while. */
export async function changeCommand(
  model: Model,
  key: string,
  explanation: CommandExplanation,
  command: string,
): Promise<void> {
  if (!(await writeCommand(model, key, command))) return;
  const title = titleOf(model, key);
  const message = isPath(command) ? `${title} now runs ${command}.` : `${title} now looks up ${command}.`;
  const undo = () => void writeCommand(model, key, explanation.command);
  offerUndo(model, `command-${key}-${model.now()}`, message, undo);
}

/** Reloads the login shell's environment; servers use it from their next start. */
export async function reloadEnvironment(model: Model): Promise<void> {
  const answer = await model.link.call('environment.reload', undefined);
  if (!answer.ok) return model.notify.problem(answer.problem);
  const { changed } = answer.value;
  model.notify.done(
    changed.length === 0
      ? 'Environment reloaded. Nothing has changed.'
      : `Environment reloaded. Changed: ${joinWords(changed, 3)}. Servers use it from their next start.`,
  );
  const open = Object.keys(model.explaining.getState().byKey);
  await Promise.all(open.map((key) => explainCommand(model, key)));
}

async function writeCommand(model: Model, key: string, command: string): Promise<boolean> {
  const answer = await model.link.call('server.setCommand', { key, command });
  if (!answer.ok) model.notify.problem(answer.problem);
  else void explainCommand(model, key);
  return answer.ok;
}

function isPath(command: string): boolean {
  return /[\\/]/.test(command);
}
