import { printJson } from '../../../shared/json.ts';

/**
 * Session-based protocol versions supported with servers, newest first: all that the official SDK accepts.
 */
export const protocolVersions: readonly [string, ...string[]] = [
  '2025-11-25',
  '2025-06-18',
  '2025-03-26',
  '2024-11-05',
  '2024-10-07',
];

/** Version of a server that names none, like that of a request without the header in the protocol. */
export const assumedVersion = '2025-03-26';

/**
 * Extracts the versions named in a refusal of any shape: in its text, in `data.supported`, `data.versions` or
 * deeper. Those in `asked` do not count, since most servers repeat what they refused.
 */
export function listedRevisions(refusal: unknown, asked: ReadonlySet<string>): readonly string[] {
  const text = (printJson(refusal) ?? '').slice(0, longestRefusal);
  return [...new Set(text.match(revisions))].filter((revision) => !asked.has(revision));
}

/** Returns the version to try after the server refused `asked`; undefined if none is left that may help. */
export function nextRevision(listed: readonly string[], asked: ReadonlySet<string>): string | undefined {
  const left = protocolVersions.filter((version) => !asked.has(version));
  return listed.length === 0 ? left[0] : left.find((version) => listed.includes(version));
}

/**
 * Returns the version to try with a program that quit before it answered `asked`: one that its output names,
 * else the first one that was widely supported. Undefined if the output is not about versions.
 */
export function revisionAfterExit(lastWords: readonly string[], asked: string): string | undefined {
  const text = lastWords.join('\n').slice(-longestRefusal);
  if (!text.includes(asked) && !/protocol.{0,2}version/i.test(text)) return undefined;
  const listed = listedRevisions(text, new Set([asked]));
  const next = listed.length === 0 ? firstCommonVersion : nextRevision(listed, new Set([asked]));
  return next === asked ? undefined : next;
}

const firstCommonVersion = '2024-11-05';

/** A date, but not part of a longer number or of a timestamp. */
const revisions = /(?<![\d-])20\d\d-[01]\d-[0-3]\d(?![\dT])/g;
const longestRefusal = 65_536;
