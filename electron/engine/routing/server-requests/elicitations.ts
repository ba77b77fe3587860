import { isRecord } from '../../../../shared/json.ts';
import { mcpErrorCodes } from '../../../../shared/model/mcp.ts';
import { RpcError } from '../../jsonrpc/message.ts';
import type { Caller } from './contract.ts';

/**
 * Remembers which session was sent to a web page, so that only that session is notified of the completion.
 */
export class Elicitations {
  readonly #sessions = new Map<string, Caller>();

  /** Records an elicitation request. */
  onRequest(serverKey: string, params: unknown, caller: Caller): void {
    if (!isRecord(params) || params.mode !== 'url' || typeof params.elicitationId !== 'string') return;
    const key = keyOf(serverKey, params.elicitationId);
    this.#sessions.delete(key);
    this.#sessions.set(key, caller);
    const [oldest] = this.#sessions.keys();
    // People abandon such pages, and no completion ever arrives.
    if (this.#sessions.size > maxRemembered && oldest !== undefined) this.#sessions.delete(oldest);
  }

  /** Records the elicitations of a call that was refused until the user has visited a page. */
  onRequiredError(serverKey: string, error: unknown, caller: Caller): void {
    if (!(error instanceof RpcError) || error.code !== mcpErrorCodes.urlElicitationRequired) return;
    const required = isRecord(error.data) ? error.data.elicitations : undefined;
    for (const params of Array.isArray(required) ? required : []) this.onRequest(serverKey, params, caller);
  }

  /** Returns the session to notify, once. */
  onCompleted(serverKey: string, elicitationId: unknown): Caller | undefined {
    if (typeof elicitationId !== 'string') return undefined;
    const key = keyOf(serverKey, elicitationId);
    const caller = this.#sessions.get(key);
    this.#sessions.delete(key);
    return caller;
  }

  drop(caller: Caller): void {
    for (const [key, onRequest] of this.#sessions) if (onRequest === caller) this.#sessions.delete(key);
  }
}

const maxRemembered = 1_024;

function keyOf(serverKey: string, elicitationId: string): string {
  return JSON.stringify([serverKey, elicitationId]);
}
