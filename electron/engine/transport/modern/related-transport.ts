import type { JsonRpcId } from '../../jsonrpc/message.ts';
import { isId } from '../../jsonrpc/message-kind.ts';
import type { RawMessage } from '../../jsonrpc/raw-message.ts';
import { toRaw, type WireMessage } from '../../jsonrpc/read-message.ts';
import type { Transport, TransportHandlers } from '../../jsonrpc/transport.ts';
import { editMessage, jsonBytes } from './edit-message.ts';
import { hopKeys } from './protocol.ts';

/**
 * Tells a bridge which request of its client a message belongs to, which the pipe itself does not; kept in
 * `_meta` between the two, and removed by the bridge.
 */
export class RelatedTransport implements Transport {
  readonly #inner: Transport;

  constructor(inner: Transport) {
    this.#inner = inner;
  }

  start(handlers: TransportHandlers): Promise<void> {
    return this.#inner.start(handlers);
  }

  send(message: WireMessage, relatedTo?: JsonRpcId, urgent?: boolean): Promise<void> {
    const related = relatedTo === undefined ? message : withRelation(toRaw(message), relatedTo);
    return this.#inner.send(related, relatedTo, urgent);
  }

  get congestion(): Promise<void> | undefined {
    return this.#inner.congestion;
  }

  withdraw(message: WireMessage): boolean {
    return this.#inner.withdraw?.(message) ?? false;
  }

  close(): Promise<void> {
    return this.#inner.close();
  }
}

/** Progress names its request by its token, and answers by their id. */
function withRelation(message: RawMessage, relatedTo: JsonRpcId): RawMessage {
  const isNamed = message.kind !== 'request' && message.method !== 'notifications/message';
  const edits = [{ name: hopKeys.relatedTo, value: jsonBytes(relatedTo) }];
  return isNamed ? message : editMessage(message, ['params', '_meta'], edits);
}

/** Removes a server's claim about the request it belongs to: only the hub knows the requests of a client. */
export function withoutRelation<Message extends RawMessage>(message: Message): Message {
  const meta = message.paramText('meta');
  // The name may be written with escapes.
  const mayClaim = meta?.[0] === '{' && (meta.includes(hopKeys.relatedTo) || meta.includes('\\'));
  if (!mayClaim) return message;
  const edits = [{ name: hopKeys.relatedTo, value: undefined }];
  return editMessage(message, ['params', '_meta'], edits) as Message;
}

/** Returns the request that a message belongs to, if the hub has named it. */
export function relationOf({ params }: RawMessage): JsonRpcId | undefined {
  const meta = params?._meta;
  const related =
    typeof meta === 'object' && meta !== null ? Reflect.get(meta, hopKeys.relatedTo) : undefined;
  return isId(related) ? related : undefined;
}
