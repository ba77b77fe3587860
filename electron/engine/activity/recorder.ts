import type { Happening } from '../../../shared/model/happening.ts';
import type { Clock } from '../base/clock.ts';
import { type Coalescer, createCoalescer } from '../base/coalescer.ts';
import type { Disposable } from '../base/emitter.ts';
import {
  type CallListener,
  type CallRecord,
  noSession,
  type QuestionListener,
  type QuestionRecord,
  type StrayCall,
} from '../route/contract.ts';
import type { AuditEntry } from '../store/state/audit/audit.ts';
import { AuditIds, isAudited } from './audit-heads.ts';
import { Budget } from './budget.ts';
import { CallHeads } from './call-heads.ts';
import type { DeskInput, NewRow } from './contract.ts';
import { MergedCalls } from './merged-calls.ts';
import { NoticeCounts } from './notice-counts.ts';
import { RecordBatch } from './record-batch.ts';
import { recordQuestion, recordStray } from './record-parts.ts';
import { RefusalCounts } from './refusal-counts.ts';

export interface RecorderOptions {
  readonly clock: Clock;
  /**
   * Returns the client name of a session; undefined before it has sent its client info, and known for a while
   * after it has ended.
   */
  readonly clientName: (sessionId: string) => string | undefined;
  /** Returns the caller for the audit log; the client's name by default. */
  readonly agentOf?: (sessionId: string) => string | undefined;
  /** Returns the id by which the caller knows a call. */
  readonly correlationOf?: (call: CallRecord) => string | undefined;
  /**
   * Returns how much of a call's time was spent waiting for a person, which says nothing about its server.
   */
  readonly waitedIn?: (call: CallRecord) => number;
  /** Returns whether somebody watches new entries. */
  readonly isWatched: () => boolean;
  /** Called with the error when records are lost. */
  readonly report: (error: unknown) => void;
  /** Receives batches to store. */
  readonly send: (input: Extract<DeskInput, { readonly kind: 'add' }>) => void;
}

/**
 * Records what goes through the hub. For each call it copies some numbers and the bodies into a batch that is
 * handed over shortly after, so nothing of a call is kept alive longer than the call. Calls that come faster
 * than anybody can read are counted together, so that a flood costs little and does not push out what came
 * before.
 */
export class Recorder implements CallListener, QuestionListener, Disposable {
  readonly #options: RecorderOptions;
  readonly #notices: NoticeCounts;
  #isOn = false;
  readonly #answered = new Budget({ most: 500, perSecond: 50 });
  readonly #failed = new Budget({ most: 200, perSecond: 50 });
  readonly #merged = new MergedCalls();
  readonly #merging: Coalescer;
  readonly #refusals: RefusalCounts;
  readonly #ids = new AuditIds();
  readonly #heads: CallHeads;
  readonly #agentOf: (sessionId: string) => string | undefined;
  readonly #batch = new RecordBatch();
  #isAuditing = false;
  #timer: { readonly due: number; readonly timer: Disposable } | undefined;

  constructor(options: RecorderOptions) {
    this.#options = options;
    const { clock, clientName, agentOf = unknown, correlationOf = unknown } = options;
    this.#agentOf = agentOf;
    this.#heads = new CallHeads({ clientName, agentOf, correlationOf, prefix: this.#ids.ofCalls });
    this.#notices = new NoticeCounts(clock, (counted) => this.#happened(counted));
    this.#refusals = new RefusalCounts(clock, (note) => this.note(note));
    this.#merging = createCoalescer(clock, mergeMs, () => this.#happened(this.#merged.take()));
  }

  /** Turns recording on or off; earlier records are still stored. */
  switch(on: boolean): void {
    if (!on) {
      this.#merging.flush();
      this.flush();
    }
    this.#isOn = on;
  }

  /** Turns auditing on or off. */
  audit(on: boolean): void {
    this.#refusals.flush();
    this.flush();
    this.#isAuditing = on;
  }

