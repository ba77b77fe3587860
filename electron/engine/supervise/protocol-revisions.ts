import { printJson } from '../../../shared/json.ts';

/** Session-based protocol revisions spoken with servers, newest first: all that the official SDK takes. */
export const protocolVersions: readonly [string, ...string[]] = [
  '2025-11-25',
  '2025-06-18',
  '2025-03-26',
  '2024-11-05',
  '2024-10-07',
];

/** Stands for the revision of a server that names none, as a request without the header does in the protocol. */
export const assumedVersion = '2025-03-26';

/**
 * The revisions that a refusal names in whatever shape: in its text, in `data.supported`, `data.versions` or deeper. Those
 * in `asked` do not count, since most servers repeat what they refused.
 */
export function listedRevisions(refusal: unknown, asked: ReadonlySet<string>): readonly string[] {
  const text = (printJson(refusal) ?? '').slice(0, longestRefusal);
  return [...new Set(text.match(revisions))].filter((revision) => !asked.has(revision));
}

/** The revision to ask for after the server has refused `asked`; undefined where none is left that may help. */
export function nextRevision(listed: readonly string[], asked: ReadonlySet<string>): string | undefined {
  const left = protocolVersions.filter((version) => !asked.has(version));
  return listed.length === 0 ? left[0] : left.find((version) => listed.includes(version));
}

/**
 * The revision to ask a program for that ended before it answered `asked`: one that its last words name, otherwise the
 * first that most servers know. Undefined where they do not speak of a revision.
 */
export function revisionAfterExit(lastWords: readonly string[], asked: string): string | undefined {
  const text = lastWords.join('\n').slice(-longestRefusal);
  if (!text.includes(asked) && !/protocol.{0,2}version/i.test(text)) return undefined;
  const listed = listedRevisions(text, new Set([asked]));
  const next = listed.length === 0 ? firstCommonVersion : nextRevision(listed, new Set([asked]));
  return next === asked ? undefined : next;
}

const firstCommonVersion = '2024-11-05';

/** A day, and no longer number or point in time. */
const revisions = /(?<![\d-])20\d\d-[01]\d-[0-3]\d(?![\dT])/g;
const longestRefusal = 65_536;
