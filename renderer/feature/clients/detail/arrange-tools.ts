import type { ClientTool } from '../../../../shared/model/client-detail.ts';
import { matchesWords } from '../../../lib/match-words.ts';

export type ToolFilter = 'all' | 'unused';

/** Returns the matching tools, heaviest first once weights are known, otherwise in list order. */
export function arrangeTools(
  tools: readonly ClientTool[],
  byName: Readonly<Record<string, number>> | undefined,
  filter: ToolFilter,
  words: readonly string[],
): readonly ClientTool[] {
  const matching = tools.filter(
    ({ wireName, name, calls, serverKey }) =>
      (filter === 'all' || (calls === 0 && serverKey !== undefined)) &&
      matchesWords(`${wireName} ${name}`.toLowerCase(), words),
  );
  if (byName === undefined) return matching;
  const weight = ({ wireName }: ClientTool) => byName[wireName] ?? 0;
  return matching.toSorted((a, b) => weight(b) - weight(a));
}
