import type { ConfigIssue } from '../../../../shared/error/config-error.ts';
import { type Problem, type ProblemCode, problem } from '../../../../shared/error/problem.ts';
import type { EntryIssue } from '../../../../shared/model/import/import.ts';
import { type ParsedText, positionAt } from '../jsonc/parse.ts';
import type { Path } from '../jsonc/tree.ts';

/** One problem of an entry, before it is formatted. Never contains a value of `env` or `headers`. */
export interface Issue {
  readonly severity: 'error' | 'warning';
  readonly code: 'invalid_schema' | 'duplicate_key' | 'missing_env_var' | 'missing_secret';
  /** Relative to the entry. */
  readonly path: Path;
  readonly message: string;
  /** Offset in the body it was read from. */
  readonly offset: number;
  /** The name of the variable or secret, for `missing_env_var` and `missing_secret`. */
  readonly variable?: string | undefined;
}

/** Stands for the server's own key in a path. */
export const keyStep = '(key)';

/** Formats an issue for the window: relative to the entry, with its position in the entry's text. */
export function entryIssue(parsed: ParsedText, issue: Issue): EntryIssue {
  const { severity, path, message, offset } = issue;
  return { severity, path: path.join('.'), message, ...positionAt(parsed.body, offset) };
}

/** Formats an issue for the aggregator: with its path in the file, and a message that stands alone. */
export function configIssue(parsed: ParsedText, prefix: Path, issue: Issue): ConfigIssue {
  const { line, column } = positionAt(parsed.body, issue.offset);
  const path = [...prefix, ...issue.path.filter((step) => step !== keyStep)].join('.');
  return {
    code: configCodes[issue.code],
    path,
    message: `${issue.message} (${path === '' ? '' : `${path}, `}line ${line}, column ${column})`,
    line,
    column,
    variable: issue.variable,
  };
}

/** The aggregator has fewer codes; it has no vault, so no secret can be missing. */
const configCodes = {
  invalid_schema: 'invalid_schema',
  duplicate_key: 'invalid_schema',
  missing_env_var: 'missing_env_var',
  missing_secret: 'missing_env_var',
} as const satisfies Readonly<Record<Issue['code'], ConfigIssue['code']>>;

/** Formats all issues of an entry as one problem that names the entry. */
export function entryProblem(parsed: ParsedText, key: string, issues: readonly [Issue, ...Issue[]]): Problem {
  const found = issuesProblem(parsed, issues);
  return { ...found, sentence: `${key}: ${found.sentence}` };
}

/**
 * Formats issues where the server is already named. The sentence contains no position, so that moved text
 * does not change it.
 */
export function issuesProblem(parsed: ParsedText, issues: readonly [Issue, ...Issue[]]): Problem {
  const code: ProblemCode = `config.${issues[0].code}`;
  const places = issues.map(({ path, offset }) => {
    const { line, column } = positionAt(parsed.body, offset);
    return [path.length === 0 ? 'place' : path.join('.'), `line ${line}, column ${column}`] as const;
  });
  const fix = [...new Set(issues.map((issue) => fixes[issue.code]))].join(' ');
  return problem(code, sentenceOf(issues), fix, {
    ...missingNames(issues),
    ...Object.fromEntries(places),
  });
}

/** Unset variables are listed by name only: the evidence has their positions. */
function sentenceOf(issues: readonly Issue[]): string {
  const unset = issues.flatMap(({ code, variable = '' }) =>
    code === 'missing_env_var' && /^\w+$/.test(variable) ? [variable] : [],
  );
  if (unset.length === issues.length) {
    const names = [...new Set(unset)];
    const last = names.at(-1) ?? '';
    return names.length === 1
      ? `The variable ${last} is not set.`
      : `The variables ${names.slice(0, -1).join(', ')} and ${last} are not set.`;
  }
  const messages = issues.map(({ path, message }) =>
    path.length === 0 ? message : `${path.join('.')}: ${message}`,
  );
  return `${messages.join('; ')}.`;
}

/** Names the secret to store, so that the fix can be offered beside the problem. */
function missingNames(issues: readonly Issue[]): { readonly secret?: string } {
  const missing = issues.find(({ code }) => code === 'missing_secret')?.variable;
  return missing === undefined ? {} : { secret: missing };
}

export function isError(issue: Issue): boolean {
  return issue.severity === 'error';
}

/** Narrows a list to one that has a first element. */
export function isNonEmpty<T>(list: readonly T[]): list is readonly [T, ...T[]] {
  return list.length > 0;
}

const fixes: Readonly<Record<Issue['code'], string>> = {
  invalid_schema: 'Fix the named fields of this server.',
  duplicate_key: 'Open the config file and give each server and field a unique name.',
  missing_env_var:
    'Enter the value, set the variable where Patchbay starts, or give the reference a default after ":-".',
  missing_secret: 'Enter the value of the secret.',
};
