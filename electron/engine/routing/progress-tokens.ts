import type { Disposable } from '../base/emitter.ts';
import { TransientMap } from '../base/transient-map.ts';
import type { JsonRpcNotification } from '../jsonrpc/message.ts';
import { toOwnId } from '../jsonrpc/message-kind.ts';
import type { RawMessage } from '../jsonrpc/raw-message.ts';
import { readMessage, toRaw } from '../jsonrpc/read-message.ts';

/** Progress of one call. */
export interface CallProgress extends Disposable {
  /** Our token, as JSON, which replaces the client's. */
  readonly token: string;
  /** Prepares a retry at this source: a new token keeps late progress of the previous attempt out. */
  restart(source: string): void;
  /** Sends the client a progress message of our own while no server can. */
  announce(message: string): void;
}

/** A call whose progress is tracked. */
export interface ProgressCall {
  readonly request: RawMessage;
  /** Receives progress under the client's token. */
  onProgress(notification: RawMessage): void;
}

/**
 * Progress tokens of calls in progress. Clients choose tokens independently, so two may choose the same one.
 * Servers get one of ours for each call, and progress gets back the client's token exactly as the client
 * wrote it.
 */
export class ProgressTokens {
  readonly #live = new TransientMap<number, TrackedProgress>();
  #lastToken = 0;

  /** Tracks a call until disposed; undefined for a call without a token. */
  watch(source: string, call: ProgressCall): CallProgress | undefined {
    const clientToken = call.request.paramText('metaToken');
    if (clientToken === undefined) return undefined;
    return new TrackedProgress(this, source, clientToken, call);
  }

  /** Passes progress to the call it belongs to; drops it if this source has no such call. */
  deliver(source: string, notification: JsonRpcNotification): void {
    if (notification.method !== 'notifications/progress') return;
    const notice = toRaw(notification);
    const token = toOwnId(notice.param('progressToken'));
    const live = token === undefined ? undefined : this.#live.get(token);
    if (live?.source === source) live.receive(notice);
  }

  clear(): void {
    this.#live.clear();
  }

  /** Assigns a new token to the call. */
  begin(call: TrackedProgress): number {
    this.#lastToken += 1;
    this.#live.set(this.#lastToken, call);
    return this.#lastToken;
  }

  end(token: number): void {
    this.#live.delete(token);
  }
}

/**
 * Keeps the progress of a call increasing, as the protocol requires. A server's notifications pass unchanged;
 * ours, and those of a server that starts again, are fitted in.
 */
class TrackedProgress implements CallProgress {
  readonly #tokens: ProgressTokens;
  /** The client's token as JSON. */
  readonly #clientToken: string;
  readonly #call: ProgressCall;
  source: string;
  #token: number;
  /** The server's last progress. */
  #lastReceived: RawMessage | undefined;
  /** Progress up to this value is dropped until a higher one arrives. */
  #floor: number | undefined;
  #announced = 0;

  constructor(tokens: ProgressTokens, source: string, clientToken: string, call: ProgressCall) {
    this.#tokens = tokens;
    this.source = source;
    this.#clientToken = clientToken;
    this.#call = call;
    this.#token = tokens.begin(this);
  }

  get token(): string {
    return String(this.#token);
  }

  restart(source: string): void {
    this.#tokens.end(this.#token);
    this.#token = this.#tokens.begin(this);
    this.source = source;
    this.#floor ??= progressOf(this.#lastReceived);
  }

  announce(message: string): void {
    const reported = this.#floor ?? progressOf(this.#lastReceived);
    this.#announced += 1;
    this.#floor = progressAbove(reported, this.#announced);
    // At large values, adding a small amount has no effect.
    if (reported !== undefined && this.#floor <= reported) return;
    const params = `{"progressToken":${this.#clientToken},"progress":${this.#floor},"message":${JSON.stringify(message)}}`;
    const text = `{"jsonrpc":"2.0","method":"notifications/progress","params":${params}}`;
    const notification = readMessage(Buffer.from(text));
    if (notification !== undefined) this.#call.onProgress(notification);
  }

  receive(notification: RawMessage): void {
    if (this.#floor !== undefined) {
      if ((progressOf(notification) ?? this.#floor) <= this.#floor) return;
      this.#floor = undefined;
    }
    this.#lastReceived = notification;
    this.#call.onProgress(notification.with({ params: { progressToken: this.#clientToken } }));
  }

  dispose(): void {
    this.#tokens.end(this.#token);
  }
}

function progressOf(notice: RawMessage | undefined): number | undefined {
  const progress = notice?.params?.progress;
  return typeof progress === 'number' ? progress : undefined;
}

/**
 * Returns the progress value of our own notification: negative and approaching zero, where servers start;
 * once a server has reported progress, slightly above that.
 */
function progressAbove(floor: number | undefined, count: number): number {
  return floor === undefined || floor < 0 ? -1 / count : floor + 0.001 / (count * (count + 1));
}
