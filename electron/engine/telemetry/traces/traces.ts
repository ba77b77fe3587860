import { type Clock, delay } from '../../base/clock.ts';
import type { CloseStack } from '../../base/close-stack.ts';
import type { Logger } from '../../base/logger.ts';
import type { ActiveCalls } from '../../routing/active-calls.ts';
import { type CallRecord, hubSessionId, type UnroutableCall } from '../../routing/contract.ts';
import { type CallSpan, spanOfCall, spanOfUnroutable } from './call-span.ts';
import type { SpanSender } from './span-sender.ts';
import { readTraceSettings, type TraceSettings } from './trace-settings.ts';

export interface TracesOptions {
  readonly environment: {
    readonly current: Readonly<Record<string, string | undefined>>;
    /** Resolves once the environment is complete. */
    readonly whole: Promise<unknown>;
  };
  readonly version: string;
  readonly clock: Clock;
  readonly log: Logger;
  readonly opened: CloseStack;
}

/**
 * Sends each call as a span to the endpoint in OpenTelemetry's variables, once the environment is complete.
 * Without an endpoint nothing is loaded, and calls cost nothing more.
 */
export class Traces {
  readonly #options: TracesOptions;
  #sender: SpanSender | undefined;
  /** Spans of calls that end before the settings are known; undefined afterwards. */
  #early: CallSpan[] | undefined = [];
  #followed: Promise<void> = Promise.resolve();
  #isOver = false;

  /** Register this before parts that make calls, since it has to close after them. */
  constructor(options: TracesOptions) {
    this.#options = options;
    options.opened.defer(() => this.#close());
  }

  /** Resolves when it is decided whether calls become spans. */
  follow(calls: Pick<ActiveCalls, 'observe'>): Promise<void> {
    const subscription = calls.observe({
      ended: (call) => this.#send(spanOfCall, call),
      unroutable: (unroutable) => this.#send(spanOfUnroutable, unroutable),
    });
    this.#followed = this.#begin()
      .catch((error) => this.#options.log.log('warn', 'Traces cannot be sent', { error: String(error) }))
      .then(() => {
        for (const span of this.#early ?? []) this.#sender?.send(span);
        this.#early = undefined;
        if (this.#sender === undefined) subscription.dispose();
      });
    return this.#followed;
  }

  async #begin(): Promise<void> {
    const { environment, log } = this.#options;
    await environment.whole;
    const choice = readTraceSettings(environment.current);
    if (choice.kind === 'bad') log.log('warn', choice.why);
    if (choice.kind === 'on') await this.#open(choice.settings);
  }

  async #open(settings: TraceSettings): Promise<void> {
    const { version, log } = this.#options;
    const { SpanSender } = await import('./span-sender.ts');
    if (this.#isOver) return;
    const { host } = new URL(settings.url);
    const report = (why: string | undefined) => {
      if (why === undefined) log.log('info', `Traces reach ${host} again`);
      else log.log('warn', `Traces do not reach ${host}; calls continue without them`, { error: why });
    };
    this.#sender = new SpanSender({ ...settings, version, report });
  }

  /** Errors must not affect the call. */
  #send<C extends CallRecord | UnroutableCall>(toSpan: (call: C) => CallSpan, call: C): void {
    if (call.sessionId === hubSessionId) return;
    try {
      const span = toSpan(call);
      if (this.#early === undefined) this.#sender?.send(span);
      else if (this.#early.length < maxEarlySpans) this.#early.push(span);
    } catch (error) {
      this.#options.log.log('debug', 'Could not make a span of a call', { error: String(error) });
    }
  }

  async #close(): Promise<void> {
    // With no pending spans, there is no need to wait for the settings.
    if (this.#early?.length === 0) this.#isOver = true;
    if (this.#isOver) return;
    const waiting = new AbortController();
    const closed = this.#followed.then(() => this.#sender?.close()).catch(() => undefined);
    await Promise.race([closed, delay(this.#options.clock, closeTimeoutMs, waiting.signal)]);
    waiting.abort();
    this.#isOver = true;
  }
}

/** Milliseconds that closing the hub waits for the last spans, on a busy machine too. */
const closeTimeoutMs = 3_000;
const maxEarlySpans = 1_000;
