import { ProblemError, problem } from '../../../shared/error/problem.ts';
import type { EntrySave } from './contract.ts';
import { addServer, renameServer, serverText, setServerText, updateServer } from './edit.ts';
import { requireFreeKey, requireServer, requireUnambiguousServer, requireValidEntry } from './edit-checks.ts';
import { type MergedEdits, mergeEdits } from './merge-edits.ts';
import type { ValidText } from './reading.ts';
import type { Path } from './tree.ts';

/** Returns the body with the edited entry; see {@link ConfigStore.saveText}. */
export function saveEntryText(
  good: ValidText,
  save: EntrySave,
): { readonly body: string; readonly result: { readonly text: string } } {
  const { key, text, newKey = key } = save;
  requireValidEntry(newKey, text);
  const saved =
    save.base === undefined ? withAddedEntry(good, newKey, text) : withMergedEntry(good, save, save.base);
  return { body: saved, result: { text: serverText(saved, newKey) } };
}

function withAddedEntry(good: ValidText, key: string, text: string): string {
  requireFreeKey(key, keysOf(good));
  return setServerText(addServer(good.parsed.body, key, {}), key, text);
}

function withMergedEntry(
  good: ValidText,
  { key, text, newKey = key, resolve }: EntrySave,
  base: string,
): string {
  requireServer(good, key);
  const { body } = good.parsed;
  const texts = { base, mine: text, theirs: serverText(body, key) };
  if (texts.theirs !== base) requireUnambiguousServer(good, key);
  const changed = withEdits(body, key, mergeEdits(texts, resolve));
  requireValidEntry(newKey, serverText(changed, key));
  if (newKey === key) return changed;
  requireFreeKey(newKey, keysOf(good));
  return renameServer(changed, key, newKey);
}

function withEdits(body: string, key: string, edits: MergedEdits): string {
  switch (edits.kind) {
    case 'text':
      return setServerText(body, key, edits.text);
    case 'entry':
      return updateServer(body, key, edits.entry);
    case 'conflict':
      throw new ProblemError(changedMeanwhile(key, edits.fields));
  }
}

function changedMeanwhile(key: string, fields: readonly Path[]) {
  const names = fields.map((path) => path.join('.'));
  const sentence = `${key}: ${listed(names)} changed both here and in the config file since you started editing.`;
  const fix = 'Choose whether to keep your change or the one in the file.';
  return problem(
    'config.changed_meanwhile',
    sentence,
    fix,
    Object.fromEntries(names.map((name) => [name, 'changed on both sides'])),
  );
}

function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

function keysOf(good: ValidText): ReadonlySet<string> {
  return new Set(good.servers.map((server) => server.key));
}
