import { estimateTokenCount } from 'tokenx';
import type { RawItem } from '../catalogue/contract.ts';

/** Estimates the tokens that each tool takes in a model's context. */
export function estimateTools(tools: readonly RawItem[]): readonly number[] {
  return tools.map((tool) => {
    const estimate = known.get(tool) ?? estimateTokens(toldText(tool));
    known.set(tool, estimate);
    return estimate;
  });
}

export function estimateTokens(text: string): number {
  return estimateTokenCount(text, { defaultCharsPerToken });
}

/** Kept as long as the definitions: estimating 10,000 of them takes 0.2 s. */
const known = new WeakMap<RawItem, number>();

/** Fits definitions, which are JSON with names of several words; the default fits prose (see ADR 0027). */
const defaultCharsPerToken = 10;

/** Returns the part that clients pass to their model; they keep annotations and the like for themselves. */
function toldText({ name, description, inputSchema }: RawItem): string {
  return JSON.stringify({ name, description, input_schema: inputSchema });
}
