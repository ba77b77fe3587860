import { createStore, type StoreApi } from 'zustand/vanilla';
import type { ActivityFilter } from '../../shared/model/activity.ts';
import type { AuditFilter } from '../../shared/model/audit.ts';

/** What metrics are shown of: all calls, those of a server, those of a tool. */
export interface MetricsScope {
  readonly serverKey?: string;
  readonly tool?: string;
}

/** What of activity outlives its pages: what they were narrowed to, and how often everything in it became different. */
export type ActivityStore = StoreApi<{
  readonly filter: ActivityFilter;
  readonly auditFilter: AuditFilter;
  readonly metricsScope: MetricsScope;
  /** Milliseconds back from now. */
  readonly metricsSpan: number;
  /** Grows when it was cleared or brought back. */
  readonly turn: number;
}>;

/** Calls are what most people look for; the rest is a choice away. */
export const usualFilter: ActivityFilter = { kind: 'call' };

export function createActivityStore(): ActivityStore {
  return createStore(() => ({
    filter: usualFilter,
    auditFilter: {} as AuditFilter,
    metricsScope: {} as MetricsScope,
    metricsSpan: 3_600_000,
    turn: 0,
  }));
}
