import type { ToolDifference } from '../../shared/model/server-update.ts';
import { formatCount } from './format-amount.ts';

/** The difference in words: `2 tools added, 1 changed`; that there is none, too. */
export function differenceText({ added, removed, changed }: ToolDifference): string {
  const parts = [
    { count: added.length, verb: 'added' },
    { count: removed.length, verb: 'removed' },
    { count: changed.length, verb: 'changed' },
  ].filter(({ count }) => count > 0);
  if (parts.length === 0) return 'its tools stay the same';
  return parts
    .map(({ count, verb }, index) => `${index === 0 ? formatCount(count, 'tool') : count} ${verb}`)
    .join(', ');
}
