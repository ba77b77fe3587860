import { isRecord } from '../../../shared/json.ts';
import { RpcError } from '../rpc/message.ts';
import type { Caller } from './backchannel-contract.ts';

/**
 * Remembers which session was sent to a web page, so that only that session is notified of the completion.
 */
export class Elicitations {
  readonly #asked = new Map<string, Caller>();

  /** Records an elicitation request. */
  asked(serverKey: string, params: unknown, caller: Caller): void {
    if (!isRecord(params) || params.mode !== 'url' || typeof params.elicitationId !== 'string') return;
    const key = keyOf(serverKey, params.elicitationId);
    this.#asked.delete(key);
    this.#asked.set(key, caller);
    const [oldest] = this.#asked.keys();
    // People abandon such pages, and no completion ever arrives.
    if (this.#asked.size > remembered && oldest !== undefined) this.#asked.delete(oldest);
  }

  /** Records the elicitations of a call that was refused until the user has visited a page. */
  demanded(serverKey: string, error: unknown, caller: Caller): void {
    if (!(error instanceof RpcError) || error.code !== urlElicitationRequired) return;
    const wanted = isRecord(error.data) ? error.data.elicitations : undefined;
    for (const params of Array.isArray(wanted) ? wanted : []) this.asked(serverKey, params, caller);
  }

  /** Returns the session to notify, once. */
  completed(serverKey: string, elicitationId: unknown): Caller | undefined {
    if (typeof elicitationId !== 'string') return undefined;
    const key = keyOf(serverKey, elicitationId);
    const caller = this.#asked.get(key);
    this.#asked.delete(key);
    return caller;
  }

  drop(caller: Caller): void {
    for (const [key, asked] of this.#asked) if (asked === caller) this.#asked.delete(key);
  }
}

const urlElicitationRequired = -32042;
const remembered = 1_024;

function keyOf(serverKey: string, elicitationId: string): string {
  return JSON.stringify([serverKey, elicitationId]);
}
