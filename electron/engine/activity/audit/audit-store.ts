import type {
  AuditFilter,
  AuditPage,
  AuditQuery,
  AuditVerdict,
} from '../../../../shared/model/activity/audit.ts';
import type { MetricsQuery, MetricsSummary } from '../../../../shared/model/activity/metrics.ts';
import type { Clock } from '../../base/clock.ts';
import type { StateDb } from '../../store/db/state-db.ts';
import type { StateQueries } from '../../store/db/tables.ts';
import { createWriteBatcher } from '../../store/db/write-batcher.ts';
import { type AuditBounds, type AuditEntry, type EntryKey, lostEntries, missingEntries } from './audit.ts';
import { auditsAfter, findAudits, findKnown } from './audit-query.ts';
import { createAuditWriter, forgetBefore, forgetBeyond } from './audit-writer.ts';
import { HeadNotes, missingSince, readHead } from './head-file.ts';
import { summarize } from './summary.ts';
import { verifyAudits } from './verify.ts';

/** The audit log, chained by hashes. Its promises reject like those of StateDb. */
export interface AuditStore {
  /** Writes entries at once; entries that cannot be written wait for a retry. */
  append(entries: readonly AuditEntry[]): Promise<void>;
  find(query: AuditQuery): Promise<AuditPage>;
  /** Lists the oldest rows after this one. */
  after(query: {
    readonly filter: AuditFilter;
    readonly after: number;
    readonly limit: number;
  }): Promise<AuditPage>;
  verify(): Promise<AuditVerdict>;
  summary(query: MetricsQuery): Promise<MetricsSummary>;
  /** Returns the ids of the entries that it has. */
  known(entries: readonly EntryKey[]): Promise<ReadonlySet<string>>;
  forgetOld(): Promise<void>;
  /** Resolves to whether everything is written. */
  flush(): Promise<boolean>;
}

export interface AuditStoreOptions {
  readonly state: StateDb;
  readonly clock: Clock;
  readonly bounds: AuditBounds;
  /** File beside the log that notes its end; see head-file.ts. */
  readonly headFile?: string;
}

export function auditStore({ state, clock, bounds, headFile }: AuditStoreOptions): AuditStore {
  const writer = createAuditWriter();
  const headNotes = headFile === undefined ? undefined : new HeadNotes(headFile, clock);
  let isCompared = headFile === undefined;
  let sincePruned = 0;
  /** Writes entries. The log itself has to say if rows are missing. */
  const write = async (db: StateQueries, entries: readonly AuditEntry[]) => {
    const missing = isCompared ? undefined : await missingIn(db, headFile);
    const lossEntries = missing === undefined ? [] : [missingEntries(missing, clock.now())];
    const end = await writer.append(db, [...lossEntries, ...entries]);
    isCompared = true;
    if (end.seq > 0) headNotes?.note(end);
  };
  const overflow = new Overflow(clock);
  const batcher = createWriteBatcher<AuditEntry>({
    clock,
    condense: (entries) => overflow.trim(entries),
    write: async (entries) => {
      await state.run((db) => write(db, entries));
      overflow.written();
    },
  });
  const forgetOld = () =>
    state.runIfThere(async (db) => {
      await forgetBefore(db, clock.now() - bounds.days * dayMs);
      while ((await forgetBeyond(db, bounds.bytes)) > 0);
    }, undefined);
  return {
    async append(entries) {
      await batcher.addAll(entries);
      sincePruned += entries.length;
      if (sincePruned < pruneEvery) return;
      sincePruned = 0;
      await forgetOld().catch(() => undefined);
    },
    find: (query) => state.runIfThere((db) => findAudits(db, query), noPage),
    after: (query) => state.runIfThere((db) => auditsAfter(db, query), noPage),
    async verify() {
      const verdict = await state.runIfThere(verifyAudits, { ok: true, rows: 0 });
      const end = headFile === undefined ? undefined : await readHead(headFile);
      if (!verdict.ok || end === undefined) return verdict;
      const noLogReason = await missingSince(end, undefined);
      const why = await state.runIfThere((db) => missingSince(end, db), noLogReason);
      return why === undefined ? verdict : { ok: false, rows: verdict.rows, at: end.seq, why };
    },
    summary: (query) => state.run((db) => summarize(db, query, clock.now())),
    known: (entries) => state.runIfThere((db) => findKnown(db, entries), noIds),
    forgetOld,
    async flush() {
      const isWritten = await batcher.flush();
      await headNotes?.flush();
      return isWritten;
    },
  };
}

async function missingIn(db: StateQueries, headFile: string | undefined): Promise<string | undefined> {
  const end = headFile === undefined ? undefined : await readHead(headFile);
  return end && missingSince(end, db);
}

const noPage: AuditPage = { rows: [], hasMore: false };
const noIds: ReadonlySet<string> = new Set();
const dayMs = 24 * 60 * 60 * 1_000;
/** Rows between two checks of age and size. */
const pruneEvery = 20_000;
/** Limit while entries cannot be written. */
const maxPending = 50_000;

/** Drops the oldest entries beyond the limit, and puts an entry with their number first. */
class Overflow {
  readonly #clock: Clock;
  #lost = 0;
  #lossEntry: AuditEntry | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  trim(entries: readonly AuditEntry[]): readonly AuditEntry[] {
    const others = entries.filter((entry) => entry !== this.#lossEntry);
    const excess = Math.max(0, others.length - maxPending);
    if (excess === 0) return entries;
    this.#lost += excess;
    this.#lossEntry = lostEntries(this.#lost, this.#clock.now());
    return [this.#lossEntry, ...others.slice(excess)];
  }

  /** Call when that entry is in the log. */
  written(): void {
    [this.#lost, this.#lossEntry] = [0, undefined];
  }
}
