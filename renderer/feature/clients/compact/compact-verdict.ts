import type { ClientDetail, ClientWeight } from '../../../../shared/model/client/client-detail.ts';
import { minWorthwhileTools } from '../../../../shared/model/client/compact.ts';
import { compactWorth, isWorthwhile } from '../../../../shared/model/client/compact-worth.ts';

/** Verdict on whether compact mode pays off for a client, and why. */
export interface CompactVerdict {
  readonly pays: boolean;
  readonly sentence: string;
}

type Measured = Pick<ClientDetail, 'toolCap'> & {
  readonly compact: Pick<ClientDetail['compact'], 'tools'>;
};

/** Decides by the estimated sizes of the client's list. */
export function compactVerdict(
  { toolCap, compact: { tools } }: Measured,
  { whole, short, perTool }: ClientWeight['compact'],
): CompactVerdict {
  const saved = whole - short;
  const worth = compactWorth({ tools, toolCap, saved });
  const pays = isWorthwhile(worth);
  const lookups = Math.floor(saved / Math.max(1, perTool));
  const each = `Each tool lookup costs about ${rounded(perTool)} tokens.`;
  switch (worth) {
    case 'over-cap':
      return {
        pays,
        sentence: `Recommended: ${count(tools)} tools are more than the ${count(toolCap ?? 0)} this client can use. In compact mode all of them work. ${each}`,
      };
    case 'no-lighter':
      return { pays, sentence: 'Not worth it: the short list is no smaller than the full one.' };
    case 'costs':
      return {
        pays,
        sentence: `Rarely worth it below about ${minWorthwhileTools} tools. Saves about ${rounded(saved)} tokens per conversation, used up after ${lookups === 1 ? 'one lookup' : `${lookups} lookups`}. ${each}`,
      };
    case 'saves':
      return {
        pays,
        sentence: `Saves about ${rounded(saved)} tokens per conversation. ${each}`,
      };
  }
}

/** Rounds to two significant digits. */
export function rounded(tokens: number): string {
  return count(Number(tokens.toPrecision(2)));
}

function count(tokens: number): string {
  return tokens.toLocaleString('en');
}
