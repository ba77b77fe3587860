import type { HealthSample } from '../../../shared/model/health.ts';
import type { Recent } from './health-rules.ts';

/** Max spans: half an hour at one per 30 s. */
const maxSpans = 60;

/** Milliseconds that count as recent. */
export const recentMs = 5 * 60_000;

/** Max response times stored per span, the latest ones: enough for a median, whatever the traffic. */
const maxTimes = 32;

/** Short in-memory history of a server's health, in spans that its owner closes. */
export class HealthHistory {
  #closedSpans: readonly ClosedSpan[] = [];
  /** Parts of the open span from before the server's last start. */
  #beforeRestart: readonly Span[] = [];
  #current = new Span();

  /** Counts a call that has ended. Runs for every call, so it must be cheap. */
  recordCall(milliseconds: number, failed: boolean): void {
    this.#current.calls++;
    if (failed) this.#current.errors++;
    else this.#current.callTimes.add(milliseconds);
  }

  /** Records the duration of a check; a missed one counts as its timeout. */
  recordCheck(milliseconds: number): void {
    this.#current.checkTimes.add(milliseconds);
  }

  /** Starts a new part of the span: earlier values stay in the history, but no longer count as recent. */
  markRestart(): void {
    this.#closedSpans = this.#closedSpans.map(({ sample }) => ({ sample }));
    this.#beforeRestart = [...this.#beforeRestart, this.#current];
    this.#current = new Span();
  }

  /** Ends the open span. Without a status it is discarded, because the server was not meant to run. */
  close(at: number, status: HealthSample['status'] | undefined): HealthSample | undefined {
    const span = this.#current;
    const all = [...this.#beforeRestart, span];
    this.#beforeRestart = [];
    this.#current = new Span();
    if (status === undefined) return undefined;
    const sample = sampleOf(all, at, status);
    const earlier = this.#closedSpans.map((old) =>
      old.sample.at > at - recentMs ? old : { sample: old.sample },
    );
    this.#closedSpans = [...earlier, { sample, span }].slice(-maxSpans);
    return sample;
  }

  /** Oldest first. */
  get samples(): readonly HealthSample[] {
    return this.#closedSpans.map(({ sample }) => sample);
  }

  /** Failed calls and all calls of the open span, for its status. */
  get current(): { readonly calls: number; readonly errors: number } {
    const all = [...this.#beforeRestart, this.#current];
    return { calls: sumOf(all, ({ calls }) => calls), errors: sumOf(all, ({ errors }) => errors) };
  }

  /** Returns the recent values since the server's last start. */
  recent(now: number): Recent & { readonly responseMs?: number } {
    const spans = this.#recentSpans(now);
    const checkMs = median(spans.flatMap(({ checkTimes }) => checkTimes.all));
    const responseMs = medianOf(spans);
    return {
      calls: sumOf(spans, ({ calls }) => calls),
      failedCalls: sumOf(spans, ({ errors }) => errors),
      checks: sumOf(spans, ({ checkTimes }) => checkTimes.all.length),
      ...(checkMs === undefined ? {} : { checkMs }),
      ...(responseMs === undefined ? {} : { responseMs }),
    };
  }

  #recentSpans(now: number): readonly Span[] {
    const closed = this.#closedSpans.flatMap(({ sample, span }) =>
      span === undefined || sample.at <= now - recentMs ? [] : [span],
    );
    return [...closed, this.#current];
  }
}

interface ClosedSpan {
  readonly sample: HealthSample;
  /** Present only for recent spans. */
  readonly span?: Span;
}

class Span {
  calls = 0;
  errors = 0;
  readonly callTimes = new RingBuffer();
  readonly checkTimes = new RingBuffer();
}

/** Ring buffer of the latest values. */
class RingBuffer {
  readonly all: number[] = [];
  #count = 0;

  add(milliseconds: number): void {
    this.all[this.#count++ % maxTimes] = milliseconds;
  }
}

function sampleOf(spans: readonly Span[], at: number, status: HealthSample['status']): HealthSample {
  const responseMs = medianOf(spans);
  return {
    at,
    status,
    calls: sumOf(spans, ({ calls }) => calls),
    errors: sumOf(spans, ({ errors }) => errors),
    ...(responseMs === undefined ? {} : { responseMs }),
  };
}

function medianOf(spans: readonly Span[]): number | undefined {
  return median(spans.flatMap(({ callTimes, checkTimes }) => [...callTimes.all, ...checkTimes.all]));
}

function median(values: readonly number[]): number | undefined {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

function sumOf(spans: readonly Span[], of: (span: Span) => number): number {
  return spans.reduce((total, span) => total + of(span), 0);
}