  /** Adds an entry to the audit log. */
  note(note: Omit<AuditEntry, 'id' | 'at'> & { readonly at?: number | undefined }): void {
    if (!this.#isAuditing) return;
    const id = `${this.#ids.ofOthers}${this.#ids.next()}`;
    this.#batch.note({ ...note, id, at: note.at ?? this.#options.clock.now() });
    this.#flushWithin(auditMs);
  }

  started(): void {}

  ended(call: CallRecord): void {
    if (call.sessionId === noSession) return;
    const isKept = this.#isOn && this.#keeps(call);
    const isNoted = this.#isAuditing && isAudited(call.method);
    if (!isKept && !isNoted) return;
    this.#add(call, isKept, isNoted);
    if (this.#batch.isFull) this.flush();
    else this.#flushWithin(isNoted ? auditMs : this.#gatherMs);
  }

  strayed(stray: StrayCall): void {
    if (!(this.#isOn || this.#isAuditing) || stray.sessionId === noSession) return;
    // Clients can cause refusals as fast as they like: beyond the budget they are only counted.
    if (!this.#failed.take(stray.at)) {
      this.#refused(stray);
      return;
    }
    const isAlone = this.#isOn ? undefined : (true as const);
    this.#attempt(() => {
      // Uses the same name as for its calls: the identity counts, not what the client calls itself.
      const agent = this.#isAuditing ? this.#agentOf(stray.sessionId) : undefined;
      const audit = { prefix: this.#ids.ofOthers, number: this.#ids.next(), isAlone, agent };
      recordStray(this.#batch, stray, this.#nameOf(stray.sessionId), this.#isAuditing ? audit : undefined);
    });
    this.#flushWithin(this.#isAuditing ? auditMs : this.#gatherMs);
  }

  #refused({ sessionId }: StrayCall): void {
    if (!this.#isAuditing) return;
    this.#attempt(() =>
      this.#refusals.add(this.#agentOf(sessionId) ?? this.#nameOf(sessionId) ?? 'an unknown client'),
    );
  }

  /** Same as {@link #attempt}, without creating a closure for each call. */
  #add(call: CallRecord, isKept: boolean, isNoted: boolean): void {
    try {
      const head = this.#heads.find(this.#batch, call, this.#isAuditing);
      const waited = this.#options.waitedIn?.(call) ?? 0;
      this.#batch.addCall(head, call, isNoted ? call.id : Number.NaN, !isKept, waited);
    } catch (error) {
      this.#options.report(error);
    }
  }

  /** Never lets a recording error break a call. */
  #attempt(record: () => void): void {
    try {
      record();
    } catch (error) {
      this.#options.report(error);
    }
  }

  #keeps(call: CallRecord): boolean {
    const budget = call.outcome === 'ok' ? this.#answered : this.#failed;
    if (budget.take(call.endedAt ?? call.startedAt)) return true;
    this.#merged.add(call);
    this.#merging.mark();
    return false;
  }

  asked(question: QuestionRecord): void {
    if (!this.#isOn) return;
    const { serverKey, sessionId, request, endedAt } = question;
    if (this.#failed.take(endedAt)) {
      this.#attempt(() => recordQuestion(this.#batch, question, this.#nameOf(sessionId)));
      this.#flushWithin(this.#gatherMs);
    } else this.noticed({ serverKey, method: request.method });
  }

  /** Records a notification of a server, or a client's request to the hub itself. */
  noticed(notice: {
    readonly serverKey?: string;
    readonly sessionId?: string;
    readonly method: string;
  }): void {
    if (!this.#isOn || routed.has(notice.method)) return;
    if (notice.sessionId !== undefined) this.#meet(notice.sessionId);
    this.#notices.add(notice);
  }

  happened(happenings: readonly Happening[]): void {
    const at = this.#options.clock.now();
    this.#happened(happenings.map((happening) => rowOf(happening, happening.at ?? at)));
  }

  /** Hands over everything recorded so far. */
  flush(): void {
    this.#timer?.timer.dispose();
    this.#timer = undefined;
    this.#heads.forget();
    if (this.#batch.isEmpty) return;
    const { send } = this.#options;
    this.#attempt(() => send(this.#batch.take()));
  }

  dispose(): void {
    this.#merging.flush();
    this.#refusals.dispose();
    this.#notices.dispose();
    this.flush();
    this.#isOn = false;
  }

  #happened(happenings: readonly NewRow[]): void {
    if (!this.#isOn || happenings.length === 0) return;
    this.#attempt(() => {
      for (const row of happenings)
        this.#batch.add({ ...row, clientName: row.clientName ?? this.#nameOf(row.clientId) });
    });
    this.#flushWithin(this.#options.isWatched() ? watchedMs : unhurriedMs);
  }

  #nameOf(sessionId: string | undefined): string | undefined {
    return sessionId === undefined ? undefined : this.#options.clientName(sessionId);
  }

  /** Looks up the name now: the session may be gone when the batch is handed over. */
  #meet(sessionId: string): void {
    try {
      this.#options.clientName(sessionId);
    } catch {
      // The error is reported when the name is needed.
    }
  }

  get #gatherMs(): number {
    return this.#options.isWatched() ? watchedMs : gatherMs;
  }

  #flushWithin(milliseconds: number): void {
    const timer = this.#timer;
    if (timer !== undefined && timer.due <= milliseconds) return;
    timer?.timer.dispose();
    this.#timer = { due: milliseconds, timer: this.#options.clock.after(milliseconds, () => this.flush()) };
  }
}

function unknown(): undefined {
  return undefined;
}

/** Methods that are recorded as calls. */
const routed: ReadonlySet<string> = new Set([
  'tools/call',
  'prompts/get',
  'resources/read',
  'resources/subscribe',
  'resources/unsubscribe',
  'completion/complete',
  'tasks/get',
  'tasks/result',
  'tasks/cancel',
]);

/** Milliseconds from the end of a call until it is handed over. */
const gatherMs = 250;
/** Milliseconds in which calls that are counted together are gathered. */
const mergeMs = 1_000;
const watchedMs = 50;
/** Puts audit entries on disk within 50 ms of the operation, the write included. Each batch has its cost. */
const auditMs = 25;
/** Server events alone do not justify a worker: they go with the next call, or after this time. */
const unhurriedMs = 60_000;

function rowOf({ about, subject, sessionId, text, tone }: Happening, at: number): NewRow {
  const row = { at, kind: 'hub', outcome: 'note', text, tone } as const;
  if (about === 'server') return { ...row, serverKey: subject };
  return about === 'client' ? { ...row, clientName: subject, clientId: sessionId } : row;
}
