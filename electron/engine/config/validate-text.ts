import { isRecord } from '../../../shared/json.ts';
import type { EntryIssue } from '../../../shared/model/import.ts';
import type { ConfigStore } from './contract.ts';
import { type ExpandContext, expandEntry } from './expand-entry.ts';
import { entryIssue, type Issue, isError, keyStep } from './issue.ts';
import { type JsonNode, type ParsedText, parseText, positionAt } from './parse.ts';
import { type PlainSecret, plainSecretsIn } from './plain-secrets.ts';
import { offsetOf } from './resolve.ts';
import { plainValue } from './tree.ts';
import { validateEntry, validateKey } from './validate.ts';

export interface EntryDraft {
  readonly key: string;
  readonly text: string;
  /** Keys that are already used. */
  readonly otherKeys: readonly string[];
}

/**
 * Returns all problems of an edited entry, including its key; `entry` is its value if the text is an object.
 */
export function validateEntryText(
  { key, text, otherKeys }: EntryDraft,
  context: ExpandContext,
): ReturnType<ConfigStore['validate']> {
  const parsed = parseText(text);
  const keyIssues = [...validateKey(key), ...keyClashes(key, otherKeys)].map(
    ({ message }): EntryIssue => ({ severity: 'error', path: keyStep, message }),
  );
  if (parsed.root === undefined) {
    const faults = parsed.faults.map((fault): EntryIssue => ({ severity: 'error', path: '', ...fault }));
    return { issues: [...keyIssues, ...faults] };
  }
  const found = validateDraft(parsed, parsed.root, context).map((issue) => entryIssue(parsed, issue));
  const issues = [...keyIssues, ...found];
  const value = plainValue(parsed.root);
  if (parsed.root.type !== 'object' || !isRecord(value)) return { issues };
  const secrets = context.secrets === undefined ? [] : plainSecretsIn(value, key);
  const place = offsetOf(parsed.root, parsed.root.offset);
  const offered = secrets.map((secret) => plainSecretIssue(parsed, secret, place(secret.path)));
  return { issues: [...issues, ...offered], entry: value };
}

/** With a vault, a secret need not be in the file. */
function plainSecretIssue(parsed: ParsedText, secret: PlainSecret, offset: number): EntryIssue {
  const message = 'this looks like a secret in plain text';
  return {
    severity: 'warning',
    path: secret.path.join('.'),
    message,
    ...positionAt(parsed.body, offset),
    secret,
  };
}

/** Checks form, variables and secrets. Values that can be set later do not prevent saving. */
export function validateDraft(parsed: ParsedText, node: JsonNode, context: ExpandContext): readonly Issue[] {
  const { entry, issues } = validateEntry(parsed, node);
  if (entry === undefined) return issues;
  const expanded = expandEntry(entry, offsetOf(node, node.offset), context).issues;
  return [
    ...issues,
    ...expanded.map(
      (issue): Issue =>
        isError(issue) && resolvableLater.has(issue.code) ? { ...issue, severity: 'warning' } : issue,
    ),
  ];
}

const resolvableLater: ReadonlySet<Issue['code']> = new Set(['missing_env_var', 'missing_secret']);

function keyClashes(key: string, otherKeys: readonly string[]): { readonly message: string }[] {
  return otherKeys.includes(key) ? [{ message: `a server "${key}" already exists` }] : [];
}
