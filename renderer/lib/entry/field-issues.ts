import type { EntryIssue } from '../../../shared/model/import/import.ts';

/** Path of issues about the key itself, which is outside the entry. */
export const keyField = '(key)';

/**
 * Returns the issues of a form field: of the field itself, or of something inside it such as `env.TOKEN` or
 * `args[0]`.
 */
export function issuesOf(issues: readonly EntryIssue[], field: string): readonly EntryIssue[] {
  return issues.filter(
    ({ path }) => path === field || path.startsWith(`${field}.`) || path.startsWith(`${field}[`),
  );
}

/** Returns the issues that belong to none of the fields, to be shown separately. */
export function otherIssues(issues: readonly EntryIssue[], fields: readonly string[]): readonly EntryIssue[] {
  const placed = new Set(fields.flatMap((field) => issuesOf(issues, field)));
  return issues.filter((issue) => !placed.has(issue));
}

/** Returns the error messages to show below a field; undefined if there are none. */
export function errorText(issues: readonly EntryIssue[]): string | undefined {
  const errors = issues.filter((issue) => issue.severity === 'error');
  return errors.length === 0 ? undefined : errors.map((issue) => issue.message).join(' ');
}
