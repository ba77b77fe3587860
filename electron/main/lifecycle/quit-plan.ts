import type { QuitPlan } from '../../../shared/model/call.ts';
import type { Hub } from '../../engine/engine.ts';

/** Lists what quitting now would interrupt. */
export function quitPlan(hub: Pick<Hub, 'clients' | 'activeCalls'> | undefined): QuitPlan {
  if (hub === undefined) return { clients: [], calls: [] };
  const clients = hub.clients().map(({ id, name, lastActiveAt }) => ({ id, name, lastActiveAt }));
  return { clients, calls: hub.activeCalls() };
}

/** True if quitting would interrupt nothing. */
export function interruptsNothing({ clients, calls }: QuitPlan): boolean {
  return clients.length === 0 && calls.length === 0;
}
