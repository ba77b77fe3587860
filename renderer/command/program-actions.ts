import type { CommandExplanation } from '../../shared/model/command.ts';
import { joinWords } from '../lib/join-words.ts';
import { type Explaining, lastExplanation, setExplaining } from '../store/explain-store.ts';
import type { Model } from '../store/model.ts';
import { titleOf } from '../store/server-title.ts';
import { openServer } from './navigate.ts';
import { offerUndo } from './undo-actions.ts';

/** Opens the page where it stands which file a server's command runs. */
export function showExplanation(model: Model, key: string): void {
  openServer(model, key, 'overview');
  void explainCommand(model, key);
}

/** Asks which file a server's command runs; what was known before stays on screen until the answer is there. */
export async function explainCommand(model: Model, key: string): Promise<void> {
  const before = lastExplanation(model.explaining.getState().byKey[key]);
  const asking: Explaining = before === undefined ? { kind: 'asking' } : { kind: 'asking', before };
  setExplaining(model.explaining, key, asking);
  const answer = await model.link.call('server.explainCommand', { key });
  // Closed, or asked again: then this answer is of no use any more.
  if (model.explaining.getState().byKey[key] !== asking) return;
  setExplaining(
    model.explaining,
    key,
    answer.ok ? { kind: 'known', explanation: answer.value } : { kind: 'failed', problem: answer.problem },
  );
}

/** Has a server run another file or look its command up; it can be taken back for a while. */
export async function changeCommand(
  model: Model,
  key: string,
  explanation: CommandExplanation,
  command: string,
): Promise<void> {
  if (!(await writeCommand(model, key, command))) return;
  const title = titleOf(model, key);
  const message = isPath(command) ? `${title} runs ${command} now.` : `${title} looks ${command} up again.`;
  const undo = () => void writeCommand(model, key, explanation.command);
  offerUndo(model, `command-${key}-${model.now()}`, message, undo);
}

/** Reads the login shell's environment anew, for all servers from their next start on. */
export async function reloadEnvironment(model: Model): Promise<void> {
  const answer = await model.link.call('environment.reload', undefined);
  if (!answer.ok) return model.notify.problem(answer.problem);
  const { changed } = answer.value;
  model.notify.done(
    changed.length === 0
      ? 'The environment was read again. Nothing in it has changed.'
      : `The environment was read again. Changed: ${joinWords(changed, 3)}. Servers use it from their next start.`,
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
