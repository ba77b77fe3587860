import type { TransientMap } from '../base/transient-map.ts';
import { RpcError } from './message.ts';
import type { PendingRequest } from './peer-contract.ts';
import type { RawMessage } from './raw-message.ts';
import type { WireMessage } from './read-message.ts';

/** The operations of a peer that cancel an outgoing request. */
export interface OutgoingOwner {
  forget(id: number): boolean;
  withdraw(message: WireMessage): boolean;
}

/** A request of ours that is waiting for its outcome; only the first outcome counts. */
export interface Outgoing {
  readonly id: number;
  /** True if it was forwarded from another connection. */
  readonly isForwarded: boolean;
  /** The message that was sent. */
  message: WireMessage | undefined;
  /** Called with a message of kind `result`. */
  onResult(message: RawMessage): void;
  /** Called with a message of kind `failure`. */
  onError(message: RawMessage): void;
  reject(reason: Error): void;
}

abstract class OutgoingRequest<Result> implements Outgoing, PendingRequest<Result> {
  readonly id: number;
  readonly isForwarded: boolean;
  readonly result: Promise<Result>;
  message: WireMessage | undefined;
  readonly #owner: OutgoingOwner;
  protected resolve: (result: Result) => void = ignore;
  #reject: (reason: Error) => void = ignore;

  constructor(id: number, owner: OutgoingOwner, isForwarded: boolean) {
    this.id = id;
    this.isForwarded = isForwarded;
    this.#owner = owner;
    this.result = markHandled(
      new Promise((resolve, reject) => {
        this.resolve = resolve;
        this.#reject = reject;
      }),
    );
  }

  abstract onResult(message: RawMessage): void;

  onError(message: RawMessage): void {
    if (message.error !== undefined) this.#reject(new RpcError(message.error, message));
  }

  reject(reason: Error): void {
    this.#reject(reason);
  }

  abandon(reason: Error): boolean {
    if (!this.#owner.forget(this.id)) return false;
    this.#reject(reason);
    return this.message === undefined || !this.#owner.withdraw(this.message);
  }
}

/** A request whose result is parsed. */
export class ValueRequest extends OutgoingRequest<unknown> {
  onResult(message: RawMessage): void {
    this.resolve(message.result);
  }
}

/** A request whose response is passed on unparsed. */
export class RawResponseRequest extends OutgoingRequest<RawMessage> {
  onResult(message: RawMessage): void {
    this.resolve(message);
  }
}

/** Decides which request a response without an id belongs to. */
export class ResponseMatcher {
  /** The next id at the time of the last notification; 0 if no notification can be the cause of an error. */
  #nextIdAtNotification = 0;
  /** Methods of abandoned requests that have no response yet, by id. */
  readonly #abandoned = new Map<number, string>();

  onNotificationSent(nextId: number): void {
    this.#nextIdAtNotification = nextId;
  }

  onResponse(id: number | undefined): void {
    if (id === undefined) return;
    if (this.#nextIdAtNotification !== 0 && id >= this.#nextIdAtNotification) this.#nextIdAtNotification = 0;
    this.#abandoned.delete(id);
  }

  onAbandoned(outgoing: Outgoing | undefined): void {
    if (outgoing === undefined) return;
    this.#abandoned.set(outgoing.id, methodOf(outgoing));
    const [oldest] = this.#abandoned.keys();
    if (this.#abandoned.size > maxAbandoned && oldest !== undefined) this.#abandoned.delete(oldest);
  }

  /**
   * Returns the id of the only candidate. There is none while a response could also belong to an abandoned
   * request, or to a notification that no answered request has followed yet.
   */
  onlyCandidate(pending: TransientMap<number, Outgoing>): number | undefined {
    if (this.#nextIdAtNotification !== 0 || this.#abandoned.size > 0 || pending.size !== 1) return undefined;
    const [only] = pending.keys();
    return only;
  }

  /**
   * Returns the ids of all requests with this method, which are the candidates for such a response. If there
   * are several, none of them gets it.
   */
  candidates(pending: TransientMap<number, Outgoing>, method: string): readonly number[] {
    const waiting = pending.values().filter((outgoing) => methodOf(outgoing) === method);
    const onAbandoned = [...this.#abandoned].filter(([, requested]) => requested === method);
    return [...onAbandoned, ...waiting.map(({ id }) => [id] as const)].map(([id]) => id);
  }
}

const maxAbandoned = 1000;

function methodOf({ message }: Outgoing): string {
  return (message !== undefined && 'method' in message && message.method) || '';
}

/** Marks a rejection as handled, so that it is not reported if nobody listens. */
export function markHandled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(ignore);
  return promise;
}

export function ignore(): void {}

export function createRequest(
  id: number,
  method: string,
  params: Readonly<Record<string, unknown>> | undefined,
): WireMessage {
  return params === undefined ? { jsonrpc: '2.0', id, method } : { jsonrpc: '2.0', id, method, params };
}
