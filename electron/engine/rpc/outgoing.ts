import type { JsonRpcId } from './message.ts';
import type { PendingRequest } from './peer-contract.ts';

/** A request of ours that waits for its outcome. Only the first one counts. */
export class Outgoing implements PendingRequest {
  readonly id: number;
  readonly result: Promise<unknown>;
  readonly #forget: (id: JsonRpcId) => boolean;
  #settle: { resolve(result: unknown): void; reject(reason: Error): void } | undefined;

  constructor(id: number, forget: (id: JsonRpcId) => boolean) {
    this.id = id;
    this.#forget = forget;
    this.result = handled(
      new Promise((resolve, reject) => {
        this.#settle = { resolve, reject };
      }),
    );
  }

  resolve(result: unknown): void {
    this.#settle?.resolve(result);
  }

  reject(reason: Error): void {
    this.#settle?.reject(reason);
  }

  abandon(reason: Error): void {
    if (this.#forget(this.id)) this.reject(reason);
  }
}

/** The promise, with its rejection counted as handled even where nobody listens. */
export function handled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}
