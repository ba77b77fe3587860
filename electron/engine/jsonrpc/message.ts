import type { JsonRpcErrorObject } from './message-types.ts';
import type { RawMessage } from './raw-message.ts';

export type * from './message-types.ts';

/** Error codes of JSON-RPC 2.0. */
export const rpcErrorCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
} as const;

/** An error that is sent over the wire as it is: code, message and data unchanged. */
export class RpcError extends Error {
  readonly code: number;
  readonly data: unknown;
  /**
   * The received message that carried the error, if any; forwarded as it is instead of being serialized
   * again.
   */
  readonly received: RawMessage | undefined;

  constructor(error: JsonRpcErrorObject, received?: RawMessage) {
    super(error.message);
    this.name = 'RpcError';
    this.code = error.code;
    this.data = error.data;
    this.received = received;
  }

  toObject(): JsonRpcErrorObject {
    return {
      code: this.code,
      message: this.message,
      ...(this.data === undefined ? {} : { data: this.data }),
    };
  }
}

/**
 * Rejects a request that will get no response: the connection ended or the message could not be delivered.
 * Local; never sent over the wire. `sent` is false only if the other side certainly did not receive the
 * request. `cause` is the reason, a ProblemError if known.
 */
export class ConnectionClosedError extends Error {
  readonly sent: boolean;
  /** Milliseconds after which the other side asked for a retry, if it did. */
  readonly retryAfterMs: number | undefined;

  constructor(
    message: string,
    sent: boolean,
    options: ErrorOptions & { readonly retryAfterMs?: number } = {},
  ) {
    super(message, options);
    this.name = 'ConnectionClosedError';
    this.sent = sent;
    this.retryAfterMs = options.retryAfterMs;
  }
}

/**
 * The connection ended after the other side had answered a request with questions: nothing of it is running. Once
 * they are answered, the request goes on with another connection.
 */
export class InterruptedError extends ConnectionClosedError {
  readonly continuation: Continuation;

  constructor(continuation: Continuation, cause?: unknown) {
    super('The connection closed while the call waited for answers', continuation.resume === undefined, {
      cause,
    });
    this.name = 'InterruptedError';
    this.continuation = continuation;
  }
}

/** Member of an error's data with the state with which a stateless client goes on; removed before it gets the error. */
export const continuationKey = 'patchbay/continuation';

export interface Continuation {
  /** State with which the client goes on by itself, as JSON; undefined if it cannot. */
  readonly state: string | undefined;
  /** Returns the request that goes on; undefined while questions are open. */
  readonly resume: ((request: RawMessage) => RawMessage) | undefined;
}
