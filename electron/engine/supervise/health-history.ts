import type { HealthSample } from '../../../shared/model/health.ts';
import type { Recent } from './health-rules.ts';

/** Spans kept: half an hour, with one closed every 30 s. */
const longest = 60;

/** Milliseconds that count as the recent past. */
export const recentPast = 5 * 60_000;

/** Response times kept of one span, the latest: enough for a median, whatever the traffic. */
const timesPerSpan = 32;

/** The short history of a server's health, in spans that its owner closes. In memory only. */
export class HealthHistory {
  #closed: readonly ClosedSpan[] = [];
  /** Of the span that is open, what came before the server's last start. */
  #before: readonly Span[] = [];
  #open = new Span();

  /** A call has ended. On the way of every call, so it only counts. */
  called(milliseconds: number, failed: boolean): void {
    this.#open.calls++;
    if (failed) this.#open.errors++;
    else this.#open.callTimes.add(milliseconds);
  }

  /** A check took this long; one that was missed, its limit. */
  checked(milliseconds: number): void {
    this.#open.checkTimes.add(milliseconds);
  }

  /** The server has started anew: what was remains in the history, how it does now is open. */
  restarted(): void {
    this.#closed = this.#closed.map(({ sample }) => ({ sample }));
    this.#before = [...this.#before, this.#open];
    this.#open = new Span();
  }

  /** Ends the open span. Without a status nothing is kept of it: the server was not meant to run. */
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

  /** Calls of the open span that failed, of how many: for its status. */
  get open(): { readonly calls: number; readonly errors: number } {
    const all = [...this.#before, this.#open];
    return { calls: sum(all, ({ calls }) => calls), errors: sum(all, ({ errors }) => errors) };
  }

  /** How the server does since its last start. */
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
  /** Only of the recent past. */
  readonly span?: Span;
}

class Span {
  calls = 0;
  errors = 0;
  readonly callTimes = new Times();
  readonly checkTimes = new Times();
}

/** The latest of many. */
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
