import { type Clock, delay } from '../../base/clock.ts';
import type { CloseStack } from '../../base/close-stack.ts';
import type { Logger } from '../../base/logger.ts';
import { type CallRecord, noSession, type StrayCall } from '../../route/contract.ts';
import type { CallFeed } from '../invoke/call-feed.ts';
import type { KnownEnvironment } from '../known-environment.ts';
import { type CallSpan, spanOfCall, spanOfStray } from './call-span.ts';
import type { SpanSender } from './span-sender.ts';
import { readTraceSettings, type TraceSettings } from './trace-settings.ts';

export interface TracesOptions {
  readonly environment: Pick<KnownEnvironment, 'current' | 'whole'>;
  readonly version: string;
  readonly clock: Clock;
  readonly log: Logger;
  readonly opened: CloseStack;
}

/**
 * Each call as a span to where OpenTelemetry's variables say, once the environment is known whole. Where they name no
 * place, nothing of it is loaded, and calls do not know of it.
 */
export class Traces {
  readonly #options: TracesOptions;
  #sender: SpanSender | undefined;
  /** Spans of calls that end before it is known whether spans are wanted; undefined once it is. */
  #early: CallSpan[] | undefined = [];
  #followed: Promise<void> = Promise.resolve();
  #isOver = false;

  /** What is opened later, and has calls, ends before. */
  constructor(options: TracesOptions) {
    this.#options = options;
    options.opened.defer(() => this.#close());
  }

  /** Resolves when calls become spans, or never will. */
  follow(feed: Pick<CallFeed, 'onAllEnded' | 'onStrayed'>): Promise<void> {
    const heard = [
      feed.onAllEnded((call) => this.#send(spanOfCall, call)),
      feed.onStrayed((stray) => this.#send(spanOfStray, stray)),
    ];
    this.#followed = this.#begin()
      .catch((error) => this.#options.log.log('warn', 'Traces cannot be sent', { error: String(error) }))
      .then(() => {
        for (const span of this.#early ?? []) this.#sender?.send(span);
        this.#early = undefined;
        if (this.#sender === undefined) for (const each of heard) each.dispose();
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
      if (why === undefined) log.log('info', `Traces arrive at ${host} again`);
      else log.log('warn', `Traces do not arrive at ${host}; calls go on without`, { error: why });
    };
    this.#sender = new SpanSender({ ...settings, version, report });
  }

  /** Whatever is the matter with it, it is not the calls' matter. */
  #send<C extends CallRecord | StrayCall>(toSpan: (call: C) => CallSpan, call: C): void {
    if (call.sessionId === noSession) return;
    try {
      const span = toSpan(call);
      if (this.#early === undefined) this.#sender?.send(span);
      else if (this.#early.length < mostEarly) this.#early.push(span);
    } catch (error) {
      this.#options.log.log('debug', 'A call became no span', { error: String(error) });
    }
  }

  async #close(): Promise<void> {
    // With no span waiting, the settings need not be awaited.
    if (this.#early?.length === 0) this.#isOver = true;
    if (this.#isOver) return;
    const waiting = new AbortController();
    const closed = this.#followed.then(() => this.#sender?.close()).catch(() => undefined);
    await Promise.race([closed, delay(this.#options.clock, patience, waiting.signal)]);
    waiting.abort();
    this.#isOver = true;
  }
}

/** Milliseconds that the end of the hub waits for the last spans to be sent, on a busy machine too. */
const patience = 3_000;
const mostEarly = 1_000;
