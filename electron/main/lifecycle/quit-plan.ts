import type { QuitPlan } from '../../../shared/model/call.ts';
import type { Engine } from '../../engine/engine.ts';

/** Returns what quitting now would interrupt. */
export function quitPlan(engine: Pick<Engine, 'clients' | 'activeCalls'>): QuitPlan {
  const clients = engine.clients().map(({ id, name, lastActiveAt }) => ({ id, name, lastActiveAt }));
  return { clients, calls: engine.activeCalls() };
}

/** True if quitting would interrupt nothing. */
export function cutsNothing({ clients, calls }: QuitPlan): boolean {
  return clients.length === 0 && calls.length === 0;
}
