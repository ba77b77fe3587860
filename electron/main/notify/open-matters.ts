import type { MatterInput } from '../attention/matter.ts';
import type { IsOpen } from './told-book.ts';

/**
 * Of matters that are not there: those of which it is not known yet whether they are over. A server that starts may fail
 * again, what it offers is known once it is connected, and configs are looked at after the start.
 */
export function openMatters({ servers, connect }: MatterInput): IsOpen {
  const open = new Set<string>();
  for (const { key, status, heldTools } of servers) {
    if (status === 'connecting') open.add(`server:${key}`);
    const offers = status === 'connected' || status === 'degraded' || status === 'disabled';
    if (!offers && heldTools === undefined) open.add(`held:${key}`);
  }
  return (id) => open.has(id) || (connect.length === 0 && id.startsWith('wiped:'));
}
