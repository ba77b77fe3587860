import type { CatalogueView } from '../catalogue/contract.ts';
import type { JsonRpcId } from '../rpc/message.ts';
import type { RawMessage, RawRequest } from '../rpc/raw-message.ts';
import type { SupervisedServer } from '../supervise/contract.ts';

/** One request of a client on its way to a server. */
export interface RouteRequest {
  /** Id of the session that asks. */
  readonly sessionId: string;
  /** As the client sent it. */
  readonly message: RawRequest;
  /** The asking client's view, which decides what names mean. */
  readonly view: CatalogueView;
  /** Aborts when the client cancels or leaves; the server is told, and the answer is dropped. */
  readonly signal: CallSignal;
  /** A progress notice of this very call, its token already mapped back to the client's. */
  readonly onProgress: (notice: RawMessage) => void;
  /** Where it goes, for what names nothing in its params; else the params are read to find that out. */
  readonly serverKey?: string | undefined;
  /** The client's own id of it. */
  readonly requestId?: JsonRpcId | undefined;
  /** It is on its way to this server under this id; called again if it has to be sent once more. */
  readonly onSent?: ((server: SupervisedServer, id: JsonRpcId) => void) | undefined;
}

/** A function or an object that is there anyway. */
export type AbortListener = (() => void) | { handleEvent(): void };

/** The part of an AbortSignal that calls need: a real one is costly to make for every call. */
export interface CallSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: 'abort', listener: AbortListener, options?: { readonly once?: boolean }): void;
  removeEventListener(type: 'abort', listener: AbortListener): void;
}

/**
 * Finds the server, forwards the raw message, resolves with the raw message that answers it. Rejects with RpcError only.
 */
export interface Router {
  /** `tools/call`, `prompts/get`, `resources/read`, `resources/subscribe`, `resources/unsubscribe`, `completion/complete`; any other with `serverKey`. */
  forward(request: RouteRequest): Promise<unknown>;
}
