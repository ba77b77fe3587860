import type { GuardMode } from '../../../../shared/model/guard.ts';
import type { EntryIssue, PastedEntry } from '../../../../shared/model/import.ts';
import { keyField } from '../../../lib/field-issues.ts';
import { freeKey } from '../../../lib/free-key.ts';

/** A pasted entry with what the user decides about it. */
export interface PasteChoice {
  readonly entry: Readonly<Record<string, unknown>>;
  readonly key: string;
  /** Key as it was pasted. */
  readonly pastedKey: string;
  readonly chosen: boolean;
  readonly issues: readonly EntryIssue[];
}

/** First choices: everything that has no error, under a free key where its own is taken or missing. */
export function firstChoices(
  entries: readonly PastedEntry[],
  existing: ReadonlySet<string>,
): readonly PasteChoice[] {
  const taken = new Set(existing);
  return entries.map(({ key, entry, issues: all }) => {
    // A bad key is no reason to leave an entry out: it can be renamed here, and is judged by `keyError`.
    const issues = all.filter((issue) => issue.path !== keyField);
    const free = freeKey(key === '' ? guessKey(entry) : key, taken);
    taken.add(free);
    return { entry, key: free, pastedKey: key, chosen: !issues.some(isError), issues };
  });
}

/** What is wrong with the key of a choice, given the other chosen ones; undefined when nothing is. */
export function keyError(
  choice: PasteChoice,
  choices: readonly PasteChoice[],
  existing: ReadonlySet<string>,
): string | undefined {
  if (choice.key === '') return 'A name is needed.';
  if (choice.key.includes(':')) return 'A name must not contain ":".';
  if (existing.has(choice.key)) return 'This name is taken.';
  const twins = choices.filter((other) => other.chosen && other.key === choice.key);
  return twins.length > 1 ? 'Two of these have this name.' : undefined;
}

/** The entry with what is decided about its tools; one that says so itself keeps its word, and the usual need not be said. */
export function guardedEntry(
  entry: Readonly<Record<string, unknown>>,
  guard: GuardMode,
): Record<string, unknown> {
  const options = typeof entry.patchbay === 'object' && entry.patchbay !== null ? entry.patchbay : {};
  if (guard === 'changes' || 'guard' in options) return { ...entry };
  return { ...entry, patchbay: { ...options, guard } };
}

/** The command line or URL of an entry, to recognise it by. */
export function entryTarget(entry: Readonly<Record<string, unknown>>): string {
  if (typeof entry.url === 'string') return entry.url;
  const args = Array.isArray(entry.args) ? entry.args : [];
  return [entry.command ?? '(no command)', ...args].map(String).join(' ');
}

/** A name from the package or host for an entry that came without one. */
function guessKey(entry: Readonly<Record<string, unknown>>): string {
  if (entry.command === undefined && entry.url === undefined) return 'server';
  const words = entryTarget(entry).split(/\s+/);
  const named = words.find((word) => /mcp|server/i.test(word)) ?? words[0] ?? '';
  const base = named
    .replace(/^https?:\/\//, '')
    .split(/[/?#]/)
    .filter(Boolean);
  const last = named.startsWith('http') ? base[0] : base.at(-1);
  return (last ?? '').replace(/@[\s\S]*$/, '').replaceAll(':', '-') || 'server';
}

function isError(issue: EntryIssue): boolean {
  return issue.severity === 'error';
}
