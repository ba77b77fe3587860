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
  /** The name of a session's client, undefined before it has introduced itself; known for a while after it has gone. */
  readonly clientName: (sessionId: string) => string | undefined;
  /** Whose call it is in the audit log; its client's name by default. */
  readonly agentOf?: (sessionId: string) => string | undefined;
  /** What its caller knows a call by. */
  readonly correlationOf?: (call: CallRecord) => string | undefined;
  /** How much of a call's time somebody was being asked, which says nothing of its server. */
  readonly waitedIn?: (call: CallRecord) => number;
  /** Somebody waits for what comes. */
  readonly isWatched: () => boolean;
  /** What was to be handed over is lost, for this reason. */
  readonly report: (error: unknown) => void;
  /** Takes over what is to be kept. */
  readonly send: (input: Extract<DeskInput, { readonly kind: 'add' }>) => void;
}

/**
 * Takes note of what goes through the hub. On the path of each call it copies some numbers and what the call carried into a
 * batch, which is handed over a moment later: nothing of a call is held for longer than the call. Calls that come faster than
 * anybody can read are counted together, so that a flood neither costs much nor washes away what was before it.
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

  /** What came before still counts. */
  switch(on: boolean): void {
    if (!on) {
      this.#merging.flush();
      this.flush();
    }
    this.#isOn = on;
  }

  /** Whether what is done is told to the audit log. */
  audit(on: boolean): void {
    this.#refusals.flush();
    this.flush();
    this.#isAuditing = on;
  }

  /** For the audit log. */
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
    // Refusals come as fast as a client likes to ask: what is beyond the budget is counted.
    if (!this.#failed.take(stray.at)) {
      this.#refused(stray);
      return;
    }
    const isAlone = this.#isOn ? undefined : (true as const);
    this.#attempt(() => {
      // The same name as for its calls: whose it is counts, not what the client calls itself.
      const agent = this.#isAuditing ? this.#agentOf(stray.sessionId) : undefined;
      const audit = { prefix: this.#ids.ofOthers, number: this.#ids.next(), isAlone, agent };
      recordStray(this.#batch, stray, this.#nameOf(stray.sessionId), this.#isAuditing ? audit : undefined);
    });
    this.#flushWithin(this.#isAuditing ? auditMs : this.#gatherMs);
  }

  #refused({ sessionId }: StrayCall): void {
    if (!this.#isAuditing) return;
    this.#attempt(() =>
      this.#refusals.add(this.#agentOf(sessionId) ?? this.#nameOf(sessionId) ?? 'somebody unknown'),
    );
  }

  /** As {@link #attempt}, without a function for each call. */
  #add(call: CallRecord, isKept: boolean, isNoted: boolean): void {
    try {
      const head = this.#heads.find(this.#batch, call, this.#isAuditing);
      const waited = this.#options.waitedIn?.(call) ?? 0;
      this.#batch.addCall(head, call, isNoted ? call.id : Number.NaN, !isKept, waited);
    } catch (error) {
      this.#options.report(error);
    }
  }

  /** Whatever is the matter with it, it is not the calls' matter. */
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

  /** A server said something of its own accord, or a client asked the hub itself for something. */
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

  /** Hands over what was noted so far. */
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

  /** It may be gone when what it did is handed over. */
  #meet(sessionId: string): void {
    try {
      this.#options.clientName(sessionId);
    } catch {
      // That is told when its name is needed.
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

/** What is heard of as a call. */
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
/** Calls that are counted together are, for as long. */
const mergeMs = 1_000;
const watchedMs = 50;
/** What is audited is on the disk a moment after it was done: with the write, less than 50. Each batch has its cost. */
const auditMs = 25;
/** News of servers alone are not worth a thread: they go with the next call, or after this time. */
const unhurriedMs = 60_000;

function rowOf({ about, subject, sessionId, text, tone }: Happening, at: number): NewRow {
  const row = { at, kind: 'hub', outcome: 'note', text, tone } as const;
  if (about === 'server') return { ...row, serverKey: subject };
  return about === 'client' ? { ...row, clientName: subject, clientId: sessionId } : row;
}
