import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Problem } from '../../../../shared/error/problem.ts';
import type { HealthSample } from '../../../../shared/model/health.ts';
import type { HubLink } from '../../../store/model.ts';

/** A server's recent health, as loaded by the window. */
export interface HealthState {
  readonly samples: readonly HealthSample[];
  readonly loading: boolean;
  readonly problem?: Problem;
}

export type HealthStore = StoreApi<HealthState>;

/** Milliseconds of history shown. */
export const shownHistoryMs = 30 * 60_000;

/** Appends new spans, skipping known ones and dropping old ones. */
export function appendSamples(
  current: readonly HealthSample[],
  arrived: readonly HealthSample[],
): readonly HealthSample[] {
  const last = current.at(-1)?.at ?? -Infinity;
  const all = [...current, ...arrived.filter(({ at }) => at > last)];
  const oldest = (all.at(-1)?.at ?? 0) - shownHistoryMs;
  return all.filter(({ at }) => at > oldest);
}

/** Follows a server's health until `stop`. Spans that arrive during the first fetch are added after it. */
export function followHealth(link: HubLink, key: string): { store: HealthStore; stop: () => void } {
  const store = createStore((): HealthState => ({ samples: [], loading: true }));
  let pending: readonly HealthSample[] = [];
  const unsubscribe = link.on('server.health', (event) => {
    if (event.key !== key) return;
    if (store.getState().loading) pending = [...pending, ...event.samples];
    else store.setState(({ samples }) => ({ samples: appendSamples(samples, event.samples) }));
  });
  void link.call('server.watchHealth', { key }).then((answer) => {
    if (!answer.ok) return store.setState({ loading: false, problem: answer.problem });
    const samples = appendSamples(appendSamples([], answer.value.samples), pending);
    store.setState({ samples, loading: false });
  });
  return {
    store,
    stop() {
      unsubscribe();
      void link.call('server.unwatchHealth', { key });
    },
  };
}
