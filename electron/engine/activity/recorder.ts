import type { StatusEvent } from '../../../shared/model/activity/status-event.ts';
import type { Clock } from '../base/clock.ts';
import { type Coalescer, createCoalescer } from '../base/coalescer.ts';
import type { Disposable } from '../base/emitter.ts';
import {
  type CallListener,
  type CallRecord,
  hubSessionId,
  type ServerRequestListener,
  type ServerRequestRecord,
  type UnroutableCall,
} from '../routing/contract.ts';
import type { AuditEntry } from './audit/audit.ts';
import { AuditIds, isAudited } from './audit-heads.ts';
import { Budget } from './budget.ts';
import type { ActivityBatch, NewRow } from './contract.ts';
import { MergedCalls } from './merged-calls.ts';
import { NotificationCounts } from './notification-counts.ts';
import { RecordBatch } from './record-batch.ts';
import { recordCall, recordServerRequest, recordUnroutable } from './record-parts.ts';
import { RefusalCounts } from './refusal-counts.ts';

export interface RecorderOptions {
  readonly clock: Clock;
  /**
   * Returns the client name of a session; undefined before it has sent its client info, and known for a while
   * after it has ended.
   */
  readonly clientName: (sessionId: string) => string | undefined;
  /** Returns how a session's client and a server speak, in words; undefined if that is not known. */
  readonly clientProtocol?: (sessionId: string) => string | undefined;
  readonly serverProtocol?: (serverKey: string) => string | undefined;
  /** Returns the caller for the audit log; the client's name by default. */
  readonly agentOf?: (sessionId: string) => string | undefined;
  /** Returns whether somebody watches new entries. */
  readonly isWatched: () => boolean;
  /** Called with the error when records are lost. */
  readonly report: (error: unknown) => void;
  /** Receives batches to store. */
  readonly send: (batch: ActivityBatch) => void;
}

/**
 * Records what goes through the hub. For each call it copies what is recorded into a batch that is handed
 * over shortly after, so nothing of a call is kept alive longer than the call. Calls that come faster
 * than anybody can read are counted together, so that a flood costs little and does not push out what came
 * before.
 */
export class Recorder implements CallListener, ServerRequestListener, Disposable {
  readonly #options: RecorderOptions;
  readonly #notices: NotificationCounts;
  #isOn = false;
  readonly #successBudget = new Budget({ burst: 500, perSecond: 50 });
  readonly #failureBudget = new Budget({ burst: 200, perSecond: 50 });
  readonly #merged = new MergedCalls();
  readonly #mergeTimer: Coalescer;
  readonly #refusals: RefusalCounts;
  readonly #ids = new AuditIds();
  readonly #agentOf: (sessionId: string) => string | undefined;
  readonly #batch: RecordBatch;
  #isAuditing = false;
  #timer: { readonly due: number; readonly timer: Disposable } | undefined;

