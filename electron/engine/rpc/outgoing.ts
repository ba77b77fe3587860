import type { IdTable } from './id-table.ts';
import { RpcError } from './message.ts';
import type { PendingRequest } from './peer-contract.ts';
import type { RawMessage } from './raw-message.ts';
import type { WireMessage } from './read-message.ts';

/** The part of a peer that a request of its own needs to leave again. */
export interface OutgoingOwner {
  forget(id: number): boolean;
  withdraw(message: WireMessage): boolean;
}

/** A request of ours that waits for its outcome; only the first one counts. */
export interface Outgoing {
  readonly id: number;
  /** On behalf of another connection. */
  readonly isForwarded: boolean;
  /** What was sent. */
  message: WireMessage | undefined;
  /** By a message of kind `result`. */
  answered(message: RawMessage): void;
  /** By a message of kind `failure`. */
  refused(message: RawMessage): void;
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
    this.result = handled(
      new Promise((resolve, reject) => {
        this.resolve = resolve;
        this.#reject = reject;
      }),
    );
  }

  abstract answered(message: RawMessage): void;

  refused(message: RawMessage): void {
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

/** Wants the result as a value. */
export class OwnRequest extends OutgoingRequest<unknown> {
  answered(message: RawMessage): void {
    this.resolve(message.result);
  }
}

/** Wants the answer as it came. */
export class RawAnswerRequest extends OutgoingRequest<RawMessage> {
  answered(message: RawMessage): void {
    this.resolve(message);
  }
}

/** Judges which request an answer without an id can mean. */
export class Attribution {
  /** The id that came after the last notification; 0 where none is in doubt. */
  #notified = 0;
  /** Methods of requests that nobody waits for any more and that have no answer, by their ids. */
  readonly #abandoned = new Map<number, string>();

  notified(nextId: number): void {
    this.#notified = nextId;
  }

  answered(id: number | undefined): void {
    if (id === undefined) return;
    if (this.#notified !== 0 && id >= this.#notified) this.#notified = 0;
    this.#abandoned.delete(id);
  }

  abandoned(outgoing: Outgoing | undefined): void {
    if (outgoing === undefined) return;
    this.#abandoned.set(outgoing.id, methodOf(outgoing));
    const [oldest] = this.#abandoned.keys();
    if (this.#abandoned.size > mostAbandoned && oldest !== undefined) this.#abandoned.delete(oldest);
  }

  /**
   * The id of the only request that can be meant. An answer could also mean a notification, until a request that was sent
   * after that has its answer, or a request that nobody waits for any more.
   */
  only(pending: IdTable<Outgoing>): number | undefined {
    if (this.#notified !== 0 || this.#abandoned.size > 0 || pending.size !== 1) return undefined;
    return pending.all()[0]?.id;
  }

  /** The ids of all requests of a method whose answer it can be, none of which gets it where that is more than one. */
  among(pending: IdTable<Outgoing>, method: string): readonly number[] {
    const waiting = pending.all().filter((outgoing) => methodOf(outgoing) === method);
    const abandoned = [...this.#abandoned].filter(([, asked]) => asked === method);
    return [...abandoned, ...waiting.map(({ id }) => [id] as const)].map(([id]) => id);
  }
}

const mostAbandoned = 1000;

function methodOf({ message }: Outgoing): string {
  return (message !== undefined && 'method' in message && message.method) || '';
}

/** The promise, with its rejection counted as handled even where nobody listens. */
export function handled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(ignore);
  return promise;
}

export function ignore(): void {}

export function requestOf(
  id: number,
  method: string,
  params: Readonly<Record<string, unknown>> | undefined,
): WireMessage {
  return params === undefined ? { jsonrpc: '2.0', id, method } : { jsonrpc: '2.0', id, method, params };
}
