import type { RawRequest } from '../../jsonrpc/raw-message.ts';
import type { CallRecord, ServerRequestListener, ServerRequestRecord } from '../contract.ts';

/** A period in which a person was asked something for a server; still open without `to`. */
interface WaitPeriod {
  readonly serverKey: string;
  readonly from: number;
  to?: number;
}

/** Members that are known once a server request has ended. */
type EndMembers = 'endedAt' | 'outcome' | 'answer';

/**
 * Measures how much of a call's time a person took to answer requests of its server. Which call of a session
 * caused a server request is unknown, so it counts for all that were active there.
 */
export class HumanWaitTime implements ServerRequestListener {
  readonly #periods = new Map<string, WaitPeriod[]>();
  readonly #open = new WeakMap<RawRequest, WaitPeriod>();

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
  of(call: CallTimes): number {
    const periods = this.#periods.get(call.sessionId);
    return periods === undefined ? 0 : overlapMs(periods, call);
  }
}

type CallTimes = Pick<CallRecord, 'sessionId' | 'serverKey' | 'fallback' | 'startedAt' | 'endedAt'>;

/** Sums the times without counting overlaps twice; `periods` is sorted by start. */
function overlapMs(
  periods: readonly WaitPeriod[],
  { serverKey, fallback, startedAt, endedAt }: CallTimes,
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
