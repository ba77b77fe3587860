import type { JsonRpcRequest } from '../engine/rpc/message.ts';
import type { RawRequest } from '../engine/rpc/raw-message.ts';

/** Remembers requests that change a hub's state, to repeat them for the next hub. */
export class RememberedRequests {
  readonly #subscribed = new Set<string>();
  #level: unknown;

  /** Records a request that the hub has accepted. */
  accepted({ method, params }: RawRequest): void {
    const uri = params?.uri;
    if (method === 'logging/setLevel') this.#level = params?.level;
    if (typeof uri !== 'string') return;
    if (method === 'resources/subscribe') this.#subscribed.add(uri);
    if (method === 'resources/unsubscribe') this.#subscribed.delete(uri);
  }

  /** Returns these requests again, with ids that no client uses; nobody waits for the answers. */
  replay(): readonly JsonRpcRequest[] {
    const level =
      this.#level === undefined ? [] : [this.#request('logging/setLevel', { level: this.#level })];
    return [...level, ...[...this.#subscribed].map((uri) => this.#request('resources/subscribe', { uri }))];
  }

  #request(method: string, params: Readonly<Record<string, unknown>>): JsonRpcRequest {
    return { jsonrpc: '2.0', id: `patchbay-bridge:${method}:${String(params.uri ?? '')}`, method, params };
  }
}

/** Methods that change a hub's state. */
export const rememberedMethods: ReadonlySet<string> = new Set([
  'logging/setLevel',
  'resources/subscribe',
  'resources/unsubscribe',
]);
