import type {
  ImportChoices,
  ImportInput,
  ImportPreview,
  ImportResult,
} from '../../../../shared/model/import/import-session.ts';
import { secretNameError } from '../../../lib/entry/secret-name-error.ts';
import { joinWords } from '../../../lib/text/join-words.ts';

/** The user's choices about one server. */
export interface EntryChoice {
  readonly id: string;
  readonly key: string;
  readonly chosen: boolean;
  /** Names of the secrets to move to the vault, by secret id; others stay in the config. */
  readonly secrets: Readonly<Record<string, string>>;
}

export interface Choices {
  readonly entries: readonly EntryChoice[];
  /** Typed values, by input id. */
  readonly inputs: Readonly<Record<string, string>>;
}

/** Returns the initial choices: suggested servers, all secrets to the vault, inputs at their defaults. */
export function firstChoices({ entries, inputs }: ImportPreview): Choices {
  return {
    entries: entries.map(({ id, key, suggested, secrets }) => ({
      id,
      key,
      chosen: suggested,
      secrets: Object.fromEntries(secrets.map((secret) => [secret.id, secret.secretName])),
    })),
    inputs: Object.fromEntries(inputs.map((input) => [input.id, input.default ?? ''])),
  };
}

export function changeEntry(choices: Choices, id: string, change: Partial<EntryChoice>): Choices {
  return {
    ...choices,
    entries: choices.entries.map((entry) => (entry.id === id ? { ...entry, ...change } : entry)),
  };
}

/** Returns the same choices, limited to the servers that could not be added. */
export function choicesOfFailed(choices: Choices, { failed }: ImportResult): Choices {
  const keys = new Set(failed.map(({ key }) => key));
  return {
    ...choices,
    entries: choices.entries.map((entry) => ({ ...entry, chosen: entry.chosen && keys.has(entry.key) })),
  };
}

/** Returns what is wrong with a server's name, compared with the other chosen ones and the config. */
export function entryKeyError(
  { id, key }: EntryChoice,
  { entries }: Choices,
  existing: ReadonlySet<string>,
): string | undefined {
  if (key === '') return 'Enter a name.';
  if (key.includes(':')) return 'A name must not contain ":".';
  if (existing.has(key)) return 'This name is taken.';
  const twin = entries.some((other) => other.id !== id && other.chosen && other.key === key);
  return twin ? 'Two servers have this name.' : undefined;
}

/** Returns the inputs that the chosen servers need, in source order. */
export function wantedInputs(preview: ImportPreview, { entries }: Choices): readonly ImportInput[] {
  const chosen = new Set(entries.filter((entry) => entry.chosen).map(({ id }) => id));
  const wanted = new Set(preview.entries.filter(({ id }) => chosen.has(id)).flatMap(({ inputs }) => inputs));
  return preview.inputs.filter(({ id }) => wanted.has(id));
}

/** Returns required inputs that are still empty. */
function missingInputs(preview: ImportPreview, choices: Choices): readonly ImportInput[] {
  return wantedInputs(preview, choices).filter(
    ({ id, required }) => required && (choices.inputs[id] ?? '') === '',
  );
}

/** Says which servers wait for missing values. */
export function waitingText(preview: ImportPreview, choices: Choices): string | undefined {
  const missing = missingInputs(preview, choices);
  if (missing.length === 0) return undefined;
  const ids = new Set(missing.map(({ id }) => id));
  const waiting = new Set(
    preview.entries.filter(({ inputs }) => inputs.some((input) => ids.has(input))).map(({ id }) => id),
  );
  const chosen = choices.entries.filter((entry) => entry.chosen);
  const keys = chosen.filter(({ id }) => waiting.has(id)).map(({ key }) => key);
  const values = joinWords(
    missing.map(({ title }) => title),
    3,
  );
  return `${joinWords(keys, 3)} ${keys.length === 1 ? 'starts' : 'start'} once you enter ${values}, now or later.`;
}

/** Returns whether the choices are complete and valid. */
export function isReady(choices: Choices, existing: ReadonlySet<string>): boolean {
  const chosen = choices.entries.filter((entry) => entry.chosen);
  return (
    chosen.length > 0 &&
    chosen.every(
      (entry) =>
        entryKeyError(entry, choices, existing) === undefined &&
        Object.values(entry.secrets).every((name) => secretNameError(name, []) === undefined),
    )
  );
}

/** Converts the choices to the request to the engine. */
export function importChoices(preview: ImportPreview, choices: Choices): ImportChoices {
  return {
    session: preview.session,
    entries: choices.entries
      .filter((entry) => entry.chosen)
      .map(({ id, key, secrets }) => ({
        id,
        key,
        secrets: Object.entries(secrets).map(([secret, secretName]) => ({ id: secret, secretName })),
      })),
    inputs: wantedInputs(preview, choices).map(({ id, secretName }) => ({
      id,
      value: choices.inputs[id] ?? '',
      ...(secretName === undefined ? {} : { secretName }),
    })),
  };
}
