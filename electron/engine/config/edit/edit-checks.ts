import { ProblemError, problem } from '../../../../shared/error/problem.ts';
import { type ParsedText, parseText } from '../jsonc/parse.ts';
import type { ValidText } from '../store/read-config.ts';
import { entryProblem, type Issue, isError, isNonEmpty, keyStep } from '../validate/issue.ts';
import { type ValidatedServer, validateEntry, validateKey } from '../validate/validate.ts';

/* Checks before an edit changes the text; each throws ProblemError. */

/** Returns a server that occurs exactly once: with two equal keys, the intended one is unknown. */
export function requireServer(good: ValidText, key: string): ValidatedServer {
  const server = good.servers.find((candidate) => candidate.key === key);
  if (server === undefined) {
    const fix = 'Check the server list; the server may have been renamed or removed.';
    throw new ProblemError(problem('config.unknown_server', `There is no server "${key}".`, fix));
  }
  const duplicates = server.issues.filter(
    ({ code, path }) => code === 'duplicate_key' && path[0] === keyStep,
  );
  throwErrors(good.parsed, key, duplicates);
  return server;
}

/** Returns a server whose fields are unique too, as changes to a field require. */
export function requireUnambiguousServer(good: ValidText, key: string): ValidatedServer {
  const server = requireServer(good, key);
  const duplicates = server.issues.filter(({ code }) => code === 'duplicate_key');
  throwErrors(good.parsed, key, duplicates);
  return server;
}

export function requireFreeKey(key: string, taken: ReadonlySet<string>): void {
  throwErrors(parseText(JSON.stringify(key)), JSON.stringify(key), validateKey(key));
  if (!taken.has(key)) return;
  const fix = 'Choose another name, or change the existing server.';
  throw new ProblemError(problem('config.duplicate_key', `A server "${key}" already exists.`, fix));
}

/** `text` is the entry alone, so positions are relative to that text. */
export function requireValidEntry(key: string, text: string): void {
  const parsed = parseText(text);
  const [fault] = parsed.faults;
  if (fault !== undefined || parsed.root === undefined) {
    const { line, column, message } = fault ?? { line: 1, column: 1, message: 'this is not valid JSON' };
    const sentence = `${key}: the text is not valid JSON: ${message} (line ${line}, column ${column}).`;
    throw new ProblemError(problem('config.invalid_json', sentence, 'Fix the text.', { line, column }));
  }
  throwErrors(parsed, key, validateEntry(parsed, parsed.root).issues);
}

export function throwErrors(parsed: ParsedText, key: string, issues: readonly Issue[]): void {
  const errors = issues.filter(isError);
  if (isNonEmpty(errors)) throw new ProblemError(entryProblem(parsed, key, errors));
}
