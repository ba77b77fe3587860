import { writeOption } from '../../lib/entry/entry-options.ts';
import type { Model } from '../../store/model.ts';
import { titleOf } from '../../store/server-title.ts';
import { offerUndo } from '../undo-actions.ts';
import { saveEntry } from './save-entry.ts';

/** Gives each client its own process, by one change in the config file; can be undone for a while. */
export async function isolateServer(model: Model, key: string): Promise<void> {
  const found = await model.link.call('server.entry', { key });
  if (!found.ok) return model.notify.problem(found.problem);
  const before = found.value.text;
  const saved = await saveEntry(model, key, before, writeOption(before, 'isolation', 'per-client'));
  if (saved === undefined) return;
  offerUndo(
    model,
    `isolate-${key}-${model.now()}`,
    `Each client now has its own ${titleOf(model, key)}.`,
    () => {
      void saveEntry(model, key, saved, before);
    },
  );
}
