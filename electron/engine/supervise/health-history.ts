import type { HealthSample } from '../../../shared/model/health.ts';
import type { Recent } from './health-rules.ts';

/** Max spans: half an hour at one per 30 s. */
const longest = 60;

/** Milliseconds that count as recent. */
export const recentPast = 5 * 60_000;

/** Max response times stored per span, the latest ones: enough for a median, whatever the traffic. */
const timesPerSpan = 32;

/** Short in-memory history of a server's health, in spans that its owner closes. */
export class HealthHistory {
  #closed: readonly ClosedSpan[] = [];
  /** Parts of the open span from before the server's last start. */
  #before: readonly Span[] = [];
  #open = new Span();

  /** Counts a call that has ended. Runs for every call, so it must be cheap. */
  called(milliseconds: number, failed: boolean): void {
    this.#open.calls++;
    if (failed) this.#open.errors++;
    else this.#open.callTimes.add(milliseconds);
  }

  /** Records the duration of a check; a missed one counts as its timeout. */
  checked(milliseconds: number): void {
    this.#open.checkTimes.add(milliseconds);
  }

  /** Starts a new part of the span: earlier values stay in the history, but no longer count as recent. */
  restarted(): void {
    this.#closed = this.#closed.map(({ sample }) => ({ sample }));
    this.#before = [...this.#before, this.#open];
    this.#open = new Span();
  }

  /** Ends the open span. Without a status it is discarded, because the server was not meant to run. */
  close(at: number, status: HealthSample['status'] | undefined): HealthSample | undefined {
    const span = this.#open;
    const all = [...this.#before, span];
    this.#before = [];
    this.#open = new Span();
    if (status === undefined) return undefined;
    const sample = sampleOf(all, at, status);
    const kept = this.#closed.map((old) => (old.sample.at > at - recentPast ? old : { sample: old.sample }));
    this.#closed = [...kept, { sample, span }].slice(-longest);
    return sample;
  }

  /** Oldest first. */
  get samples(): readonly HealthSample[] {
    return this.#closed.map(({ sample }) => sample);
  }

  /** Failed calls and all calls of the open span, for its status. */
  get open(): { readonly calls: number; readonly errors: number } {
    const all = [...this.#before, this.#open];
    return { calls: sum(all, ({ calls }) => calls), errors: sum(all, ({ errors }) => errors) };
  }

  /** Returns the recent values since the server's last start. */
  recent(now: number): Recent & { readonly responseMs?: number } {
    const spans = this.#recentSpans(now);
    const checkMs = median(spans.flatMap(({ checkTimes }) => checkTimes.all));
    const responseMs = medianOf(spans);
    return {
      calls: sum(spans, ({ calls }) => calls),
      failedCalls: sum(spans, ({ errors }) => errors),
      checks: sum(spans, ({ checkTimes }) => checkTimes.all.length),
      ...(checkMs === undefined ? {} : { checkMs }),
      ...(responseMs === undefined ? {} : { responseMs }),
    };
  }

  #recentSpans(now: number): readonly Span[] {
    const closed = this.#closed.flatMap(({ sample, span }) =>
      span === undefined || sample.at <= now - recentPast ? [] : [span],
    );
    return [...closed, this.#open];
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
  readonly callTimes = new Times();
  readonly checkTimes = new Times();
}

/** Ring buffer of the latest values. */
class Times {
  readonly all: number[] = [];
  #count = 0;

  add(milliseconds: number): void {
    this.all[this.#count++ % timesPerSpan] = milliseconds;
  }
}

function sampleOf(spans: readonly Span[], at: number, status: HealthSample['status']): HealthSample {
  const responseMs = medianOf(spans);
  return {
    at,
    status,
    calls: sum(spans, ({ calls }) => calls),
    errors: sum(spans, ({ errors }) => errors),
    ...(responseMs === undefined ? {} : { responseMs }),
  };
}

function medianOf(spans: readonly Span[]): number | undefined {
  return median(spans.flatMap(({ callTimes, checkTimes }) => [...callTimes.all, ...checkTimes.all]));
}

function median(values: readonly number[]): number | undefined {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

function sum(spans: readonly Span[], of: (span: Span) => number): number {
  return spans.reduce((total, span) => total + of(span), 0);
}
