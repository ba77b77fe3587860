import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/emitter.ts';
import type { ApiEvent, EventLog } from './event-log.ts';

export interface EventStreamOptions {
  readonly log: EventLog;
  readonly clock: Clock;
  /** Tells whether the reader may see the event. */
  readonly maySee: (event: ApiEvent) => boolean;
  /** The last event that the reader has received, if it sends one. */
  readonly after: string | undefined;
  readonly onEnd: (stream: EventStream) => void;
}

/** Milliseconds between heartbeats, for proxies that close idle connections. */
export const heartbeatMs = 15_000;
/** Bytes that may be queued for a reader; a slower reader is disconnected and can resume. */
const maxQueuedBytes = 1024 * 1024;

/** Sends events as server-sent events until the reader leaves, falls behind, or the hub stops. */
export class EventStream implements Disposable {
  readonly body: ReadableStream<Uint8Array>;
  readonly #encoder = new TextEncoder();
  readonly #options: EventStreamOptions;
  #subscription: Disposable | undefined;
  #timer: Disposable | undefined;
  #out: ReadableStreamDefaultController<Uint8Array> | undefined;

  constructor(options: EventStreamOptions) {
    this.#options = options;
    this.body = new ReadableStream(
      {
        start: (out) => {
          this.#out = out;
        },
        cancel: () => this.#end(),
      },
      { highWaterMark: maxQueuedBytes, size: (piece) => piece?.byteLength ?? 0 },
    );
    this.#begin(options);
    if (this.isOver) return;
    this.#subscription = options.log.onEvent((event) => this.#send(event));
    this.#beat();
  }

  get isOver(): boolean {
    return this.#out === undefined;
  }

  dispose(): void {
    const out = this.#out;
    this.#end();
    out?.close();
  }

  /** Sends missed events; if they are unknown, tells the reader to fetch the state itself. */
  #begin({ log, after }: EventStreamOptions): void {
    this.#write(': patchbay events\nretry: 2000\n\n');
    if (after === undefined) return;
    const missed = log.since(after);
    if (missed === undefined) this.#write('event: stream.reset\ndata: {"reason":"events were missed"}\n\n');
    for (const event of missed ?? []) this.#send(event);
  }

  #send(event: ApiEvent): void {
    if (!this.#options.maySee(event)) return;
    const { id, type, data } = event;
    this.#write(`id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  #beat(): void {
    this.#timer = this.#options.clock.after(heartbeatMs, () => {
      this.#write(': still here\n\n');
      if (!this.isOver) this.#beat();
    });
  }

  #write(text: string): void {
    const out = this.#out;
    if (out === undefined) return;
    if ((out.desiredSize ?? 0) <= 0) this.dispose();
    else out.enqueue(this.#encoder.encode(text));
  }

  #end(): void {
    if (this.#out === undefined) return;
    this.#out = undefined;
    this.#subscription?.dispose();
    this.#timer?.dispose();
    this.#options.onEnd(this);
  }
}
