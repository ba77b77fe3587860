import { createStore, type StoreApi } from 'zustand/vanilla';

/**
 * A switch that the user has moved and the engine has not confirmed yet. `ticket` distinguishes the newest
 * change from older ones; `settled` is true once the call has been answered: the next state that arrives then
 * replaces the change.
 */
export interface PendingChange {
  readonly enabled: boolean;
  readonly ticket: number;
  readonly settled: boolean;
}

export interface PendingChanges {
  readonly byId: Readonly<Record<string, PendingChange>>;
  readonly lastTicket: number;
}

export type PendingChangeStore = StoreApi<PendingChanges>;

export function createPendingChangeStore(): PendingChangeStore {
  return createStore(() => ({ byId: {}, lastTicket: 0 }));
}

/** Adds a pending change for some ids and returns its ticket. */
export function addPendingChange(
  store: PendingChangeStore,
  ids: readonly string[],
  enabled: boolean,
): number {
  const ticket = store.getState().lastTicket + 1;
  const wishes = ids.map((id) => [id, { enabled, ticket, settled: false }] as const);
  store.setState((state) => ({
    byId: { ...state.byId, ...Object.fromEntries(wishes) },
    lastTicket: ticket,
  }));
  return ticket;
}

/**
 * Drops changes whose call failed, so that the mirrored state shows again. Newer changes of the same ids
 * stay.
 */
export function dropPendingChange(store: PendingChangeStore, ids: readonly string[], ticket: number): void {
  keep(store, (id, wish) => wish.ticket !== ticket || !ids.includes(id));
}

/**
 * Marks changes whose call succeeded: a change already mirrored is removed now, others with their next state.
 */
export function settlePendingChange(
  store: PendingChangeStore,
  ids: readonly string[],
  ticket: number,
  mirrored: (id: string) => boolean | undefined,
): void {
  store.setState((state) => ({
    byId: Object.fromEntries(
      Object.entries(state.byId).flatMap(([id, wish]) => {
        if (wish.ticket !== ticket || !ids.includes(id)) return [[id, wish]];
        return mirrored(id) === wish.enabled ? [] : [[id, { ...wish, settled: true }]];
      }),
    ),
  }));
}

/** Removes settled changes of ids whose state has arrived, whatever it is. */
export function removeSettledChanges(store: PendingChangeStore, ids: readonly string[]): void {
  const arrived = new Set(ids);
  keep(store, (id, wish) => !(wish.settled && arrived.has(id)));
}

function keep(store: PendingChangeStore, test: (id: string, wish: PendingChange) => boolean): void {
  const entries = Object.entries(store.getState().byId);
  const kept = entries.filter(([id, wish]) => test(id, wish));
  if (kept.length !== entries.length) store.setState({ byId: Object.fromEntries(kept) });
}
