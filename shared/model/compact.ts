/** Maximum number of frequently used tools listed beside the search tools. */
export const maxDirectTools = 50;

/** Settings of a compact list, which holds tools to search, describe and call all others, plus these. */
export interface CompactSettings {
  /** Number of the client's most used tools to list. */
  readonly direct: number;
  /** Tools to always list, as `server:tool`. */
  readonly pinned: readonly string[];
}

export const defaultCompactSettings: CompactSettings = { direct: 0, pinned: [] };

/** Sources of the compact mode setting: the client's own entry or address, the user, or its profile. */
export const compactSources = ['entry', 'client', 'profile'] as const;
export type CompactSource = (typeof compactSources)[number];

/**
 * With fewer tools than about this, compact mode often costs more than it saves: search results are read too.
 */
export const minWorthwhileTools = 100;