  constructor(options: RecorderOptions) {
    this.#options = options;
    const { clock, clientName, agentOf = returnUndefined } = options;
    const { clientProtocol = returnUndefined, serverProtocol = returnUndefined } = options;
    this.#agentOf = agentOf;
    this.#batch = new RecordBatch({
      client: (sessionId) => ({
        clientName: clientName(sessionId),
        clientProtocol: clientProtocol(sessionId),
        // Uses the identity's name and not what the client calls itself.
        agent: agentOf(sessionId),
      }),
      server: (serverKey) => ({ serverProtocol: serverProtocol(serverKey) }),
    });
    this.#notices = new NotificationCounts(clock, (counted) => this.#happened(counted));
    this.#refusals = new RefusalCounts(clock, (note) => this.note(note));
    this.#mergeTimer = createCoalescer(clock, mergeMs, () => this.#happened(this.#merged.take()));
  }

  /** Turns recording on or off; earlier records are still stored. */
  switch(on: boolean): void {
    if (!on) {
      this.#mergeTimer.flush();
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
    const id = `${this.#ids.otherPrefix}${this.#ids.next()}`;
    this.#batch.note({ ...note, id, at: note.at ?? this.#options.clock.now() });
    this.#flushWithin(auditMs);
  }

  ended(call: CallRecord): void {
    if (call.sessionId === hubSessionId) return;
    const isStored = this.#isOn && this.#isWithinBudget(call);
    const isAuditedCall = this.#isAuditing && isAudited(call.method);
    if (!isStored && !isAuditedCall) return;
    this.#add(call, isStored, isAuditedCall);
    if (this.#batch.isFull) this.flush();
    else this.#flushWithin(isAuditedCall ? auditMs : this.#flushDelayMs);
  }

  unroutable(stray: UnroutableCall): void {
    if (!(this.#isOn || this.#isAuditing) || stray.sessionId === hubSessionId) return;
    // Clients can cause refusals as fast as they like: beyond the budget they are only counted.
    if (!this.#failureBudget.take(stray.at)) {
      this.#refused(stray);
      return;
    }
    this.#attempt(() => {
      const audit = { id: `${this.#ids.otherPrefix}${this.#ids.next()}` };
      const isAuditOnly = this.#isOn ? undefined : true;
      recordUnroutable(this.#batch, stray, this.#isAuditing ? audit : undefined, isAuditOnly);
    });
    this.#flushWithin(this.#isAuditing ? auditMs : this.#flushDelayMs);
  }

  #refused({ sessionId }: UnroutableCall): void {
    if (!this.#isAuditing) return;
    this.#attempt(() =>
      this.#refusals.add(
        this.#agentOf(sessionId) ?? this.#options.clientName(sessionId) ?? 'an unknown client',
      ),
    );
  }

  #add(call: CallRecord, isStored: boolean, isAuditedCall: boolean): void {
    const auditPrefix = isAuditedCall ? this.#ids.callPrefix : undefined;
    const isAuditOnly = isStored ? undefined : true;
    this.#attempt(() => recordCall(this.#batch, call, { auditPrefix, isAuditOnly }));
  }

  /** Never lets a recording error break a call. */
  #attempt(record: () => void): void {
    try {
      record();
    } catch (error) {
      this.#options.report(error);
    }
  }

  #isWithinBudget(call: CallRecord): boolean {
    const budget = call.outcome === 'ok' ? this.#successBudget : this.#failureBudget;
    if (budget.take(call.endedAt ?? call.startedAt)) return true;
    this.#merged.add(call);
    this.#mergeTimer.mark();
    return false;
  }

  requestEnded(question: ServerRequestRecord): void {
    if (!this.#isOn) return;
    const { serverKey, request, endedAt } = question;
    if (this.#failureBudget.take(endedAt)) {
      this.#attempt(() => recordServerRequest(this.#batch, question));
      this.#flushWithin(this.#flushDelayMs);
    } else this.notified({ serverKey, method: request.method });
  }

  /** Records a notification of a server, or a client's request to the hub itself. */
  notified(notice: {
    readonly serverKey?: string;
    readonly sessionId?: string;
    readonly method: string;
  }): void {
    if (!this.#isOn || callMethods.has(notice.method)) return;
    if (notice.sessionId !== undefined) this.#rememberName(notice.sessionId);
    this.#notices.add(notice);
  }

  happened(happenings: readonly StatusEvent[]): void {
    const at = this.#options.clock.now();
    this.#happened(happenings.map((happening) => rowOf(happening, happening.at ?? at)));
  }

  /** Hands over everything recorded so far. */
  flush(): void {
    this.#timer?.timer.dispose();
    this.#timer = undefined;
    if (this.#batch.isEmpty) return;
    const { send } = this.#options;
    this.#attempt(() => send(this.#batch.take()));
  }

  dispose(): void {
    this.#mergeTimer.flush();
    this.#refusals.dispose();
    this.#notices.dispose();
    this.flush();
    this.#isOn = false;
  }

  #happened(happenings: readonly NewRow[]): void {
    if (!this.#isOn || happenings.length === 0) return;
    this.#attempt(() => {
      for (const row of happenings) this.#batch.add(row);
    });
    this.#flushWithin(this.#options.isWatched() ? watchedMs : eventDelayMs);
  }

  /** Looks up the name now: the session may be gone when the batch is handed over. */
  #rememberName(sessionId: string): void {
    try {
      this.#options.clientName(sessionId);
    } catch {
      // The error is reported when the name is needed.
    }
  }

  get #flushDelayMs(): number {
    return this.#options.isWatched() ? watchedMs : gatherMs;
  }

  #flushWithin(milliseconds: number): void {
    const timer = this.#timer;
    if (timer !== undefined && timer.due <= milliseconds) return;
    timer?.timer.dispose();
    this.#timer = { due: milliseconds, timer: this.#options.clock.after(milliseconds, () => this.flush()) };
  }
}

function returnUndefined(): undefined {
  return undefined;
}

/** Methods that are recorded as calls. */
const callMethods: ReadonlySet<string> = new Set([
  'tools/call',
  'prompts/get',
  'resources/read',
  'resources/subscribe',
  'resources/unsubscribe',
  'completion/complete',
  'tasks/get',
  'tasks/result',
  'tasks/update',
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
const eventDelayMs = 60_000;

function rowOf({ about, subject, sessionId, text, tone }: StatusEvent, at: number): NewRow {
  const row = { at, kind: 'hub', outcome: 'note', text, tone } as const;
  if (about === 'server') return { ...row, serverKey: subject };
  return about === 'client' ? { ...row, clientName: subject, clientId: sessionId } : row;
}
