import type { Clock } from '../base/clock.ts';
import type { RawRequest } from '../jsonrpc/raw-message.ts';
import type { CallRecord, ServerRequestListener, ServerRequestRecord } from './contract.ts';

/** A period in which a person was asked something for a server; still open without `to`. */
interface WaitPeriod {
  readonly serverKey: string;
  readonly from: number;
  to?: number;
}

/** Members that are known once a server request has ended. */
type EndMembers = 'endedAt' | 'outcome' | 'answer';

/**
 * Measures how much of a call's time a person took: to approve it, or to answer a request of its server. This
 * time does not count against the server. Which call of a session caused a server request is unknown, so it
 * counts for all that were active there.
 */
export class HumanWaitTime implements ServerRequestListener {
  readonly #clock: Clock;
  readonly #approvalMs = new WeakMap<RawRequest, number>();
  readonly #periods = new Map<string, WaitPeriod[]>();
  readonly #open = new WeakMap<RawRequest, WaitPeriod>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Measures `ask`, which waits for a person to approve the call. */
  async measureApproval(call: RawRequest, ask: () => Promise<void>): Promise<void> {
    const from = this.#clock.now();
    try {
      await ask();
    } finally {
      this.#approvalMs.set(call, this.#clock.now() - from);
    }
  }

  requestStarted({
    serverKey,
    sessionId,
    request,
    startedAt: from,
  }: Omit<ServerRequestRecord, EndMembers>): void {
    if (request.method !== 'elicitation/create' || sessionId === undefined) return;
    const period = { serverKey, from };
    this.#open.set(request, period);
    const before = this.#periods.get(sessionId) ?? [];
    this.#periods.delete(sessionId);
    this.#periods.set(sessionId, [...before.slice(1 - maxRequests), period]);
    const [oldest] = this.#periods.keys();
    if (this.#periods.size > maxSessions && oldest !== undefined) this.#periods.delete(oldest);
  }

  requestEnded({ request, endedAt }: ServerRequestRecord): void {
    const period = this.#open.get(request);
    if (period !== undefined) period.to = endedAt;
  }

  /** Returns milliseconds, for a call that has ended. */
  of(call: CallRecord): number {
    const measureApproval = call.decision?.effect === 'ask' ? (this.#approvalMs.get(call.request) ?? 0) : 0;
    const periods = this.#periods.size === 0 ? undefined : this.#periods.get(call.sessionId);
    return periods === undefined ? measureApproval : measureApproval + overlapMs(periods, call);
  }
}

/** Sums the times without counting overlaps twice; `asked` is sorted by start. */
function overlapMs(
  periods: readonly WaitPeriod[],
  { serverKey, fallback, startedAt, endedAt }: CallRecord,
): number {
  const key = fallback?.serverKey ?? serverKey;
  let countedUntil = startedAt;
  let sum = 0;
  for (const { serverKey: server, from, to = endedAt ?? startedAt } of periods) {
    if (server !== key) continue;
    const begin = Math.max(from, countedUntil);
    const end = Math.min(to, endedAt ?? startedAt);
    if (end <= begin) continue;
    sum += end - begin;
    countedUntil = end;
  }
  return sum;
}

const maxSessions = 256;
/** Per session. */
const maxRequests = 32;
