import { useEffect, useState } from 'react';
import { useStore } from 'zustand/react';
import type { Problem } from '../../../../shared/error/problem.ts';
import type { MetricsSummary } from '../../../../shared/model/metrics.ts';
import type { MetricsScope } from '../../../store/activity-store.ts';
import type { HubLink } from '../../../store/model.ts';
import { useModel } from '../../../store/model-context.tsx';
import { afterMilliseconds, followChanges } from '../follow-news.ts';
import { pointsOf } from './spans.ts';

export interface KnownMetrics {
  readonly kind: 'known';
  /** Numbers of all servers. */
  readonly all: MetricsSummary;
  /** Numbers of the chosen scope. */
  readonly shown: MetricsSummary;
}

type MetricsState =
  | { readonly kind: 'loading' }
  | KnownMetrics
  | { readonly kind: 'failed'; readonly problem: Problem };

/** Fetches the numbers of the chosen period and scope, and again after new calls. */
export function useMetrics(): { readonly state: MetricsState; reload(): void } {
  const { link, now, activity } = useModel();
  const { metricsScope: scope, metricsSpan: span } = useStore(activity);
  const [turn, setTurn] = useState(0);
  const [state, setState] = useState<MetricsState>({ kind: 'loading' });
  const reload = () => setTurn((before) => before + 1);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new turn fetches everything again
  useEffect(() => {
    let wanted = true;
    void fetchMetrics(link, scope, span, now()).then((next) => {
      if (wanted) setState(next);
    });
    return () => {
      wanted = false;
    };
  }, [link, now, scope, span, turn]);
  useEffect(
    () =>
      followChanges(link, afterMilliseconds, refreshIntervalOf(span), () => setTurn((before) => before + 1)),
    [link, span],
  );
  return { state, reload };
}

/** Returns the milliseconds between refreshes: the longer the period, the more there is to count. */
function refreshIntervalOf(span: number): number {
  return Math.max(3_000, span / 100_000);
}

async function fetchMetrics(
  link: HubLink,
  scope: MetricsScope,
  span: number,
  until: number,
): Promise<MetricsState> {
  const query = { since: until - span, until, points: pointsOf(span) };
  const isScoped = scope.serverKey !== undefined;
  const requests = [link.call('metrics.summary', query)];
  if (isScoped) requests.push(link.call('metrics.summary', { ...query, ...scope }));
  const [all, scoped = all] = await Promise.all(requests);
  if (all === undefined || scoped === undefined) return { kind: 'loading' };
  if (!all.ok) return { kind: 'failed', problem: all.problem };
  if (!scoped.ok) return { kind: 'failed', problem: scoped.problem };
  return { kind: 'known', all: all.value, shown: scoped.value };
}
