import { worthwhileTools } from './compact.ts';

/**
 * What compact mode is worth to a client. `over-cap`: its whole list is more than it can use, and a short one spares it that,
 * whatever it costs. `saves`: the list is long enough that looking tools up costs less. `costs`: what is looked up often
 * costs more than is saved. `no-lighter`: measured, the short list is no lighter than the whole one.
 */
export type CompactWorth = 'over-cap' | 'saves' | 'costs' | 'no-lighter';

export interface CompactCase {
  /** Of its whole list. */
  readonly tools: number;
  /** Tools beyond this number are trouble for it. */
  readonly toolCap?: number | undefined;
  /** Tokens by which the short list is lighter, where that has been counted. */
  readonly saved?: number;
}

/** The one place that decides it: the advice to switch it on and the verdict beside the switch say the same. */
export function compactWorth({ tools, toolCap, saved = 1 }: CompactCase): CompactWorth {
  if (toolCap !== undefined && tools > toolCap) return 'over-cap';
  if (saved <= 0) return 'no-lighter';
  return tools < worthwhileTools ? 'costs' : 'saves';
}

export function isWorthwhile(worth: CompactWorth): boolean {
  return worth === 'over-cap' || worth === 'saves';
}
