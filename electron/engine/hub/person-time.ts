import type { Clock } from '../base/clock.ts';
import type { CallRecord, QuestionListener, QuestionRecord } from '../route/contract.ts';
import type { RawRequest } from '../rpc/raw-message.ts';

/** While somebody was being asked something for a server; without an end, still is. */
interface Asked {
  readonly serverKey: string;
  readonly from: number;
  to?: number;
}

/** What is known once a question is over. */
type Ended = 'endedAt' | 'outcome' | 'answer';

/**
 * How much of a call's time was a person's: to allow it, or to answer what its server asked meanwhile. That says nothing of
 * its server. Which of a session's calls a question came from is not known, so it counts for all that were under way there.
 */
export class PersonTime implements QuestionListener {
  readonly #clock: Clock;
  readonly #allowed = new WeakMap<RawRequest, number>();
  readonly #asked = new Map<string, Asked[]>();
  readonly #open = new WeakMap<RawRequest, Asked>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Somebody is asked whether this call may be made, for as long as `ask` takes. */
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

  /** Milliseconds; of a call that has ended. */
  of(call: CallRecord): number {
    const allowing = call.decision?.effect === 'ask' ? (this.#allowed.get(call.request) ?? 0) : 0;
    const asked = this.#asked.size === 0 ? undefined : this.#asked.get(call.sessionId);
    return asked === undefined ? allowing : allowing + within(asked, call);
  }
}

/** Questions may overlap; they stand in the order in which they began. */
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
/** Of one session. */
const mostQuestions = 32;
