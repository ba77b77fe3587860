import { type Problem, ProblemError, problem, toProblem } from '../../../../shared/error/problem.ts';
import type { ActivityRow } from '../../../../shared/model/activity/activity.ts';
import type { Clock } from '../../base/clock.ts';
import { type Coalescer, createCoalescer } from '../../base/coalescer.ts';
import { createStateDb, type StateDb } from '../../store/db/state-db.ts';
import type { AuditEntry } from '../audit/audit.ts';
import { type AuditStore, auditStore } from '../audit/audit-store.ts';
import { headFileOf } from '../audit/head-file.ts';
import type {
  ActivityWorkerAnswers,
  ActivityWorkerInput,
  ActivityWorkerOutput,
  ActivityWorkerQuery,
} from '../contract.ts';
import { readRecords } from '../read-records.ts';
import type { ActivityEntry } from '../store/activity.ts';
import { type ActivityStore, activityStore } from '../store/activity-store.ts';
import { Clearing } from './clearing.ts';
import { exportRows } from './export-rows.ts';
import { toAuditEntries } from './mask-notes.ts';
import { Masking } from './masking.ts';
import { readBatch } from './read-batch.ts';
import { Reports } from './reports.ts';
import { takeJournal } from './take-journal.ts';

export interface ActivityWorkerPorts {
  readonly clock: Clock;
  readonly post: (output: ActivityWorkerOutput) => void;
}

type Input<K extends ActivityWorkerInput['kind']> = Extract<ActivityWorkerInput, { readonly kind: K }>;
type Question<K extends ActivityWorkerQuery['kind']> = Extract<ActivityWorkerQuery, { readonly kind: K }>;

/** Masks, numbers, stores and searches records. Handles its inputs one after the other. */
export class ActivityWorker {
  readonly #ports: ActivityWorkerPorts;
  readonly #state: StateDb;
  readonly #store: ActivityStore;
  readonly #auditState: StateDb;
  readonly #audit: AuditStore;
  readonly #journal: string;
  readonly #clearing: Clearing;
  readonly #masking = new Masking();
  readonly #pushTimer: Coalescer;
  #lastId: number | undefined;
  #isWatched = false;
  #newRows: ActivityRow[] = [];
  #skipped = 0;

