/** Most used tools that may stand in a list beside the search. */
export const mostDirect = 50;

/** How a list is kept short: what stands in it beside the tools that search, describe and call all others. */
export interface CompactSettings {
  /** How many of the tools that the client has used most. */
  readonly direct: number;
  /** Tools that always do, as `server:tool`. */
  readonly pinned: readonly string[];
}

export const plainCompact: CompactSettings = { direct: 0, pinned: [] };

/** Who says that a client has compact mode: its own entry or address, the user, or its profile. */
export const compactSources = ['entry', 'client', 'profile'] as const;
export type CompactSource = (typeof compactSources)[number];

/** Below about so many tools it often costs more than it saves: what is searched for is read as well. */
export const worthwhileTools = 100;
