import type { EntryIssue } from '../../../shared/model/import.ts';
import type { ConfigStore } from './contract.ts';
import { type ExpandContext, expandEntry } from './expand-entry.ts';
import { entryIssue, type Issue, isError, keyPath } from './issue.ts';
import { type JsonNode, type ParsedText, parseText } from './parse.ts';
import { placeIn } from './resolve.ts';
import { plainValue } from './tree.ts';
import { judgeEntry, judgeKey } from './validate.ts';

export interface EntryDraft {
  readonly key: string;
  readonly text: string;
  /** Keys that would clash. */
  readonly otherKeys: readonly string[];
}

/** All that is wrong with an entry under edit, its key included; `entry` is its value once the text is an object. */
export function validateEntryText(
  { key, text, otherKeys }: EntryDraft,
  context: ExpandContext,
): ReturnType<ConfigStore['validate']> {
  const parsed = parseText(text);
  const keyIssues = [...judgeKey(key), ...clashes(key, otherKeys)].map(
    ({ message }): EntryIssue => ({ severity: 'error', path: keyPath, message }),
  );
  if (parsed.root === undefined) {
    const faults = parsed.faults.map((fault): EntryIssue => ({ severity: 'error', path: '', ...fault }));
    return { issues: [...keyIssues, ...faults] };
  }
  const found = judgeDraft(parsed, parsed.root, context).map((issue) => entryIssue(parsed, issue));
  const issues = [...keyIssues, ...found];
  const value = plainValue(parsed.root);
  return parsed.root.type === 'object' && isRecord(value) ? { issues, entry: value } : { issues };
}

/** Form, variables and secrets. What may be set later does not stop saving. */
export function judgeDraft(parsed: ParsedText, node: JsonNode, context: ExpandContext): readonly Issue[] {
  const { entry, issues } = judgeEntry(parsed, node);
  if (entry === undefined) return issues;
  const expanded = expandEntry(entry, placeIn(node, node.offset), context).issues;
  return [
    ...issues,
    ...expanded.map(
      (issue): Issue =>
        isError(issue) && setLater.has(issue.code) ? { ...issue, severity: 'warning' } : issue,
    ),
  ];
}

const setLater: ReadonlySet<Issue['code']> = new Set(['missing_env_var', 'missing_secret']);

function clashes(key: string, otherKeys: readonly string[]): { readonly message: string }[] {
  return otherKeys.includes(key) ? [{ message: `a server "${key}" exists already` }] : [];
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
