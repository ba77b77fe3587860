import { isDeepStrictEqual } from 'node:util';
import type { EntryIssue, PastedEntry, PastePreview } from '../../../shared/model/import.ts';
import type { ExpandContext } from './expand-entry.ts';
import { type Issue, keyPath } from './issue.ts';
import { parseText } from './parse.ts';
import { commandsAsJson } from './paste-command.ts';
import { translateEntry } from './paste-entry.ts';
import { type Candidate, candidatesIn } from './paste-shape.ts';
import { type FoundJson, findJson } from './paste-text.ts';
import { coerceTexts, judgeKey } from './validate.ts';
import { judgeDraft } from './validate-text.ts';

/**
 * Reads the servers out of pasted text, whatever program it was written for. Each is judged on its own: a bad one
 * carries its issues and costs no other. Total: any text gets an answer.
 */
export function parsePaste(text: string, keys: ReadonlySet<string>, context: ExpandContext): PastePreview {
  const { found, fault } = findJson(text);
  const entries = withoutRepeats(found.flatMap((piece) => entriesIn(piece, keys, context)));
  if (entries.length > 0) return { kind: 'entries', entries };
  const straight = straightened(text);
  if (straight !== text) return parsePaste(straight, keys, context);
  const typed = commandsAsJson(text);
  if (typed !== undefined) return parsePaste(typed, keys, context);
  if (fault === undefined) return { kind: 'unreadable', message: nothingFound };
  const { message, line, column } = fault;
  return { kind: 'unreadable', message: `Not valid JSON: ${message}.`, line, column };
}

const nothingFound =
  'No MCP server was found in this text; it should hold JSON such as {"mcpServers": {…}}, a command such as npx -y …, or an address.';

/** Web pages and chat programs turn quotes and blanks into typographic ones. */
function straightened(text: string): string {
  return text.replace(/[\u201C\u201D\u201E\u201F]/g, '"').replace(/[\u00A0\u202F]/g, ' ');
}

function entriesIn(
  { parsed, alone }: FoundJson,
  keys: ReadonlySet<string>,
  context: ExpandContext,
): readonly PastedEntry[] {
  if (parsed.root === undefined) return [];
  return candidatesIn(parsed.root, alone).map((candidate): PastedEntry => {
    const { key } = candidate;
    const unnamed = key === '' ? [] : judgeKey(key);
    const keyIssues = unnamed.map(
      ({ message }): EntryIssue => ({ severity: 'error', path: keyPath, message }),
    );
    const { entry, issues } = readCandidate(candidate, parsed, context);
    return { key, entry, issues: [...keyIssues, ...issues], exists: keys.has(key) };
  });
}

function readCandidate(
  { node, key }: Candidate,
  source: FoundJson['parsed'],
  context: ExpandContext,
): Pick<PastedEntry, 'entry' | 'issues'> {
  if (node.type !== 'object') {
    return { entry: {}, issues: [{ severity: 'error', path: '', message: 'a server must be an object' }] };
  }
  const { value, warnings } = coerceTexts(source, node);
  const { entry, notes } = translateEntry(withoutName(value, key));
  const parsed = parseText(JSON.stringify(entry));
  const judged = parsed.root === undefined ? [] : judgeDraft(parsed, parsed.root, context);
  const issues = [...warnings, ...judged].map(plainIssue);
  return { entry, issues: [...issues, ...notes] };
}

/** Places in the translated text mean nothing to the reader. */
function plainIssue({ severity, path, message }: Issue): EntryIssue {
  return { severity, path: path.join('.'), message };
}

/** A name that became the key has done its work. */
function withoutName(
  value: Readonly<Record<string, unknown>>,
  key: string,
): Readonly<Record<string, unknown>> {
  if (value.name !== key) return value;
  const { name: _, ...rest } = value;
  return rest;
}

/** Instructions often show one server several times, once for each program. */
function withoutRepeats(entries: readonly PastedEntry[]): readonly PastedEntry[] {
  return entries.filter(
    (entry, index) =>
      entries.findIndex((other) => other.key === entry.key && isDeepStrictEqual(other.entry, entry.entry)) ===
      index,
  );
}
