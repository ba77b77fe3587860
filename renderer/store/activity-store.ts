import { createStore, type StoreApi } from 'zustand/vanilla';
import type { ActivityFilter } from '../../shared/model/activity.ts';
import type { AuditFilter } from '../../shared/model/audit.ts';

/** Scope of the metrics: all calls, those of a server, or those of a tool. */
export interface MetricsScope {
  readonly serverKey?: string;
  readonly tool?: string;
}

/** Activity state that outlives its pages: the filters, and a counter for complete reloads. */
export type ActivityStore = StoreApi<{
  readonly filter: ActivityFilter;
  readonly auditFilter: AuditFilter;
  readonly metricsScope: MetricsScope;
  /** Milliseconds before now. */
  readonly metricsSpan: number;
  /** Increases when the activity was cleared or restored. */
  readonly turn: number;
}>;

/** Shows calls, which most people look for; other kinds are one choice away. */
export const defaultFilter: ActivityFilter = { kind: 'call' };

export function createActivityStore(): ActivityStore {
  return createStore(() => ({
    filter: defaultFilter,
    auditFilter: {} as AuditFilter,
    metricsScope: {} as MetricsScope,
    metricsSpan: 3_600_000,
    turn: 0,
  }));
}