  constructor(ports: ActivityWorkerPorts, { file, bounds, audit, secrets }: Input<'open'>) {
    const { clock } = ports;
    this.#ports = ports;
    const reports = new Reports(ports.post);
    const report = (about: string) => (cause: string, problem: Problem | undefined) =>
      reports.report(`${about} ${cause}`, problem);
    this.#state = createStateDb({ file, clock, report: report('activity') });
    const reportAudit = report('audit');
    this.#auditState = createStateDb({
      file: audit.file,
      clock,
      report: (cause, problem) => {
        reportAudit(cause, problem);
        // The new audit log explains why it starts where it does.
        if (cause === 'loss' && problem !== undefined)
          void this.#audit.append([logRestarted(clock.now(), problem)]);
      },
    });
    this.#audit = auditStore({
      state: this.#auditState,
      clock,
      bounds: audit.bounds,
      headFile: headFileOf(audit.file),
    });
    this.#journal = audit.journal;
    this.#store = activityStore({ state: this.#state, clock, bounds });
    this.#clearing = new Clearing(clock, (upTo) => this.#store.clear(upTo));
    this.#pushTimer = createCoalescer(clock, pushMs, () => this.#sendNewRows());
    this.#masking.learn(secrets);
    // Deletes what is too old before anything is searched.
    void this.#store.forgetOld().catch(noop);
    void this.#audit.forgetOld().catch(noop);
  }

  /** Takes over what the hub's thread has written down. */
  async takeOver(): Promise<void> {
    const first = await this.#nextNumber();
    const [journal, audit, activity, masking] = [this.#journal, this.#audit, this.#store, this.#masking];
    const taken = await takeJournal({ journal, audit, activity, masking, first }).catch(() => 0);
    this.#lastId = first + taken - 1;
  }

  async handle(input: Exclude<ActivityWorkerInput, Input<'open'>>): Promise<void> {
    switch (input.kind) {
      case 'add':
        return this.#add(input);
      case 'secrets':
        return this.#masking.learn(input.secrets);
      case 'watch':
        this.#isWatched = input.on;
        return;
      case 'ask':
        if (input.question.kind !== 'audit-verify') return this.#answer(input);
        // Verification reads everything, and nothing else should wait for it.
        void this.#answer(input);
        return;
      case 'close':
        return this.#close();
    }
  }

  async #add(batch: Input<'add'>): Promise<void> {
    const first = await this.#nextNumber();
    const { contents, isPartial } = batch;
    const options = { masking: this.#masking, first, contents, isPartial };
    const { activities: entries, audits } = await readBatch(readRecords(batch.records), options);
    // Entries of one batch are logged in the order in which they happened.
    const audited = [...audits, ...toAuditEntries(batch.notes, this.#masking)].sort(
      (one, other) => one.at - other.at,
    );
    if (audited.length > 0) await this.#audit.append(audited);
    this.#lastId = first + entries.length - 1;
    // Batches with audit entries come ten times as often.
    for (const entry of entries) this.#store.add(entry, audited.length > 0 ? gatherMs : undefined);
    this.#queueForWatchers(entries);
    this.#ports.post({ kind: 'taken' });
    void this.#store.settled().then(() => this.#ports.post({ kind: 'kept', number: batch.number }));
  }

  /**
   * Returns the next number. If nothing can be read, numbering continues from the time, which is beyond any
   * count.
   */
  async #nextNumber(): Promise<number> {
    this.#lastId ??= await this.#store.lastId().catch(() => this.#ports.clock.now() * 1_000);
    return this.#lastId + 1;
  }

  #queueForWatchers(entries: readonly ActivityEntry[]): void {
    if (!this.#isWatched) return;
    this.#newRows.push(...entries.map(({ row }) => row));
    const excess = this.#newRows.length - maxNewRows;
    if (excess > 0) {
      this.#newRows = this.#newRows.slice(excess);
      this.#skipped += excess;
    }
    this.#pushTimer.mark();
  }

  #sendNewRows(): void {
    const [rows, skipped] = [this.#newRows, this.#skipped];
    [this.#newRows, this.#skipped] = [[], 0];
    if (this.#isWatched && rows.length > 0) this.#ports.post({ kind: 'added', added: { rows, skipped } });
  }

  async #answer({ id, question }: Input<'ask'>): Promise<void> {
    try {
      // Makes earlier records visible to the query.
      await this.#store.flush();
      this.#ports.post({ kind: 'answer', id, answer: await this.#find(question) });
    } catch (error) {
      this.#ports.post({ kind: 'refusal', id, problem: toProblem(error) });
    }
  }

  async #find(question: ActivityWorkerQuery): Promise<ActivityWorkerAnswers[ActivityWorkerQuery['kind']]> {
    const after = this.#clearing.upTo;
    switch (question.kind) {
      case 'query':
        return this.#store.find({ ...question, after });
      case 'counts':
        return this.#store.counts(question.filter, after);
      case 'get':
        return this.#detail(question.id, after);
      case 'export':
        return this.#export(question, after);
      case 'audit-query':
        return this.#audit.find(question);
      case 'audit-after':
        return this.#audit.after(question);
      case 'audit-verify':
        return this.#audit.verify();
      case 'audit-summary':
        return this.#audit.summary(question);
      case 'clear':
        return this.#clearing.begin((await this.#nextNumber()) - 1);
      case 'undo-clear':
        return this.#clearing.undo(question.undoId);
    }
  }

  async #detail(id: number, after: number): Promise<ActivityWorkerAnswers['get']> {
    const found = await this.#store.get(id, after);
    if (found === undefined) throw new ProblemError(entryGone(id));
    const { row, arguments: args, result, isCut } = found;
    return {
      row,
      isCut,
      ...(args === undefined ? {} : { arguments: args }),
      ...(result === undefined ? {} : { result }),
    };
  }

  #export({ filter, format, file }: Question<'export'>, after: number): Promise<number> {
    return exportRows({ store: this.#store, filter, after, format, file });
  }

  async #close(): Promise<void> {
    await this.#store.flush();
    await this.#clearing.end();
    await this.#audit.flush();
    await this.#state.close();
    await this.#auditState.close();
  }
}

function logRestarted(at: number, { sentence }: Problem): AuditEntry {
  return {
    id: `anew-${at}`,
    at,
    kind: 'hub',
    action: 'begun-anew',
    actor: 'hub',
    outcome: 'failed',
    text: sentence,
  };
}

/**
 * Milliseconds in which activity is gathered into one write, because each write has its cost. With the delays
 * before it, a quarter of a second.
 */
const gatherMs = 200;
/** Milliseconds in which new rows are gathered for one message. */
const pushMs = 100;
const maxNewRows = 200;

function entryGone(id: number): Problem {
  const sentence = 'This entry is no longer available.';
  return problem('activity.gone', sentence, 'It was cleared, or replaced by newer entries.', {
    entry: id,
  });
}

function noop(): void {}
