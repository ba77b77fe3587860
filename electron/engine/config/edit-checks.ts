import { ProblemError, problem } from '../../../shared/error/problem.ts';
import { entryProblem, type Issue, isError, isSome, keyPath } from './issue.ts';
import { type ParsedText, parseText } from './parse.ts';
import type { GoodText } from './reading.ts';
import { type JudgedServer, judgeEntry, judgeKey } from './validate.ts';

/* Checks before an edit changes the text; each throws ProblemError. */

/** Returns a server that occurs exactly once: with two equal keys, the intended one is unknown. */
export function requireServer(good: GoodText, key: string): JudgedServer {
  const server = good.servers.find((candidate) => candidate.key === key);
  if (server === undefined) {
    const fix = 'Check the server list; the server may have been renamed or removed.';
    throw new ProblemError(problem('config.unknown_server', `There is no server "${key}".`, fix));
  }
  const twins = server.issues.filter(({ code, path }) => code === 'duplicate_key' && path[0] === keyPath);
  refuseErrors(good.parsed, key, twins);
  return server;
}

/** Returns a server whose fields are unique too, as changes to a field require. */
export function requireClearServer(good: GoodText, key: string): JudgedServer {
  const server = requireServer(good, key);
  const duplicates = server.issues.filter(({ code }) => code === 'duplicate_key');
  refuseErrors(good.parsed, key, duplicates);
  return server;
}

export function requireFreeKey(key: string, taken: ReadonlySet<string>): void {
  refuseErrors(parseText(JSON.stringify(key)), JSON.stringify(key), judgeKey(key));
  if (!taken.has(key)) return;
  const fix = 'Choose another name, or change the existing server.';
  throw new ProblemError(problem('config.duplicate_key', `A server "${key}" already exists.`, fix));
}

/** `text` is the entry alone, so positions are relative to that text. */
export function requireGoodEntry(key: string, text: string): void {
  const parsed = parseText(text);
  const [fault] = parsed.faults;
  if (fault !== undefined || parsed.root === undefined) {
    const { line, column, message } = fault ?? { line: 1, column: 1, message: 'this is not valid JSON' };
    const sentence = `${key}: the text is not valid JSON: ${message} (line ${line}, column ${column}).`;
    throw new ProblemError(problem('config.invalid_json', sentence, 'Correct the text.', { line, column }));
  }
  refuseErrors(parsed, key, judgeEntry(parsed, parsed.root).issues);
}

export function refuseErrors(parsed: ParsedText, key: string, issues: readonly Issue[]): void {
  const errors = issues.filter(isError);
  if (isSome(errors)) throw new ProblemError(entryProblem(parsed, key, errors));
}
