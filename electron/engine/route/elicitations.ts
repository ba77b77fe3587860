import { isRecord } from '../../../shared/json.ts';
import { RpcError } from '../rpc/message.ts';
import type { Caller } from './backchannel-contract.ts';

/** Which session was sent to a web page, so that it alone is told when that is done. */
export class Elicitations {
  readonly #asked = new Map<string, Caller>();

  /** A server asks by request. */
  asked(serverKey: string, params: unknown, caller: Caller): void {
    if (!isRecord(params) || params.mode !== 'url' || typeof params.elicitationId !== 'string') return;
    const key = keyOf(serverKey, params.elicitationId);
    this.#asked.delete(key);
    this.#asked.set(key, caller);
    const [oldest] = this.#asked.keys();
    // People leave pages half-way, and then nothing is ever heard of them.
    if (this.#asked.size > remembered && oldest !== undefined) this.#asked.delete(oldest);
  }

  /** A server asks by refusing a call until a page has been seen to. */
  demanded(serverKey: string, error: unknown, caller: Caller): void {
    if (!(error instanceof RpcError) || error.code !== urlElicitationRequired) return;
    const wanted = isRecord(error.data) ? error.data.elicitations : undefined;
    for (const params of Array.isArray(wanted) ? wanted : []) this.asked(serverKey, params, caller);
  }

  /** It is done: yields the session to tell, once. */
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
