import type { AttentionInput } from '../attention/matter.ts';
import type { IsOpen } from './told-book.ts';

/**
 * Returns whether a missing item may still be open. A starting server may fail again, its tools are known
 * once it is connected, and configs are checked after the start.
 */
export function openItems({ servers, connect }: AttentionInput): IsOpen {
  const open = new Set<string>();
  for (const { key, status, heldTools } of servers) {
    if (status === 'connecting') open.add(`server:${key}`);
    const offers = status === 'connected' || status === 'degraded' || status === 'disabled';
    if (!offers && heldTools === undefined) open.add(`held:${key}`);
  }
  return (id) => open.has(id) || (connect.length === 0 && id.startsWith('wiped:'));
}
