import type { Clock } from '../base/clock.ts';
import type { CallRecord, QuestionListener, QuestionRecord } from '../route/contract.ts';
import type { RawRequest } from '../rpc/raw-message.ts';

/** A time in which a person was asked something for a server; still open without `to`. */
interface Asked {
  readonly serverKey: string;
  readonly from: number;
  to?: number;
}

/** Members that are known once a server request has ended. */
type Ended = 'endedAt' | 'outcome' | 'answer';

/**
 * Measures how much of a call's time a person took: to approve it, or to answer a request of its server. This
 * time does not count against the server. Which call of a session caused a server request is unknown, so it
 * counts for all that were active there.
 */
export class PersonTime implements QuestionListener {
  readonly #clock: Clock;
  readonly #allowed = new WeakMap<RawRequest, number>();
  readonly #asked = new Map<string, Asked[]>();
  readonly #open = new WeakMap<RawRequest, Asked>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Measures `ask`, which waits for a person to approve the call. */
  async allowing(call: RawRequest, ask: () => Promise<void>): Promise<void> {
    const from = this.#clock.now();
    try {
      await ask();
    } finally {
      this.#allowed.set(call, this.#clock.now() - from);
    }
  }

  asking({ serverKey, sessionId, request, startedAt: from }: Omit<QuestionRecord, Ended>): void {
    if (request.method !== 'elicitation/create' || sessionId === undefined) return;
    const asked = { serverKey, from };
    this.#open.set(request, asked);
    const before = this.#asked.get(sessionId) ?? [];
    this.#asked.delete(sessionId);
    this.#asked.set(sessionId, [...before.slice(1 - mostQuestions), asked]);
    const [oldest] = this.#asked.keys();
    if (this.#asked.size > mostSessions && oldest !== undefined) this.#asked.delete(oldest);
  }

  asked({ request, endedAt }: QuestionRecord): void {
    const asked = this.#open.get(request);
    if (asked !== undefined) asked.to = endedAt;
  }

  /** Returns milliseconds, for a call that has ended. */
  of(call: CallRecord): number {
    const allowing = call.decision?.effect === 'ask' ? (this.#allowed.get(call.request) ?? 0) : 0;
    const asked = this.#asked.size === 0 ? undefined : this.#asked.get(call.sessionId);
    return asked === undefined ? allowing : allowing + within(asked, call);
  }
}

/** Sums the times without counting overlaps twice; `asked` is sorted by start. */
function within(asked: readonly Asked[], { serverKey, fallback, startedAt, endedAt }: CallRecord): number {
  const key = fallback?.serverKey ?? serverKey;
  let counted = startedAt;
  let sum = 0;
  for (const { serverKey: by, from, to = endedAt ?? startedAt } of asked) {
    if (by !== key) continue;
    const begin = Math.max(from, counted);
    const end = Math.min(to, endedAt ?? startedAt);
    if (end <= begin) continue;
    sum += end - begin;
    counted = end;
  }
  return sum;
}

const mostSessions = 256;
/** Per session. */
const mostQuestions = 32;
