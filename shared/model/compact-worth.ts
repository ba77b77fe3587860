import { minWorthwhileTools } from './compact.ts';

/**
 * Says whether compact mode is worthwhile. `over-cap`: the full list is more than the client can use, so a
 * compact one helps whatever it costs. `saves`: the list is long enough that lookups cost less. `costs`:
 * frequent lookups cost more than is saved. `no-lighter`: the compact list was measured and is not smaller
 * than the full one.
 */
export type CompactWorth = 'over-cap' | 'saves' | 'costs' | 'no-lighter';

export interface CompactCase {
  /** Tools in the full list. */
  readonly tools: number;
  /** The client has problems with more tools than this. */
  readonly toolCap?: number | undefined;
  /** Tokens saved by the compact list, if estimated. */
  readonly saved?: number;
}

/** The only place that decides this, so that the advice and the verdict beside the switch agree. */
export function compactWorth({ tools, toolCap, saved = 1 }: CompactCase): CompactWorth {
  if (toolCap !== undefined && tools > toolCap) return 'over-cap';
  if (saved <= 0) return 'no-lighter';
  return tools < minWorthwhileTools ? 'costs' : 'saves';
}

export function isWorthwhile(worth: CompactWorth): boolean {
  return worth === 'over-cap' || worth === 'saves';
}
