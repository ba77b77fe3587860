import type { ClientWeight } from '../../../../shared/model/client-detail.ts';
import { worthwhileTools } from '../../../../shared/model/compact.ts';

/** Whether compact mode pays for a client, in a sentence. */
export interface CompactVerdict {
  readonly pays: boolean;
  readonly sentence: string;
}

/** Of a list of so many tools, by what was measured of it. */
export function compactVerdict(tools: number, weight: ClientWeight['compact']): CompactVerdict {
  const { whole, short, perTool } = weight;
  const saved = whole - short;
  if (saved <= 0)
    return { pays: false, sentence: 'It does not pay: its short list is no lighter than the whole one.' };
  const lookups = Math.floor(saved / Math.max(1, perTool));
  const each = `Each tool that it looks up costs about ${count(perTool)}`;
  if (tools < worthwhileTools)
    return {
      pays: false,
      sentence: `With fewer than about ${worthwhileTools} tools it often costs more than it saves. ${each}, so the ${count(saved)} saved are spent after ${lookups === 1 ? 'one' : lookups}.`,
    };
  return {
    pays: true,
    sentence: `It saves ${count(saved)} tokens of every conversation. ${each}, so it pays as long as a conversation looks up no more than ${lookups}.`,
  };
}

function count(tokens: number): string {
  return tokens.toLocaleString('en');
}
