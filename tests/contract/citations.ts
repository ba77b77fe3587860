/** The ids that a test file cites: `[FR-001]` or `[FR-001, US1.2]` anywhere in it, which in practice is a title. */
export function citedIds(source: string): readonly string[] {
  return [...source.matchAll(citation)].flatMap(([, ids = '']) => ids.split(/,\s*/));
}

const id = '(?:FR|US|EDGE|SC|CLI|ERR|AG|NFR|REQ|API|EVT|PB)[A-Z0-9.-]*[A-Z0-9]';
const citation = new RegExp(String.raw`\[(${id}(?:,\s*${id})*)\]`, 'g');

export interface Verdict {
  /** Cited, but no promise of ours: a slip of the pen. */
  readonly unknown: readonly string[];
  /** Proven once and no longer: a test was lost. */
  readonly lost: readonly string[];
  /** Promised and not proven yet. */
  readonly uncited: readonly string[];
}

/** Compares what tests cite now with what is promised and with what was cited before. */
export function judge(
  cited: readonly string[],
  promised: readonly string[],
  before: readonly string[],
): Verdict {
  const now = new Set(cited);
  return {
    unknown: [...now].filter((name) => !promised.includes(name)).sort(),
    lost: before.filter((name) => !now.has(name)),
    uncited: promised.filter((name) => !now.has(name)),
  };
}
