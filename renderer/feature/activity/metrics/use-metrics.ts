import { useEffect, useState } from 'react';
import { useStore } from 'zustand/react';
import type { MetricsSummary } from '../../../../shared/model/activity/metrics.ts';
import type { MetricsScope } from '../../../store/activity-store.ts';
import { type EngineState, useAnswer } from '../../../store/hook/use-engine.ts';
import type { HubLink } from '../../../store/model.ts';
import { useModel } from '../../../store/model-context.tsx';
import { afterMilliseconds, followChanges } from '../follow-changes.ts';
import { pointsOf } from './spans.ts';

export interface Metrics {
  /** Numbers of all servers. */
  readonly all: MetricsSummary;
  /** Numbers of the chosen scope. */
  readonly shown: MetricsSummary;
}

/** Fetches the numbers of the chosen period and scope, and again after new calls. */
export function useMetrics(): { readonly state: EngineState<Metrics>; reload(): void } {
  const { link, now, activity } = useModel();
  const { metricsScope: scope, metricsSpan: span } = useStore(activity);
  const [turn, setTurn] = useState(0);
  const reload = () => setTurn((before) => before + 1);
  const [state] = useAnswer(() => fetchMetrics(link, scope, span, now()), [scope, span, turn]);
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

async function fetchMetrics(link: HubLink, scope: MetricsScope, span: number, until: number) {
  const query = { since: until - span, until, points: pointsOf(span) };
  const isScoped = scope.serverKey !== undefined;
  const request = link.call('metrics.summary', query);
  const scopedRequest = isScoped ? link.call('metrics.summary', { ...query, ...scope }) : request;
  const [all, shown] = [await request, await scopedRequest];
  if (!all.ok) return all;
  if (!shown.ok) return shown;
  return { ok: true as const, value: { all: all.value, shown: shown.value } };
}
