import type {
  ImportChoices,
  ImportPreview,
  ImportResult,
} from '../../../shared/model/import/import-session.ts';
import { printableWord } from '../../../shared/printable.ts';
import { shellWord } from '../../../shared/shell-word.ts';

/** Selects the same defaults as the window: everything new, secrets into the vault, presets unchanged. */
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

/** Lists the values that servers still need, with the commands that enter them. */
export function missingValueLines(waiting: ImportResult['waiting']): readonly string[] {
  return waiting.flatMap(({ key, values }) => [
    printableWord(`${key} starts once it has ${values.join(', ')}. While Patchbay runs, enter:`),
    ...values.map((value) => `  patchbay secret enter ${shellWord(key)} ${shellWord(value)}`),
  ]);
}
