import type { Problem } from '../../../shared/error/problem.ts';
import type {
  ActivityAdded,
  ActivityCounts,
  ActivityDetail,
  ActivityFilter,
  ActivityFormat,
  ActivityPage,
  ActivityRow,
} from '../../../shared/model/activity.ts';
import type { AuditFilter, AuditPage, AuditQuery, AuditVerdict } from '../../../shared/model/audit.ts';
import type { MetricsQuery, MetricsSummary } from '../../../shared/model/metrics.ts';
import type { ActivityBounds } from '../store/state/activity.ts';
import type { AuditBounds, AuditEntry } from '../store/state/audit/audit.ts';

/**
 * What passes between the hub's thread and the desk, the thread that masks, keeps and finds. Only plain data, which is
 * copied, and buffers, which change hands.
 */
export type DeskInput =
  | {
      readonly kind: 'open';
      readonly file: string;
      readonly bounds: ActivityBounds;
      readonly audit: AuditPlaces;
      readonly secrets: readonly string[];
    }
  /**
   * `heads`: JSON of {@link RecordHead}s; `rows`: the records, in numbers, see record-row.ts; `bodies`: theirs, one after the
   * other.
   */
  | {
      readonly kind: 'add';
      /** Grows from one batch to the next. */
      readonly number: number;
      /** Of calls and questions. */
      readonly count: number;
      /** Of what is for the audit log, notes included. */
      readonly audited: number;
      /** For the audit log; masked here as everything is. */
      readonly notes: readonly AuditEntry[];
      readonly heads: string;
      readonly rows: Float64Array<ArrayBuffer>;
      readonly bodies: Uint8Array<ArrayBuffer>;
      /** There was no room for the bodies: what can be told without them is told. */
      readonly isPartial?: true;
    }
  | { readonly kind: 'secrets'; readonly secrets: readonly string[] }
  | { readonly kind: 'watch'; readonly on: boolean }
  | { readonly kind: 'ask'; readonly id: number; readonly question: DeskQuestion }
  /** The thread ends when everything is in the file. */
  | { readonly kind: 'close' };

export type DeskOutput =
  /** One more batch was taken over. */
  | { readonly kind: 'taken' }
  /** All batches up to this one are in the files, or could not be written. */
  | { readonly kind: 'kept'; readonly number: number }
  | { readonly kind: 'added'; readonly added: ActivityAdded }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: unknown }
  | { readonly kind: 'refusal'; readonly id: number; readonly problem: Problem }
  | { readonly kind: 'problem'; readonly about: string; readonly problem: Problem | undefined };

export type DeskQuestion =
  | {
      readonly kind: 'query';
      readonly filter: ActivityFilter;
      readonly before?: number | undefined;
      readonly limit: number;
    }
  | { readonly kind: 'counts'; readonly filter: ActivityFilter }
  | { readonly kind: 'get'; readonly id: number }
  | {
      readonly kind: 'export';
      readonly filter: ActivityFilter;
      readonly format: ActivityFormat;
      readonly file: string;
    }
  | ({ readonly kind: 'audit-query' } & AuditQuery)
  | ({ readonly kind: 'audit-after' } & AuditAfter)
  | { readonly kind: 'audit-verify' }
  | ({ readonly kind: 'audit-summary' } & MetricsQuery)
  | { readonly kind: 'clear' }
  | { readonly kind: 'undo-clear'; readonly undoId: string };

/** Rows of the audit log from the oldest on. */
export interface AuditAfter {
  readonly filter: AuditFilter;
  readonly after: number;
  readonly limit: number;
}

export interface AuditPlaces {
  readonly file: string;
  /** What the hub's thread has written down for the desk to take over; see audit-journal.ts. */
  readonly journal: string;
  readonly bounds: AuditBounds;
}

/** What each question is answered with. */
export interface DeskAnswers {
  readonly query: ActivityPage;
  readonly counts: ActivityCounts;
  readonly get: ActivityDetail;
  readonly export: number;
  readonly 'audit-query': AuditPage;
  readonly 'audit-after': AuditPage;
  readonly 'audit-verify': AuditVerdict;
  readonly 'audit-summary': MetricsSummary;
  readonly clear: string;
  readonly 'undo-clear': boolean;
}

type Undefinable<T> = { readonly [K in keyof T]: T[K] | (undefined extends T[K] ? undefined : never) };

/** A row that is still to get its number. As JSON, what is undefined is not there. */
export type NewRow = Undefinable<Omit<ActivityRow, 'id'>>;

/** What a record is about, apart from its numbers and its bodies; many may share one. Nothing in it is masked yet. */
export interface RecordHead extends Omit<NewRow, 'at' | 'milliseconds' | 'requestBytes' | 'answerBytes'> {
  readonly audit?: AuditHead | undefined;
}

/** What the audit log is told of a call beyond its record. */
export interface AuditHead {
  /** With the number of a record, the id of its row; see {@link AuditEntry}. */
  readonly prefix: string;
  /** Whose call it is, where that is not the client's name. */
  readonly agent?: string | undefined;
  readonly correlationId?: string | undefined;
  readonly decision?: AuditEntry['decision'];
  readonly cached?: boolean | undefined;
}

/** Bytes of a body in a batch. */
export interface BodyPart {
  readonly length: number;
  /** What follows was left out. */
  readonly isBeginning?: true;
  /** Its end says that the tool failed, where that is left out. */
  readonly isError?: true;
}

/** The hub's end of a thread in which a desk works. */
export interface DeskThread {
  post(input: DeskInput): void;
  onOutput(listener: (output: DeskOutput) => void): void;
  /** It is gone, whether or not it was to go; told once. */
  onGone(listener: (reason: string) => void): void;
  /** Ends it at once. */
  kill(): void;
}

/** Starts a desk; throws where that cannot be. */
export type StartDesk = () => DeskThread;
