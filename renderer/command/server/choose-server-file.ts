import { isRecord } from '../../../shared/json.ts';
import { setJson } from '../../lib/entry/edit-json.ts';
import { readEntry } from '../../lib/entry/entry-text.ts';
import type { Model } from '../../store/model.ts';
import { titleOf } from '../../store/server-title.ts';
import { openServer } from '../navigate.ts';
import { offerUndo } from '../undo-actions.ts';
import { saveEntry } from './save-entry.ts';

/** Asks for a file to replace a missing one in the entry; can be undone for a while. */
export async function chooseServerFile(model: Model, key: string, missing: string): Promise<void> {
  const found = await model.link.call('server.entry', { key });
  if (!found.ok) return model.notify.problem(found.problem);
  const before = found.value.text;
  const place = placeOf(before, missing);
  if (place === undefined) return openServer(model, key, 'config');
  const title = `Choose the file for ${titleOf(model, key)}`.slice(0, 200);
  const chosen = await model.link.call('import.choosePath', { kind: 'file', title });
  if (!chosen.ok) return model.notify.problem(chosen.problem);
  const { path } = chosen.value;
  if (path === undefined) return;
  const saved = await saveEntry(model, key, before, setJson(before, place, path));
  if (saved === undefined) return;
  offerUndo(model, `file-${key}-${model.now()}`, `${titleOf(model, key)} now uses ${path}.`, () => {
    void saveEntry(model, key, saved, before);
  });
}

/**
 * Returns the path of the entry's member that names the file, which may be relative to its working folder.
 */
function placeOf(text: string, missing: string): readonly (string | number)[] | undefined {
  const entry: unknown = readEntry(text);
  if (!isRecord(entry)) return undefined;
  const names = (value: unknown) =>
    typeof value === 'string' && value !== '' && (value === missing || missing.endsWith(`/${plain(value)}`));
  const args: readonly unknown[] = Array.isArray(entry.args) ? entry.args : [];
  const at = args.findIndex(names);
  if (at >= 0) return ['args', at];
  return names(entry.command) ? ['command'] : undefined;
}

function plain(path: string): string {
  return path.replace(/^(?:\.\/|~\/)/, '');
}
