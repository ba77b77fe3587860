import { Emitter } from '../../base/emitter.ts';
import type { CallListener, CallRecord } from '../../route/contract.ts';
import type { RawRequest } from '../../rpc/raw-message.ts';

/** Calls of tools that have ended, for whoever listens; for each call one look where nobody does. */
export class CallFeed implements CallListener {
  readonly #ended = new Emitter<CallRecord>();
  readonly #correlations = new WeakMap<RawRequest, string>();

  get onEnded() {
    return this.#ended.event;
  }

  /** The id that its caller gave a call. */
  correlate(request: RawRequest, id: string): void {
    this.#correlations.set(request, id);
  }

  /** Undefined where its caller knows it by nothing. */
  givenFor(request: RawRequest): string | undefined {
    return this.#correlations.get(request);
  }

  correlationOf({ request, id }: Pick<CallRecord, 'request' | 'id'>): string {
    return this.#correlations.get(request) ?? `call-${id}`;
  }

  started(): void {}

  ended(call: CallRecord): void {
    if (this.#ended.hasListeners && call.method === 'tools/call') this.#ended.fire(call);
  }
}
