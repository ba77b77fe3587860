import { Emitter } from '../base/emitter.ts';
import type { RpcError } from '../jsonrpc/message.ts';
import type { RawRequest } from '../jsonrpc/raw-message.ts';
import type { CallListener, CallRecord, UnroutableCall } from './contract.ts';

/** Notifies of ended tool calls; costs one check per call if there are no listeners. */
export class CallEvents implements CallListener {
  readonly #ended = new Emitter<CallRecord>();
  readonly #allEnded = new Emitter<CallRecord>();
  readonly #strayed = new Emitter<UnroutableCall>();
  readonly #correlations = new WeakMap<RawRequest, string>();
  readonly #stops = new WeakMap<RawRequest, (why: RpcError) => void>();

  get onEnded() {
    return this.#ended.event;
  }

  /** Also reports calls of prompts, resources and other methods. */
  get onAllEnded() {
    return this.#allEnded.event;
  }

  get onStrayed() {
    return this.#strayed.event;
  }

  /** Stores the id that the caller gave a call. */
  correlate(request: RawRequest, id: string): void {
    this.#correlations.set(request, id);
  }

  /** Undefined if the caller gave no id. */
  callerCorrelationOf(request: RawRequest): string | undefined {
    return this.#correlations.get(request);
  }

  correlationOf({ request, id }: Pick<CallRecord, 'request' | 'id'>): string {
    return this.#correlations.get(request) ?? `call-${id}`;
  }

  /** Sets how to end a call that no client session can end. */
  setStop(request: RawRequest, stop: (why: RpcError) => void): void {
    this.#stops.set(request, stop);
  }

  /** False for a call that did not come over REST. */
  stop(request: RawRequest, why: RpcError): boolean {
    const stop = this.#stops.get(request);
    stop?.(why);
    return stop !== undefined;
  }

  started(): void {}

  ended(call: CallRecord): void {
    if (this.#ended.hasListeners && call.method === 'tools/call') this.#ended.fire(call);
    if (this.#allEnded.hasListeners) this.#allEnded.fire(call);
  }

  unroutable(stray: UnroutableCall): void {
    if (this.#strayed.hasListeners) this.#strayed.fire(stray);
  }
}
