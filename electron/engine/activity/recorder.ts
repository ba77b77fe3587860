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
import { AuditIds, auditHead, isAudited } from './audit-heads.ts';
import { Budget } from './budget.ts';
import type { DeskInput, NewRow } from './contract.ts';
import { MergedCalls } from './merged-calls.ts';
import { NoticeCounts } from './notice-counts.ts';
import { RecordBatch } from './record-batch.ts';
import { recordCall, recordQuestion, recordStray } from './record-parts.ts';

export interface RecorderOptions {
  readonly clock: Clock;
  /** The name of a session's client, undefined before it has introduced itself; known for a while after it has gone. */
  readonly clientName: (sessionId: string) => string | undefined;
  /** Whose call it is in the audit log; its client's name by default. */
  readonly agentOf?: (sessionId: string) => string | undefined;
  /** What its caller knows a call by. */
  readonly correlationOf?: (call: CallRecord) => string | undefined;
  /** Takes over what is to be kept. */
  /** Somebody waits for what comes. */
  readonly isWatched: () => boolean;
  /** What was to be handed over is lost, for this reason. */
  readonly report: (error: unknown) => void;
  readonly send: (input: Extract<DeskInput, { readonly kind: 'add' }>) => void;
}

/**
 * Takes note of what goes through the hub. On the path of each call it keeps a reference and looks at a length; the rest
 * comes a moment later, for many at once. Nothing is kept for longer than that moment. Calls that come faster than
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
  readonly #ids = new AuditIds();
  #isAuditing = false;
  #calls: CallRecord[] = [];
  /** For each of them, whether activity keeps it by itself. */
  #kept: boolean[] = [];
  #agents: (string | undefined)[] = [];
  #notes: AuditEntry[] = [];
  #bytes = 0;
  #strays: StrayCall[] = [];
  #questions: QuestionRecord[] = [];
  #happenings: NewRow[] = [];
  #timer: { readonly due: number; readonly timer: Disposable } | undefined;

  constructor(options: RecorderOptions) {
    this.#options = options;
    const { clock } = options;
    this.#notices = new NoticeCounts(clock, (counted) => this.#happened(counted));
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
    if (!on) this.flush();
    this.#isAuditing = on;
  }

  /** For the audit log. */
  note(note: Omit<AuditEntry, 'id' | 'at'>): void {
    if (!this.#isAuditing) return;
    this.#notes.push({ ...note, id: this.#ids.next(), at: this.#options.clock.now() });
    this.#flushWithin(auditMs);
  }

  started(): void {}

  ended(call: CallRecord): void {
    if (call.sessionId === noSession) return;
    const isKept = this.#isOn && this.#keeps(call);
    const isNoted = this.#isAuditing && isAudited(call.method);
    if (!isKept && !isNoted) return;
    this.#meet(call.sessionId);
    this.#calls.push(call);
    this.#kept.push(isKept);
    this.#agents.push(isNoted ? this.#options.agentOf?.(call.sessionId) : undefined);
    this.#bytes += (call.request.size ?? 0) + (call.answer?.size ?? 0);
    // Large answers are not held for longer than their calls.
    if (this.#bytes > mostBytes || this.#calls.length >= mostCalls) this.flush();
    else this.#flushWithin(isNoted ? auditMs : this.#gatherMs);
  }

  strayed(stray: StrayCall): void {
    // Refusals come as fast as a client likes to ask: what is beyond the budget is noise.
    if (!(this.#isOn || this.#isAuditing) || stray.sessionId === noSession) return;
    if (!this.#failed.take(stray.at)) return;
    this.#strays.push(stray);
    this.#flushWithin(this.#isAuditing ? auditMs : this.#gatherMs);
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
      if (sessionId !== undefined) this.#meet(sessionId);
      this.#questions.push(question);
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
    this.#happened(happenings.map((happening) => rowOf(happening, at)));
  }

  /** Hands over what was noted so far. */
  flush(): void {
    this.#timer?.timer.dispose();
    this.#timer = undefined;
    const noted = {
      happenings: this.#happenings,
      calls: this.#calls,
      kept: this.#kept,
      agents: this.#agents,
      notes: this.#notes,
      strays: this.#strays,
      questions: this.#questions,
    };
    if (Object.values(noted).every(({ length }) => length === 0)) return;
    [this.#calls, this.#kept, this.#agents, this.#notes, this.#strays] = [[], [], [], [], []];
    [this.#questions, this.#happenings, this.#bytes] = [[], [], 0];
    try {
      this.#send(noted);
    } catch (error) {
      // Whatever is the matter with it, it is not the calls' matter.
      this.#options.report(error);
    }
  }

  #send({ happenings, calls, kept, agents, notes, strays, questions }: Noted): void {
    const batch = new RecordBatch();
    const { clientName, send } = this.#options;
    const nameOf = (id: string | undefined) => (id === undefined ? undefined : clientName(id));
    for (const row of happenings) batch.add({ ...row, clientName: row.clientName ?? nameOf(row.clientId) });
    for (const [index, call] of calls.entries())
      recordCall(
        batch,
        call,
        nameOf(call.sessionId),
        this.#auditHead(call, kept[index] === true, agents[index]),
      );
    for (const stray of strays) {
      const audit = this.#isAuditing
        ? { id: this.#ids.next(), isAlone: this.#isOn ? undefined : (true as const) }
        : undefined;
      recordStray(batch, stray, nameOf(stray.sessionId), audit);
    }
    batch.note(notes);
    for (const question of questions) recordQuestion(batch, question, nameOf(question.sessionId));
    send(batch.toInput());
  }

  dispose(): void {
    this.#merging.flush();
    this.#notices.dispose();
    this.flush();
    this.#isOn = false;
  }

  #happened(happenings: readonly NewRow[]): void {
    if (!this.#isOn || happenings.length === 0) return;
    this.#happenings.push(...happenings);
    this.#flushWithin(this.#options.isWatched() ? watchedMs : unhurriedMs);
  }

  #auditHead(call: CallRecord, isKept: boolean, agent: string | undefined) {
    if (!this.#isAuditing || !isAudited(call.method)) return undefined;
    return auditHead(this.#ids.of(call), call, {
      isKept,
      agent,
      correlationId: this.#options.correlationOf?.(call),
    });
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

interface Noted {
  readonly happenings: readonly NewRow[];
  readonly calls: readonly CallRecord[];
  readonly kept: readonly boolean[];
  readonly agents: readonly (string | undefined)[];
  readonly notes: readonly AuditEntry[];
  readonly strays: readonly StrayCall[];
  readonly questions: readonly QuestionRecord[];
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
/** What is audited is on the disk a moment after it was done. */
const auditMs = 15;
/** News of servers alone are not worth a thread: they go with the next call, or after this time. */
const unhurriedMs = 60_000;
const mostCalls = 256;
const mostBytes = 4 * 1024 * 1024;

function rowOf({ about, subject, sessionId, text, tone }: Happening, at: number): NewRow {
  const row = { at, kind: 'hub', outcome: 'note', text, tone } as const;
  if (about === 'server') return { ...row, serverKey: subject };
  return about === 'client' ? { ...row, clientName: subject, clientId: sessionId } : row;
}
