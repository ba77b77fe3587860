import type { ServerResponse } from 'node:http';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/emitter.ts';
import { TransientMap } from '../../base/transient-map.ts';
import { ConnectionClosedError, rpcErrorCodes } from '../../jsonrpc/message.ts';
import type { RawMessage } from '../../jsonrpc/raw-message.ts';
import { toRaw, type WireMessage } from '../../jsonrpc/read-message.ts';
import type { AcceptedForms } from '../../transport/http-server/http-server-rules.ts';
import type { UnreadResponses } from '../../transport/http-server/http-server-stream.ts';
import type { ClientChannel } from '../../transport/modern/client/client-channel.ts';
import { modernErrorCodes } from '../../transport/modern/protocol.ts';

export interface ModernResponseOptions {
  readonly accepted: AcceptedForms;
  readonly unread: UnreadResponses;
  readonly slow: SlowResponses;
}

/**
 * The HTTP response to one request of a modern client: plain JSON if the answer comes first and soon,
 * otherwise a stream of events that ends with the answer.
 */
export class ModernResponse implements ClientChannel {
  readonly #response: ServerResponse;
  readonly #accepted: AcceptedForms;
  readonly #unread: UnreadResponses;
  readonly #slow: SlowResponses;
  #isStream = false;

  constructor(response: ServerResponse, { accepted, unread, slow }: ModernResponseOptions) {
    this.#response = response;
    this.#accepted = accepted;
    this.#unread = unread;
    this.#slow = slow;
    slow.add(this);
  }

  /** Handles the end of the response. */
  closed(): void {
    this.#slow.delete(this);
  }

  /** Shows the client that the request is being worked on. */
  keepAlive(): void {
    if (this.#open() && this.#response.writableLength === 0) this.#response.write(': still working\n\n');
  }

  send(wire: WireMessage): Promise<void> {
    if (this.#response.closed)
      return Promise.reject(new ConnectionClosedError('The client no longer waits for this', false));
    try {
      return this.#write(toRaw(wire));
    } catch (error) {
      return Promise.reject(error);
    }
  }

  #write(message: RawMessage): Promise<void> {
    if (message.method !== undefined)
      return this.#open() ? this.#unread.write(this.#response, message.line()) : Promise.resolve();
    this.#slow.delete(this);
    if (this.#isStream || !this.#accepted.json) {
      this.#open();
      const written = this.#unread.write(this.#response, message.line());
      this.#response.end();
      return written;
    }
    const body = message.line();
    this.#response.writeHead(statusOf(message), {
      'content-type': 'application/json',
      'content-length': body.length,
    });
    this.#response.end(body);
    return this.#unread.whenFlushed(this.#response);
  }

  /** Opens the stream; false if the client cannot read one. */
  #open(): boolean {
    if (this.#isStream || !this.#accepted.events) return this.#isStream;
    this.#isStream = true;
    this.#response.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    return true;
  }
}

/** Keeps responses alive whose answers take long. One timer serves all, as most answers come at once. */
export class SlowResponses {
  readonly #clock: Clock;
  /** With the tick at which they arrived. */
  readonly #arrivals = new TransientMap<ModernResponse, number>();
  #ticks = 0;
  #timer: Disposable | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(response: ModernResponse): void {
    this.#arrivals.set(response, this.#ticks);
    this.#timer ??= this.#clock.after(tickMs, this.#tick);
  }

  delete(response: ModernResponse): void {
    this.#arrivals.delete(response);
  }

  dispose(): void {
    this.#timer?.dispose();
  }

  readonly #tick = (): void => {
    for (const response of this.#arrivals.keys())
      if ((this.#arrivals.get(response) ?? this.#ticks) < this.#ticks) response.keepAlive();
    this.#ticks += 1;
    this.#timer = this.#arrivals.size === 0 ? undefined : this.#clock.after(tickMs, this.#tick);
  };
}

/** Milliseconds; a response is silent for twice as long at most. */
const tickMs = 7_500;

/** Only errors of the protocol have a status of their own; those of a server are answers. */
function statusOf(message: RawMessage): number {
  // A result is not read for it: it may be long.
  const code = message.kind === 'failure' ? message.error?.code : undefined;
  if (code === rpcErrorCodes.methodNotFound) return 404;
  return code !== undefined && protocolCodes.has(code) ? 400 : 200;
}

const protocolCodes: ReadonlySet<number> = new Set(Object.values(modernErrorCodes));
