import type { Problem } from '../../../shared/error/problem.ts';
import type {
  ActivityAdded,
  ActivityCounts,
  ActivityDetail,
  ActivityFilter,
  ActivityFormat,
  ActivityPage,
  ActivityRow,
} from '../../../shared/model/activity/activity.ts';
import type {
  AuditFilter,
  AuditPage,
  AuditQuery,
  AuditVerdict,
} from '../../../shared/model/activity/audit.ts';
import type { MetricsQuery, MetricsSummary } from '../../../shared/model/activity/metrics.ts';
import type { AuditBounds, AuditEntry } from './audit/audit.ts';
import type { PackedContents } from './packed-contents.ts';
import type { ActivityBounds } from './store/activity.ts';

/** Messages between the hub's thread and the activity worker, which masks, stores and searches: plain data. */
export type ActivityWorkerInput =
  | {
      readonly kind: 'open';
      readonly file: string;
      readonly bounds: ActivityBounds;
      readonly audit: AuditFiles;
      readonly secrets: readonly string[];
    }
  | ({ readonly kind: 'add' } & ActivityBatch)
  | { readonly kind: 'secrets'; readonly secrets: readonly string[] }
  | { readonly kind: 'watch'; readonly on: boolean }
  | { readonly kind: 'ask'; readonly id: number; readonly question: ActivityWorkerQuery }
  /** The worker ends once everything is in the files. */
  | { readonly kind: 'close' };

export type ActivityWorkerOutput =
  /** One more batch has been processed. */
  | { readonly kind: 'taken' }
  /** All batches up to this one are in the files, or could not be written. */
  | { readonly kind: 'kept'; readonly number: number }
  | { readonly kind: 'added'; readonly added: ActivityAdded }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: unknown }
  | { readonly kind: 'refusal'; readonly id: number; readonly problem: Problem }
  | { readonly kind: 'problem'; readonly about: string; readonly problem: Problem | undefined };

export type ActivityWorkerQuery =
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

/** Reads rows of the audit log, oldest first. */
export interface AuditAfter {
  readonly filter: AuditFilter;
  readonly after: number;
  readonly limit: number;
}

export interface AuditFiles {
  readonly file: string;
  /** The file that the hub's thread has written for the worker; see audit-journal.ts. */
  readonly journal: string;
  readonly bounds: AuditBounds;
}

/** The answer to each kind of question. */
export interface ActivityWorkerAnswers {
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

/** A row without an id yet. Undefined members are left out of its JSON. */
export type NewRow = Undefinable<Omit<ActivityRow, 'id'>>;

/** A note on its way to the audit log. */
export interface WrittenNote extends AuditEntry {
  readonly isMasked?: true;
}

/** Records on their way to the worker. */
export interface ActivityBatch {
  /** Increases from one batch to the next. */
  readonly number: number;
  /** Calls and server requests. */
  readonly count: number;
  /** Entries for the audit log, notes included. */
  readonly audited: number;
  /** For the audit log. */
  readonly notes: readonly WrittenNote[];
  /** {@link WrittenRecords} as JSON in UTF-8, a line with its newline, as the journal stores it; empty without records. */
  readonly records: Uint8Array<ArrayBuffer>;
  /** The contents of each record, in the same order. */
  readonly contents: PackedContents;
  /** Approximate bytes in memory. */
  readonly size: number;
  /** The bodies were dropped for lack of room; everything else is still recorded. */
  readonly isPartial?: true;
}

/** The clients and servers that take part in records, each once. */
interface RecordParties {
  /** By session id. */
  readonly clients: readonly (readonly [string, RecordedClient])[];
  /** By server key. */
  readonly servers: readonly (readonly [string, RecordedServer])[];
}

export interface RecordList extends RecordParties {
  readonly records: readonly ActivityRecord[];
}

/** Records as they are written: what ordinary calls have in common is in it once. */
export interface WrittenRecords extends RecordParties {
  readonly shared: readonly SharedRecord[];
  readonly records: readonly (ActivityRecord | OrdinaryCall)[];
}

/** Measures of an ordinary call, and the index of its shared record. */
export type OrdinaryCall = readonly [
  shared: number,
  at: number,
  milliseconds: number,
  requestBytes: number,
  answerBytes: number,
  call: number,
];

/** Measures of a call: its start, its time, and the bytes of request and answer. */
export type CallMeasures = Required<Pick<NewRow, 'at' | 'milliseconds' | 'requestBytes' | 'answerBytes'>>;

/** The row of a call without its measures. */
export type CallRow = Omit<NewRow, keyof CallMeasures>;

/** A record without measures; the number of a call follows the prefix of its audit id. */
export interface SharedRecord extends CallRow {
  readonly audit?: (Omit<RecordAudit, 'id'> & { readonly prefix: string }) | undefined;
  readonly isAuditOnly?: true | undefined;
}

export interface RecordedClient extends Pick<NewRow, 'clientName' | 'clientProtocol'> {
  /** The caller for the audit log, unless the client's name says it. */
  readonly agent?: string | undefined;
}

export type RecordedServer = Pick<NewRow, 'serverProtocol'>;

/** A row with what belongs to it, except for its contents. Nothing in it is masked yet. */
export interface ActivityRecord extends NewRow {
  readonly audit?: RecordAudit | undefined;
  /** Only for the audit log: activity ignores the record, or counts it with others. */
  readonly isAuditOnly?: true | undefined;
  /** The end of the arguments, or of the result, was left out. */
  readonly areArgumentsCut?: true | undefined;
  readonly isResultCut?: true | undefined;
  /** The result, of which the end was left out, says that the tool failed. */
  readonly hasFailed?: true | undefined;
}

/** The part of a call that only the audit log needs. */
export interface RecordAudit {
  /** The id of its row; see {@link AuditEntry}. */
  readonly id: string;
  readonly correlationId?: string | undefined;
  readonly decision?: AuditEntry['decision'];
  readonly cached?: boolean | undefined;
}

/** The hub's side of an activity worker's thread. */
export interface ActivityWorkerThread {
  post(input: ActivityWorkerInput): void;
  onOutput(listener: (output: ActivityWorkerOutput) => void): void;
  /** Called once when the thread has ended, expected or not. */
  onEnded(listener: (reason: string) => void): void;
  /** Ends the thread at once. */
  kill(): void;
}

/** Starts a worker; throws if that fails. */
export type StartActivityWorker = () => ActivityWorkerThread;

export interface StoredActivityOptions {
  /** See DataPaths. */
  readonly file: string;
  readonly format: ActivityFormat;
  /** Only so many of the newest; all by default. */
  readonly limit?: number | undefined;
}
