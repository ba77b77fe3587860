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

/** An operation for the audit log; secrets in it are masked before it is written. */
export interface AuditNote {
  readonly kind: Exclude<AuditKind, 'invocation'>;
  readonly action: string;
  /** The current actor by default; see `AuditLog.as`. */
  readonly actor?: string | undefined;
  readonly outcome?: AuditOutcome | undefined;
  readonly serverKey?: string | undefined;
  readonly tool?: string | undefined;
  readonly text?: string | undefined;
  /** Time of the operation; now by default. */
  readonly at?: number | undefined;
}

/**
 * Records who did what: every server operation, grant, token, approval and invocation (REQ-MCP-OBS-002,
 * NFR-SEC4).
 */
export interface AuditLog {
  query(query: AuditQuery): Promise<AuditPage>;
  /** Writes JSON lines, oldest first; resolves to their number. */
  export(write: (line: string) => Promise<void>, filter?: AuditFilter): Promise<number>;
  verify(): Promise<AuditVerdict>;
  note(note: AuditNote): void;
  /**
   * Attributes everything that `ask` requests before its first `await` to `actor`; the default actor is the
   * window.
   */
  as<T>(actor: string, ask: () => T): T;
  /** Turns recording on or off. */
  record(on: boolean): void;
}

/** Call metrics (REQ-MCP-OBS-001). */
export interface Metrics {
  /** Returns the Prometheus text format. */
  text(): Promise<string>;
  /** Content type of the text. */
  readonly contentType: string;
  summary(query: MetricsQuery): Promise<MetricsSummary>;
}

export interface Breakers {
  list(): readonly BreakerView[];
  /** Resets the breaker of one tool, or of all tools of a server. */
  reset(serverKey: string, tool?: string): void;
  readonly onChange: Event<readonly BreakerView[]>;
}

/** The part of the engine that keeps the audit log and metrics. */
export interface AuditEngine {
  readonly audit: AuditLog;
  readonly metrics: Metrics;
  readonly breakers: Breakers;
}
