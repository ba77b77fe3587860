import type { MessageKind } from './message-kind.ts';
import type {
  JsonRpcErrorObject,
  JsonRpcId,
  JsonRpcMessage,
  JsonRpcNotification,
  JsonRpcRequest,
} from './message-types.ts';

/** Replacements, as JSON text, in a forwarded message. Everything else stays unchanged. */
export interface MessageChanges {
  readonly id?: string;
  readonly params?: ParamChanges;
}

/** Replaces only members that exist. */
export interface ParamChanges {
  readonly name?: string;
  readonly uri?: string;
  readonly refName?: string;
  readonly refUri?: string;
  readonly progressToken?: string;
  /** Replaces `_meta.progressToken`. */
  readonly metaToken?: string;
  /** Replaces `_meta`, and then nothing inside of it. */
  readonly meta?: string;
}

/**
 * Members of params that address a message; `meta` is `_meta`, `metaToken` is `_meta.progressToken`, `idempotencyKey`,
 * `clientCapabilities` and `sessionCapabilities` are members of `_meta` under the prefix `patchbay/`.
 */
export type ParamKey =
  | 'name'
  | 'uri'
  | 'ref'
  | 'task'
  | 'requestState'
  | 'meta'
  | 'progressToken'
  | 'metaToken'
  | 'idempotencyKey'
  | 'clientCapabilities'
  | 'sessionCapabilities';

/** The connection a message came from, if it can be paused. */
export interface MessageSource {
  /** Pauses reading until `until` settles or a maximum time has passed. */
  pauseUntil(until: Promise<void>): void;
}

/**
 * A message in transit: only its envelope is read, and it is forwarded as received. The payload is parsed on
 * demand. Immutable.
 */
export abstract class RawMessage {
  readonly jsonrpc = '2.0' as const;
  abstract readonly kind: MessageKind;
  abstract readonly id: JsonRpcId | null | undefined;
  abstract readonly method: string | undefined;
  /** The parsed message; the same object each time. */
  abstract readonly value: JsonRpcMessage;
  abstract readonly params: Readonly<Record<string, unknown>> | undefined;
  /** The JSON of the params as received; undefined if there are none, or if only their value is known. */
  abstract readonly paramsBytes: Buffer | undefined;
  /** The JSON of `params.arguments`; undefined as for `paramsBytes`. */
  abstract readonly argumentsBytes: Buffer | undefined;
  abstract readonly result: unknown;
  /** The JSON of the result; undefined as for `paramsBytes`. */
  abstract readonly resultBytes: Buffer | undefined;
  /** `result.resultType`, and `result._meta`, as JSON; undefined if absent. */
  abstract readonly resultType: string | undefined;
  abstract readonly resultMeta: string | undefined;
  abstract readonly error: JsonRpcErrorObject | undefined;
  abstract readonly source: MessageSource | undefined;
  /** Size in bytes; undefined if only the value is known. */
  abstract readonly byteLength: number | undefined;
  /** The id as JSON text, exactly as received. */
  abstract readonly idText: string;
  /** Parses one member of params; undefined if it is absent. */
  abstract param(member: ParamKey): unknown;
  /** Returns one member of params as JSON text, exactly as received. */
  abstract paramText(member: ParamKey): string | undefined;
  abstract with(changes: MessageChanges): RawMessage;
  /** Serializes the message as one line, with its newline. Throws if it cannot be written as JSON. */
  abstract line(): Buffer;

  toJSON(): JsonRpcMessage {
    return this.value;
  }
}

/** A raw message whose kind is `request`. */
export type RawRequest = RawMessage & JsonRpcRequest;

/** A raw message whose kind is `notification`. */
export type RawNotification = RawMessage & JsonRpcNotification;
