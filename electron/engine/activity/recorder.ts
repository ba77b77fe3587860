import type { ActivityRow } from '../../../shared/model/activity.ts';
import type { Happening } from '../../../shared/model/happening.ts';
import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/emitter.ts';
import {
  type CallListener,
  type CallRecord,
  noSession,
  type QuestionListener,
  type QuestionRecord,
} from '../route/contract.ts';
import type { DeskInput } from './contract.ts';
import { NoticeCounts } from './notice-counts.ts';
import { RecordBatch } from './record-batch.ts';
import { recordCall, recordQuestion } from './record-parts.ts';

export interface RecorderOptions {
  readonly clock: Clock;
  /** The name of a session's client; undefined before it has introduced itself. */
  readonly clientName: (sessionId: string) => string | undefined;
  /** Takes over what is to be kept. */
  readonly send: (input: Extract<DeskInput, { readonly kind: 'add' }>) => void;
}

/**
 * Takes note of what goes through the hub. On the path of each call it keeps a reference and looks at a length; the rest
 * comes a moment later, for many at once. Nothing is kept for longer than that moment.
 */
export class Recorder implements CallListener, QuestionListener, Disposable {
  readonly #options: RecorderOptions;
  readonly #notices: NoticeCounts;
  #isOn = false;
  #calls: CallRecord[] = [];
  #bytes = 0;
  #questions: QuestionRecord[] = [];
  #happenings: Omit<ActivityRow, 'id'>[] = [];
  #timer: { readonly due: number; readonly timer: Disposable } | undefined;

  constructor(options: RecorderOptions) {
    this.#options = options;
    this.#notices = new NoticeCounts(options.clock, (counted) => this.#happened(counted));
  }

  get isOn(): boolean {
    return this.#isOn;
  }

  /** What came before still counts. */
  switch(on: boolean): void {
    if (!on) this.flush();
    this.#isOn = on;
  }

  started(): void {}

  ended(call: CallRecord): void {
    if (!this.#isOn || call.sessionId === noSession) return;
    this.#calls.push(call);
    this.#bytes += (call.request.size ?? 0) + (call.answer?.size ?? 0);
    // Large answers are not held for longer than their calls.
    if (this.#bytes > mostBytes || this.#calls.length >= mostCalls) this.flush();
    else this.#flushWithin(gatherMs);
  }

  asked(question: QuestionRecord): void {
    if (!this.#isOn) return;
    this.#questions.push(question);
    this.#flushWithin(gatherMs);
  }

  /** A server said something of its own accord, or a client asked the hub itself for something. */
  noticed(notice: {
    readonly serverKey?: string;
    readonly sessionId?: string;
    readonly method: string;
  }): void {
    if (this.#isOn) this.#notices.add(notice);
  }

  happened(happenings: readonly Happening[]): void {
    const at = this.#options.clock.now();
    this.#happened(happenings.map((happening) => ({ ...rowOf(happening), at })));
  }

  /** Hands over what was noted so far. */
  flush(): void {
    this.#timer?.timer.dispose();
    this.#timer = undefined;
    const [calls, questions, happenings] = [this.#calls, this.#questions, this.#happenings];
    if (calls.length + questions.length + happenings.length === 0) return;
    [this.#calls, this.#questions, this.#happenings, this.#bytes] = [[], [], [], 0];
    const batch = new RecordBatch();
    const { clientName, send } = this.#options;
    for (const head of happenings) batch.add(named(head, clientName));
    for (const call of calls) recordCall(batch, call, clientName(call.sessionId));
    for (const question of questions) {
      const { sessionId } = question;
      recordQuestion(batch, question, sessionId === undefined ? undefined : clientName(sessionId));
    }
    send(batch.toInput());
  }

  dispose(): void {
    this.#notices.dispose();
    this.flush();
    this.#isOn = false;
  }

  #happened(happenings: readonly Omit<ActivityRow, 'id'>[]): void {
    if (!this.#isOn || happenings.length === 0) return;
    this.#happenings.push(...happenings);
    this.#flushWithin(unhurriedMs);
  }

  #flushWithin(milliseconds: number): void {
    const timer = this.#timer;
    if (timer !== undefined && timer.due <= milliseconds) return;
    timer?.timer.dispose();
    this.#timer = { due: milliseconds, timer: this.#options.clock.after(milliseconds, () => this.flush()) };
  }
}

/** Milliseconds from the end of a call until it is handed over. */
const gatherMs = 20;
/** Nobody waits for news of a server; so its start is not held up by a thread of ours. */
const unhurriedMs = 2_000;
const mostCalls = 256;
const mostBytes = 4 * 1024 * 1024;

function named(
  head: Omit<ActivityRow, 'id'>,
  clientName: RecorderOptions['clientName'],
): Omit<ActivityRow, 'id'> {
  if (head.clientId === undefined || head.clientName !== undefined) return head;
  const name = clientName(head.clientId);
  return name === undefined ? head : { ...head, clientName: name };
}

function rowOf({ about, subject, sessionId, text, tone }: Happening): Omit<ActivityRow, 'id' | 'at'> {
  const row = { kind: 'hub', outcome: 'note', text, tone } as const;
  if (about === 'server') return { ...row, serverKey: subject };
  const clientId = sessionId === undefined ? {} : { clientId: sessionId };
  if (about === 'client') return { ...row, clientName: subject, ...clientId };
  return row;
}
