import type {
  JsonRpcErrorObject,
  JsonRpcId,
  JsonRpcMessage,
  JsonRpcNotification,
  JsonRpcRequest,
} from './message.ts';
import type { MessageKind } from './message-kind.ts';
import { joined, type Pieces } from './pieces.ts';

/** What is replaced when a message is sent on; the values are JSON text. Nothing else of the message changes. */
export interface Changes {
  readonly id?: string;
  readonly params?: ParamChanges;
}

/** Only members that are there are replaced. */
export interface ParamChanges {
  readonly name?: string;
  readonly uri?: string;
  readonly refName?: string;
  readonly refUri?: string;
  readonly progressToken?: string;
  /** Of `_meta.progressToken`. */
  readonly metaToken?: string;
}

/**
 * Members of params that say what a message is about; `metaToken` is `_meta.progressToken`, `idempotencyKey` is
 * `_meta["patchbay/idempotencyKey"]`.
 */
export type Param = 'name' | 'uri' | 'ref' | 'task' | 'progressToken' | 'metaToken' | 'idempotencyKey';

/** Where a message came from, if that can be made to wait. */
export interface MessageSource {
  /** Reads no further before `until` has settled, or a bounded time has passed. */
  hold(until: Promise<void>): void;
}

/**
 * A message as it travels: read as far as its envelope and sent on as it came. What is inside is parsed only when
 * somebody asks for it. Immutable.
 */
export abstract class RawMessage {
  readonly jsonrpc = '2.0' as const;
  abstract readonly kind: MessageKind;
  abstract readonly id: JsonRpcId | null | undefined;
  abstract readonly method: string | undefined;
  /** Parsed; the same object each time. */
  abstract readonly value: JsonRpcMessage;
  abstract readonly params: Readonly<Record<string, unknown>> | undefined;
  /** The JSON of the params as it came; undefined where there are none, or only their value is known. */
  abstract readonly paramsPieces: Pieces | undefined;
  /** That of their `arguments`, on the same terms. */
  abstract readonly argumentsPieces: Pieces | undefined;
  abstract readonly result: unknown;
  /** That of the result. */
  abstract readonly resultPieces: Pieces | undefined;
  abstract readonly error: JsonRpcErrorObject | undefined;
  abstract readonly source: MessageSource | undefined;
  /** Bytes it takes; undefined where only its value is known. */
  abstract readonly size: number | undefined;
  /** The id as JSON text, exactly as it came. */
  abstract readonly idText: string;
  /** One member of params, parsed alone; undefined where it is not there. */
  abstract param(member: Param): unknown;
  /** The same as JSON text, exactly as it came. */
  abstract paramText(member: Param): string | undefined;
  abstract with(changes: Changes): RawMessage;
  /** The message on a line of its own, with its newline. Throws where it cannot be written as JSON. */
  line(): Buffer {
    return joined(this.pieces());
  }

  /** The same in pieces, so that long ones need not be copied. */
  abstract pieces(): Pieces;

  /** {@link paramsPieces} in one. */
  get paramsBytes(): Buffer | undefined {
    const pieces = this.paramsPieces;
    return pieces && joined(pieces);
  }

  /** {@link resultPieces} in one. */
  get resultBytes(): Buffer | undefined {
    const pieces = this.resultPieces;
    return pieces && joined(pieces);
  }

  toJSON(): JsonRpcMessage {
    return this.value;
  }
}

/** A raw message whose kind is `request`. */
export type RawRequest = RawMessage & JsonRpcRequest;

/** A raw message whose kind is `notification`. */
export type RawNotification = RawMessage & JsonRpcNotification;
