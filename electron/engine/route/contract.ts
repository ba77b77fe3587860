import type { CatalogueView } from '../catalogue/contract.ts';
import type { JsonRpcId } from '../rpc/message.ts';

/** One request of a client on its way to a server. */
export interface RouteRequest {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** The asking client's view, which decides what names mean. */
  readonly view: CatalogueView;
  /** Aborts when the client cancels or leaves; the server is told, and the answer is dropped. */
  readonly signal: AbortSignal;
  /** A progress notice of this very call, its token already mapped back to the client's. */
  readonly onProgress: (params: Readonly<Record<string, unknown>>) => void;
  /** Where it goes, for what names nothing in its params; else the params are read to find that out. */
  readonly serverKey?: string;
  /** The client's own id of it. */
  readonly requestId?: JsonRpcId;
  /** It is on its way to this server under this id; called again if it has to be sent once more. */
  readonly onSent?: (serverKey: string, id: JsonRpcId) => void;
}

/** Finds the server, forwards the raw message, returns the raw result. Rejects with RpcError only. */
export interface Router {
  /** `tools/call`, `prompts/get`, `resources/read`, `resources/subscribe`, `resources/unsubscribe`, `completion/complete`; any other with `serverKey`. */
  forward(request: RouteRequest): Promise<unknown>;
}
