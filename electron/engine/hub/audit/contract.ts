import type {
  AuditFilter,
  AuditKind,
  AuditOutcome,
  AuditPage,
  AuditQuery,
  AuditVerdict,
} from '../../../../shared/model/audit.ts';
import type { BreakerView } from '../../../../shared/model/breaker.ts';
import type { MetricsQuery, MetricsSummary } from '../../../../shared/model/metrics.ts';
import type { Event } from '../../base/emitter.ts';

/** Something that was done, as it is told to the audit log; what is secret in it is taken out before it is written. */
export interface AuditNote {
  readonly kind: Exclude<AuditKind, 'invocation'>;
  readonly action: string;
  /** Whoever acts, by default; see `AuditLog.as`. */
  readonly actor?: string | undefined;
  readonly outcome?: AuditOutcome | undefined;
  readonly serverKey?: string | undefined;
  readonly tool?: string | undefined;
  readonly text?: string | undefined;
  /** When it was done; now, by default. */
  readonly at?: number | undefined;
}

/** Who did what: every server operation, grant, token, approval and invocation (REQ-MCP-OBS-002, NFR-SEC4). */
export interface AuditLog {
  query(query: AuditQuery): Promise<AuditPage>;
  /** JSON lines, oldest first; resolves to their number. */
  export(write: (line: string) => Promise<void>, filter?: AuditFilter): Promise<number>;
  verify(): Promise<AuditVerdict>;
  note(note: AuditNote): void;
  /** What the engine is asked for while `ask` runs, up to its first `await`, is done by `actor`; else by the window. */
  as<T>(actor: string, ask: () => T): T;
  /** Whether anything is written from now on. */
  record(on: boolean): void;
}

/** Numbers of calls (REQ-MCP-OBS-001). */
export interface Metrics {
  /** In Prometheus' text format. */
  text(): Promise<string>;
  /** The type to send it as. */
  readonly contentType: string;
  summary(query: MetricsQuery): Promise<MetricsSummary>;
}

export interface Breakers {
  list(): readonly BreakerView[];
  /** One tool's, or those of all tools of a server. */
  reset(serverKey: string, tool?: string): void;
  readonly onChange: Event<readonly BreakerView[]>;
}

/** The part of the engine that keeps account. */
export interface AuditEngine {
  readonly audit: AuditLog;
  readonly metrics: Metrics;
  readonly breakers: Breakers;
}
