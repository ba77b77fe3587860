import type { Clock } from '../base/clock.ts';
import { canonicalId } from '../catalogue/wire-name.ts';
import { dayOf } from './tool-use.ts';
import { type ToolUse, type ToolUses, usageDays } from './tool-uses.ts';

/**
 * Returns what a client called most in the weeks before today, as `server:tool`. Today is left out, so that a
 * hub that restarts gives its clients the same list. Empty if there is no database or it is slow.
 */
export async function mostUsed(uses: ToolUses, clock: Clock, client: string): Promise<readonly string[]> {
  const today = dayOf(clock.now());
  const known = await uses.since(today - usageDays + 1).catch(() => []);
  return rankUses(
    known.filter(({ day }) => day < today),
    client,
  );
}

/** Sorts by use, most used first and then by name; as `server:tool`. */
export function rankUses(uses: readonly ToolUse[], client: string): readonly string[] {
  const sums = new Map<string, number>();
  for (const { serverKey, name, calls, ...use } of uses) {
    if (use.client !== client) continue;
    const id = canonicalId(serverKey, name);
    sums.set(id, (sums.get(id) ?? 0) + calls);
  }
  return [...sums].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).map(([id]) => id);
}
