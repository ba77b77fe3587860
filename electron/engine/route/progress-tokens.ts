import type { Disposable } from '../base/emitter.ts';
import type { JsonRpcNotification } from '../rpc/message.ts';
import { ownId } from '../rpc/message-kind.ts';
import type { RawMessage } from '../rpc/raw-message.ts';
import { readMessage, toRaw } from '../rpc/read-message.ts';

/** One call that wants to hear of its progress. */
export interface ProgressLeg extends Disposable {
  /** Our token, as JSON, in place of the client's. */
  readonly token: string;
  /** The call is sent once more, to this source: under a new token, so that the first one's late notices are none of it. */
  renew(source: string): void;
  /** Tells the client something of our own while there is nobody else to tell it anything. */
  announce(message: string): void;
}

/**
 * Tokens of live calls. Clients choose tokens on their own, so two may choose the same one: towards the servers each
 * call gets one of ours, and what comes back gets the client's again, exactly as the client wrote it.
 */
export class ProgressTokens {
  readonly #live = new Map<number, WatchedCall>();
  #last = 0;

  /** Watches a call until it is disposed; undefined for a call without a token. */
  watch(
    source: string,
    request: RawMessage,
    onProgress: (notice: RawMessage) => void,
  ): ProgressLeg | undefined {
    const clientToken = request.paramText('metaToken');
    if (clientToken === undefined) return undefined;
    return new WatchedCall(this, source, clientToken, onProgress);
  }

  /** Hands a progress notice to the call it belongs to; one for no live call of this source is dropped. */
  deliver(source: string, notification: JsonRpcNotification): void {
    if (notification.method !== 'notifications/progress') return;
    const notice = toRaw(notification);
    const token = ownId(notice.param('progressToken'));
    const live = token === undefined ? undefined : this.#live.get(token);
    if (live?.source === source) live.hear(notice);
  }

  clear(): void {
    this.#live.clear();
  }

  /** The token that leads to this call from now on. */
  begin(call: WatchedCall): number {
    this.#last += 1;
    this.#live.set(this.#last, call);
    return this.#last;
  }

  end(token: number): void {
    this.#live.delete(token);
  }
}

/**
 * By the protocol the progress of a call only ever grows. A server's own notices pass as they are; ours, and those of
 * a server that begins anew, are fitted in beside them.
 */
class WatchedCall implements ProgressLeg {
  readonly #tokens: ProgressTokens;
  /** As JSON. */
  readonly #clientToken: string;
  readonly #onProgress: (notice: RawMessage) => void;
  source: string;
  #token: number;
  /** What the server said last. */
  #heard: RawMessage | undefined;
  /** Notices up to this progress are not told; until one is beyond it. */
  #floor: number | undefined;
  #announced = 0;

  constructor(
    tokens: ProgressTokens,
    source: string,
    clientToken: string,
    onProgress: (notice: RawMessage) => void,
  ) {
    this.#tokens = tokens;
    this.source = source;
    this.#clientToken = clientToken;
    this.#onProgress = onProgress;
    this.#token = tokens.begin(this);
  }

  get token(): string {
    return String(this.#token);
  }

  renew(source: string): void {
    this.#tokens.end(this.#token);
    this.#token = this.#tokens.begin(this);
    this.source = source;
    this.#floor ??= progressOf(this.#heard);
  }

  announce(message: string): void {
    const told = this.#floor ?? progressOf(this.#heard);
    this.#announced += 1;
    this.#floor = nextBeyond(told, this.#announced);
    // Numbers so large that a trifle more is no more.
    if (told !== undefined && this.#floor <= told) return;
    const params = `{"progressToken":${this.#clientToken},"progress":${this.#floor},"message":${JSON.stringify(message)}}`;
    const text = `{"jsonrpc":"2.0","method":"notifications/progress","params":${params}}`;
    const notice = readMessage(Buffer.from(text));
    if (notice !== undefined) this.#onProgress(notice);
  }

  hear(notice: RawMessage): void {
    if (this.#floor !== undefined) {
      if ((progressOf(notice) ?? this.#floor) <= this.#floor) return;
      this.#floor = undefined;
    }
    this.#heard = notice;
    this.#onProgress(notice.with({ params: { progressToken: this.#clientToken } }));
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
 * The progress of our own notice: below zero, where servers begin, and growing towards it; after a server has said how
 * far it is, a trifle more than that.
 */
function nextBeyond(floor: number | undefined, count: number): number {
  return floor === undefined || floor < 0 ? -1 / count : floor + 0.001 / (count * (count + 1));
}
