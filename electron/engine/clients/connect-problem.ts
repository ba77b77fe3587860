import { ProblemError, problem } from '../../../shared/error/problem.ts';
import { patchbayCommand } from '../../../shared/shell-word.ts';
import { unusableFile } from './file/client-file.ts';
import type { RunningClient } from './running/running-client.ts';
import type { ClientRow } from './table/client-row.ts';
import { clientTable } from './table/client-table.ts';

export function unknownClient(id: string): ProblemError {
  const sentence = `There is no client "${id}".`;
  const [like] = similarIds(id.toLowerCase());
  const guess = like === undefined ? '' : `Did you mean ${like}? `;
  const fix = `${guess}Choose one from the list: Clients in the window, or "patchbay connect list"; "other" is for all that are not in it.`;
  return new ProblemError(problem('client.unknown', sentence, fix));
}

/**
 * Returns ids that contain the word or share its start or end; a missing or mistyped letter leaves one of
 * them intact.
 */
function similarIds(word: string): readonly string[] {
  const half = Math.max(3, Math.ceil(word.length / 2));
  const ids = clientTable.map(({ id }) => id);
  return [
    ...ids.filter((id) => id === word.replaceAll(/\W+/g, '-')),
    ...ids.filter((id) => word.length >= half && id.endsWith(word.slice(-half)) && id[0] === word[0]),
    ...ids.filter((id) => word.length >= half && id.startsWith(word.slice(0, half))),
  ];
}

export function notFound(title: string): ProblemError {
  const sentence = `No config file of ${title} was found.`;
  const fix = `Start ${title} once, or choose its config file: "Choose config file…" in the window, --file on the command line.`;
  return new ProblemError(problem('client.config_unusable', sentence, fix));
}

export function missingFolder(file: string): ProblemError {
  const fix = 'Check the path, or create the folder, then try again.';
  return unusableFile(file, 'is in a folder that does not exist', fix);
}

export function byHandOnly({ id, title }: Pick<ClientRow, 'id' | 'title'>): ProblemError {
  const sentence = `${title} has no config file that Patchbay can write.`;
  const fix = `Set it up by hand: copy the snippet from Clients in the window, or from ${patchbayCommand('connect', 'preview', id)}.`;
  return new ProblemError(problem('client.config_unusable', sentence, fix));
}

export function stillRunning(title: string, running: readonly RunningClient[]): ProblemError {
  const sentence = `${title} is running and would overwrite the change.`;
  const pids = running.map(({ name, pid }) => `${name} (${pid})`).join(', ');
  return new ProblemError(
    problem('client.running', sentence, `Quit ${title} completely, then try again.`, { processes: pids }),
  );
}

export function changedSince(file: string): ProblemError {
  const sentence = `${file} has changed since you saw the preview; nothing was written.`;
  return new ProblemError(problem('client.config_changed', sentence, 'Review the new preview.', { file }));
}

export function notConnected(title: string): ProblemError {
  const sentence = `${title} is not connected to this Patchbay.`;
  return new ProblemError(problem('client.not_connected', sentence, 'Connect it first.'));
}

export function noBundle(): ProblemError {
  const sentence = 'This Patchbay was built without the bundle for Claude Desktop.';
  return new ProblemError(problem('client.no_launcher', sentence, 'Build it with "npm run pack".'));
}
