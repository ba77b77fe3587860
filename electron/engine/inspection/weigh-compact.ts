import type { ClientWeight } from '../../../shared/model/client/client-detail.ts';
import type { RawItem } from '../catalogue/contract.ts';
import { callTool, describeTool, searchTool } from '../catalogue/view/compact-tools.ts';
import { defaultResults, formatResult } from '../gateway/session/catalogue/compact-calls.ts';
import { estimateTokens, estimateTools } from './token-estimate.ts';

/**
 * Estimates the tokens of the full list, of the compact list, and of each tool that is searched for with the
 * latter.
 */
export function weighCompact(whole: readonly RawItem[], short: readonly RawItem[]): ClientWeight['compact'] {
  const sample = everyNth(whole, sampleSize);
  const lines = sample.map((item) => estimateTokens(lineOf(item)));
  const definitions = sample.map((item) => estimateTokens(JSON.stringify(item)));
  const asked = sum(callOverhead(String(sample[0]?.name)).map(estimateTokens));
  const found = mean(lines) * Math.min(defaultResults, whole.length);
  return {
    whole: sum(estimateTools(whole)),
    short: sum(estimateTools(short)),
    perTool: whole.length === 0 ? 0 : Math.round(asked + found + mean(definitions)),
  };
}

/** Number of tools sampled from a large list. */
const sampleSize = 40;

function everyNth<T>(all: readonly T[], count: number): readonly T[] {
  const step = Math.max(1, Math.ceil(all.length / count));
  return all.filter((_, index) => index % step === 0);
}

function lineOf({ name, description }: RawItem): string {
  const text = typeof description === 'string' ? description : undefined;
  return formatResult({ description: text, risk: 'unstated' }, String(name));
}

/** Returns what the model writes to search, to get a tool described, and around a call. */
function callOverhead(name: string): readonly string[] {
  return [
    JSON.stringify({ name: searchTool.name, arguments: { query: 'create an issue in a repository' } }),
    JSON.stringify({ name: describeTool.name, arguments: { name } }),
    JSON.stringify({ name: callTool.name, arguments: { name } }),
  ];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}

function mean(numbers: readonly number[]): number {
  return numbers.length === 0 ? 0 : sum(numbers) / numbers.length;
}
