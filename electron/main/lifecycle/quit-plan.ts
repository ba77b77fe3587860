import type { QuitPlan } from '../../../shared/model/call.ts';
import type { Engine } from '../../engine/engine.ts';

/** What a quit would cut now. */
export function quitPlan(engine: Pick<Engine, 'clients' | 'activeCalls'>): QuitPlan {
  const clients = engine.clients().map(({ id, name, lastActiveAt }) => ({ id, name, lastActiveAt }));
  return { clients, calls: engine.activeCalls() };
}

/** True when nobody would notice a quit. */
export function cutsNothing({ clients, calls }: QuitPlan): boolean {
  return clients.length === 0 && calls.length === 0;
}
