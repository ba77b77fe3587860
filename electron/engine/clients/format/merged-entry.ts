import { isRecord } from '../../../../shared/json.ts';

/** Returns `next` with the members that only the present entry, or a group such as `env` in it, has. */
export function mergedEntry(present: unknown, next: unknown): unknown {
  if (!isRecord(present) || !isRecord(next)) return next;
  const changed = Object.entries(next).map(([name, value]) => [name, mergedEntry(present[name], value)]);
  return { ...present, ...Object.fromEntries(changed) };
}
