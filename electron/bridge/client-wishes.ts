import type { JsonRpcRequest } from '../engine/rpc/message.ts';
import type { RawRequest } from '../engine/rpc/raw-message.ts';

/** What the client has asked a hub to remember, and a hub that comes after it has to be told. */
export class ClientWishes {
  readonly #subscribed = new Set<string>();
  #level: unknown;

  /** The hub has granted this request. */
  granted({ method, params }: RawRequest): void {
    const uri = params?.uri;
    if (method === 'logging/setLevel') this.#level = params?.level;
    if (typeof uri !== 'string') return;
    if (method === 'resources/subscribe') this.#subscribed.add(uri);
    if (method === 'resources/unsubscribe') this.#subscribed.delete(uri);
  }

  /** All of it as requests, under ids that no client uses; nobody waits for their answers. */
  again(): readonly JsonRpcRequest[] {
    const level = this.#level === undefined ? [] : [this.#wish('logging/setLevel', { level: this.#level })];
    return [...level, ...[...this.#subscribed].map((uri) => this.#wish('resources/subscribe', { uri }))];
  }

  #wish(method: string, params: Readonly<Record<string, unknown>>): JsonRpcRequest {
    return { jsonrpc: '2.0', id: `patchbay-bridge:${method}:${String(params.uri ?? '')}`, method, params };
  }
}

/** Requests that a hub remembers. */
export const wishes: ReadonlySet<string> = new Set([
  'logging/setLevel',
  'resources/subscribe',
  'resources/unsubscribe',
]);
