import type { QuarantinedTool } from '../../shared/model/guard.ts';

/** The chosen quarantined definitions, or the words that match none. */
export type QuarantineChoice =
  | { readonly ok: true; readonly tools: readonly QuarantinedTool[] }
  | { readonly ok: false; readonly unknown: readonly string[] };

/**
 * Selects quarantined tools of a server: without words all that need review, otherwise by name, or by
 * `NAME@DIGEST` for one exact definition. Tools with a decision are only included when named.
 */
export function chooseQuarantined(
  quarantined: readonly QuarantinedTool[],
  words: readonly string[],
): QuarantineChoice {
  if (words.length === 0) return { ok: true, tools: quarantined.filter(({ blocked }) => !blocked) };
  const found = words.map((word) => ({ word, tools: quarantined.filter((tool) => matchesWord(tool, word)) }));
  const unknown = found.filter(({ tools }) => tools.length === 0).map(({ word }) => word);
  if (unknown.length > 0) return { ok: false, unknown };
  return { ok: true, tools: [...new Set(found.flatMap(({ tools }) => tools))] };
}

/** Formats a tool as the list prints it. */
export function toolReference({ name, digest }: Pick<QuarantinedTool, 'name' | 'digest'>): string {
  return `${name}@${digest.slice(0, digestLength)}`;
}

function matchesWord(tool: QuarantinedTool, word: string): boolean {
  if (tool.name === word) return true;
  const at = word.lastIndexOf('@');
  const digest = word.slice(at + 1);
  return (
    at > 0 &&
    digest.length >= digestLength &&
    tool.name === word.slice(0, at) &&
    tool.digest.startsWith(digest)
  );
}

/** Tells a few definitions of one name apart. Authors of a definition cannot choose its digest. */
const digestLength = 16;
