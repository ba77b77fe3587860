import type { ClientDetail, ClientWeight } from '../../../../shared/model/client-detail.ts';
import { worthwhileTools } from '../../../../shared/model/compact.ts';
import { compactWorth, isWorthwhile } from '../../../../shared/model/compact-worth.ts';

/** Whether compact mode pays for a client, in a sentence. */
export interface CompactVerdict {
  readonly pays: boolean;
  readonly sentence: string;
}

type Measured = Pick<ClientDetail, 'toolCap'> & {
  readonly compact: Pick<ClientDetail['compact'], 'tools'>;
};

/** By what was measured of its list. */
export function compactVerdict(
  { toolCap, compact: { tools } }: Measured,
  { whole, short, perTool }: ClientWeight['compact'],
): CompactVerdict {
  const saved = whole - short;
  const worth = compactWorth({ tools, toolCap, saved });
  const pays = isWorthwhile(worth);
  const lookups = Math.floor(saved / Math.max(1, perTool));
  const each = `Each tool that it looks up costs about ${count(perTool)} tokens`;
  const spent = `${each}, so the ${count(saved)} saved are spent after ${lookups === 1 ? 'one' : lookups}.`;
  switch (worth) {
    case 'over-cap':
      return {
        pays,
        sentence: `It helps: ${count(tools)} tools are more than the ${count(toolCap ?? 0)} this client can use, and so it reaches all of them. ${each}.`,
      };
    case 'no-lighter':
      return { pays, sentence: 'It does not pay: its short list is no lighter than the whole one.' };
    case 'costs':
      return {
        pays,
        sentence: `With fewer than about ${worthwhileTools} tools it often costs more than it saves. ${spent}`,
      };
    case 'saves':
      return {
        pays,
        sentence: `It saves ${count(saved)} tokens of every conversation. ${each}, so it pays as long as a conversation looks up no more than ${lookups}.`,
      };
  }
}

function count(tokens: number): string {
  return tokens.toLocaleString('en');
}
