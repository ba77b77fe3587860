import { mkdir, rm } from 'node:fs/promises';
import { ProblemError, problem } from '../../../shared/error/problem.ts';
import { isRecord } from '../../../shared/json.ts';
import type { ImportChoices, ImportInput } from '../../../shared/model/import/import-session.ts';
import type { GuardMode } from '../../../shared/model/tool/guard.ts';
import { titleIn } from '../config/entry/configure-server.ts';
import { replaceFile } from '../store/files/replace-file.ts';
import type { ImporterOptions } from './contract.ts';
import { type Bundle, type Entry, type FoundInput, withBundleFolder } from './found.ts';
import { type Answer, type Answers, answerInputs } from './reference/answer-inputs.ts';
import { type LaterReferences, laterReference } from './reference/later-references.ts';
import { replaceSecrets } from './review/replace-secrets.ts';
import type { ReviewedServer } from './review/reviewed.ts';
import { numberedFolder } from './source/bundle.ts';

type Choice = ImportChoices['entries'][number];

/** The results of adding an entry, for undo. */
export interface AddedEntry {
  readonly key: string;
  /** Secrets that were not in the vault before. */
  readonly secrets: readonly string[];
  readonly folder: string | undefined;
}

/** Adds one chosen server with its secrets and files, or nothing at all. Rejects with ProblemError. */
export async function addEntry(
  options: ImporterOptions,
  judged: ReviewedServer,
  choice: Choice,
  { inputs: given, guard = 'changes' }: Pick<ImportChoices, 'inputs' | 'guard'>,
  later: LaterReferences,
): Promise<AddedEntry> {
  const own = judged.inputs;
  const secrets = new Map([...entrySecrets(judged, choice), ...inputSecrets(own, given)]);
  requireFreeNames(options, secrets);
  const stored: string[] = [];
  let folder: string | undefined;
  try {
    for (const [name, value] of secrets) {
      if (options.vault.isStored(name)) continue;
      await options.vault.set(name, value);
      stored.push(name);
    }
    const { bundle } = judged.found;
    folder = bundle === undefined ? undefined : await unpack(options.bundles, bundle);
    const answers = answersOf(options, own, given, later);
    const finishedWithInputs = finishedEntry(judged, choice, { inputs: own, answers, folder });
    const entry = withGuard(withTitle(finishedWithInputs, judged.title, choice.key), guard);
    await options.config.add([{ key: choice.key, entry }]);
    return { key: choice.key, secrets: stored, folder };
  } catch (error) {
    for (const name of stored) await options.vault.delete(name).catch(() => undefined);
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

/** Stores the display name if the entry lacks it and it differs from the key. */
function withTitle(entry: Entry, title: string | undefined, key: string): Entry {
  if (title === undefined || title === key || titleIn(entry, key) === title) return entry;
  return { ...entry, patchbay: { ...(isRecord(entry.patchbay) ? entry.patchbay : {}), title } };
}

/** An entry with its own guard option keeps it, and the default is not written. */
function withGuard(entry: Entry, guard: GuardMode): Entry {
  const options = isRecord(entry.patchbay) ? entry.patchbay : {};
  return guard === 'changes' || 'guard' in options ? entry : { ...entry, patchbay: { ...options, guard } };
}

interface Parts {
  readonly inputs: readonly FoundInput[];
  readonly answers: Answers;
  readonly folder: string | undefined;
}

function finishedEntry(
  { found, secrets }: ReviewedServer,
  choice: Choice,
  { inputs, answers, folder }: Parts,
): Entry {
  const moved = replaceSecrets(
    found.entry,
    choice.secrets.flatMap(({ id, secretName }) => {
      const secret = secrets.find((one) => one.id === id);
      return secret === undefined ? [] : [{ place: secret.location, by: `\${secret:${secretName}}` }];
    }),
  );
  const answered = answerInputs(moved, inputs, answers);
  return folder === undefined ? answered : withBundleFolder(answered, found.bundle, folder);
}

function answersOf(
  options: ImporterOptions,
  inputs: readonly FoundInput[],
  given: ImportChoices['inputs'],
  later: LaterReferences,
): Answers {
  return new Map(
    inputs.flatMap(({ view }): readonly (readonly [string, Answer])[] => {
      const { value, secretName } = answerTo(view, given);
      if (view.required && (value ?? '') === '') {
        const reference = laterReference(view, secretName, later, options);
        return [[view.id, { kind: 'later', reference }]];
      }
      if (value === undefined) return [];
      const answer: Answer =
        secretName !== undefined && value !== ''
          ? { kind: 'secret', name: secretName }
          : { kind: 'text', text: value };
      return [[view.id, answer]];
    }),
  );
}

function answerTo(
  view: ImportInput,
  given: ImportChoices['inputs'],
): { readonly value: string | undefined; readonly secretName?: string | undefined } {
  const answer = given.find(({ id }) => id === view.id);
  return answer === undefined ? { value: view.default } : answer;
}

function entrySecrets({ secrets }: ReviewedServer, choice: Choice): ReadonlyMap<string, string> {
  return new Map(
    choice.secrets.flatMap(({ id, secretName }) => {
      const secret = secrets.find((one) => one.id === id);
      return secret === undefined ? [] : [[secretName, secret.value] as const];
    }),
  );
}

function inputSecrets(
  inputs: readonly FoundInput[],
  given: ImportChoices['inputs'],
): ReadonlyMap<string, string> {
  return new Map(
    inputs.flatMap(({ view }) => {
      const { value, secretName } = answerTo(view, given);
      return secretName === undefined || value === undefined || value === ''
        ? []
        : [[secretName, value] as const];
    }),
  );
}

/** An existing secret must not be overwritten by an import. */
function requireFreeNames({ vault }: ImporterOptions, secrets: ReadonlyMap<string, string>): void {
  for (const [name, value] of secrets) {
    if (!vault.isStored(name) || vault.get(name) === value) continue;
    const sentence = `There is already another secret called ${name}.`;
    throw new ProblemError(
      problem('secret.exists', sentence, 'Choose another name for the secret.', { secret: name }),
    );
  }
}

/** Unpacks into a temporary folder beside the target, then renames it. */
async function unpack(parent: string, bundle: Bundle): Promise<string> {
  await mkdir(parent, { recursive: true, mode: 0o700 });
  const work = `${numberedFolder(parent, bundle.folder, 1)}.unpacking-${process.pid}`;
  await rm(work, { recursive: true, force: true });
  try {
    await mkdir(work);
    await bundle.extract(work);
    return await moveToFree(work, parent, bundle.folder);
  } catch (error) {
    await rm(work, { recursive: true, force: true });
    throw error;
  }
}

async function moveToFree(from: string, parent: string, name: string): Promise<string> {
  for (let number = 1; ; number += 1) {
    const to = numberedFolder(parent, name, number);
    // An existing folder, even an empty one, may belong to another import.
    const made = await mkdir(to).then(
      () => true,
      () => false,
    );
    if (!made) {
      if (number < maxCopies) continue;
      throw new Error(`there is no free name for ${name}`);
    }
    await rm(to, { recursive: true });
    await replaceFile(from, to);
    return to;
  }
}

const maxCopies = 1000;
