import { scalarText } from '../../shared/json.ts';
import { type ListMethod, listKeys } from '../../shared/model/mcp.ts';
import { type HeldListsParams, heldListsMethod } from '../../shared/schema/bridge-hello.ts';
import { digestOf } from '../engine/base/digest.ts';
import type { JsonRpcRequest } from '../engine/jsonrpc/message.ts';
import type { RawMessage, RawRequest } from '../engine/jsonrpc/raw-message.ts';
import type { WireMessage } from '../engine/jsonrpc/read-message.ts';
import { notification } from './messages.ts';

/** State of the client when a hub is attached. */
export interface AttachedClient {
  /** True for the first hub of this client. */
  readonly isFirst: boolean;
  /** True once notifications may be sent to the client. */
  readonly isInitialized: boolean;
}

/** Returns the messages that bring a newly attached hub up to date. */
export function messagesForHub(
  { isFirst, isInitialized }: AttachedClient,
  held: ClientLists,
  wished: RememberedRequests,
): readonly WireMessage[] {
  const params: HeldListsParams = { lists: digestsOf(held), announce: isFirst };
  return [
    ...(isInitialized ? [notification('notifications/initialized')] : []),
    ...(held.size > 0 ? [{ ...notification(heldListsMethod), params: { ...params } }] : []),
    ...wished.replay(),
  ];
}

/** Returns the messages for the client: a different hub may have other tools, resources and prompts. */
export function messagesForClient({ isFirst, isInitialized }: AttachedClient): readonly WireMessage[] {
  if (isFirst || !isInitialized) return [];
  return ['tools', 'resources', 'prompts'].map((kind) => notification(`notifications/${kind}/list_changed`));
}

/** Lists that the client has, by method, as digests that are computed only when a hub needs them. */
export type ClientLists = Map<ListMethod, () => string | undefined>;

/** Returns the digest of the list in an answer; undefined if it contains no list. */
export function digestOfAnswer({ result }: RawMessage, method: ListMethod): string | undefined {
  // A result may be any value; only an object has the member.
  const items = (result as Readonly<Record<string, unknown>> | null)?.[listKeys[method]];
  return Array.isArray(items) ? digestOf(items) : undefined;
}

function digestsOf(held: ClientLists): Readonly<Record<string, string>> {
  const known = [...held].flatMap(([method, digest]) => {
    const found = digest();
    return found === undefined ? [] : [[method, found] as const];
  });
  return Object.fromEntries(known);
}

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
    return { jsonrpc: '2.0', id: `patchbay-bridge:${method}:${scalarText(params.uri)}`, method, params };
  }
}

/** Methods that change a hub's state. */
export const rememberedMethods: ReadonlySet<string> = new Set([
  'logging/setLevel',
  'resources/subscribe',
  'resources/unsubscribe',
]);
