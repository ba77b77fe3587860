import { printJson } from '../../../../../shared/json.ts';
import { protocolVersions } from '../../../../../shared/model/mcp.ts';

/** Version of a server that names none, like that of a request without the header in the protocol. */
export const defaultVersion = '2025-03-26';

/**
 * Extracts the versions named in a refusal of any shape: in its text, in `data.supported`, `data.versions` or
 * deeper. Those in `asked` do not count, since most servers repeat what they refused.
 */
export function listedVersions(refusal: unknown, asked: ReadonlySet<string>): readonly string[] {
  const text = (printJson(refusal) ?? '').slice(0, maxRefusalLength);
  return [...new Set(text.match(versionPattern))].filter((revision) => !asked.has(revision));
}

/** Returns the version to try after the server refused `asked`; undefined if none is left that may help. */
export function nextVersion(listed: readonly string[], asked: ReadonlySet<string>): string | undefined {
  const remaining = protocolVersions.filter((version) => !asked.has(version));
  return listed.length === 0 ? remaining[0] : remaining.find((version) => listed.includes(version));
}

/**
 * Returns the version to try with a program that quit before it answered `asked`: one that its output names,
 * else the first one that was widely supported. Undefined if the output is not about versions.
 */
export function versionAfterExit(lastOutput: readonly string[], asked: string): string | undefined {
  const text = lastOutput.join('\n').slice(-maxRefusalLength);
  if (!text.includes(asked) && !/protocol.{0,2}version/i.test(text)) return undefined;
  const listed = listedVersions(text, new Set([asked]));
  const next = listed.length === 0 ? firstCommonVersion : nextVersion(listed, new Set([asked]));
  return next === asked ? undefined : next;
}

const firstCommonVersion = '2024-11-05';

/** A date, but not part of a longer number or of a timestamp. */
const versionPattern = /(?<![\d-])20\d\d-[01]\d-[0-3]\d(?![\dT])/g;
const maxRefusalLength = 65_536;
