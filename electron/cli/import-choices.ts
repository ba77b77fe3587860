import type { ImportChoices, ImportPreview, ImportResult } from '../../shared/model/import-session.ts';
import { printableWord } from '../engine/base/printable.ts';
import { wordOf } from './word-of.ts';

/** Chooses what the window begins with: all that is new, secrets to the vault, presets as they are. */
export function suggestedChoices({ session, entries }: ImportPreview): ImportChoices {
  const chosen = entries
    .filter(({ suggested }) => suggested)
    .map(({ id, key, secrets }) => ({
      id,
      key,
      secrets: secrets.map(({ id: secret, secretName }) => ({ id: secret, secretName })),
    }));
  return { session, entries: chosen, inputs: [] };
}

/** Names the values that servers wait for, with the commands that enter them. */
export function waitingLines(waiting: ImportResult['waiting']): readonly string[] {
  return waiting.flatMap(({ key, values }) => [
    printableWord(`${key} starts once it has ${values.join(', ')}. While Patchbay runs, enter:`),
    ...values.map((value) => `  patchbay secret enter ${wordOf(key)} ${wordOf(value)}`),
  ]);
}
