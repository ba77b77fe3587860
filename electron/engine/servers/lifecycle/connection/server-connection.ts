import { ConnectionClosedError, RpcError, rpcErrorCodes } from '../../../jsonrpc/message.ts';
import type { Peer, PendingRequest } from '../../../jsonrpc/peer-contract.ts';
import type { ParamChanges, RawMessage } from '../../../jsonrpc/raw-message.ts';
import { toLegacyRequest } from '../../../transport/modern/edit-message.ts';
import { goesOn, isEnveloped } from '../../../transport/modern/envelope.ts';
import { withSessionCapabilities } from '../../../transport/modern/session-capabilities.ts';
import type { Connection, ForwardingClient, Handshake } from '../../contract.ts';
import type { Redact } from '../../log/redact.ts';
import { jsonOf, type ServerSecrets } from '../../log/server-secrets.ts';

/** Peer of an initialized server. */
export type ServerPeer = Pick<
  Peer,
  'receivedCount' | 'forwardedCount' | 'request' | 'requestRaw' | 'forward' | 'notify'
>;

export interface ServerConnectionOptions {
  readonly peer: ServerPeer;
  readonly handshake: Handshake;
  readonly secrets: ServerSecrets;
  /** Called for each call: returns the reason if it must not be sent. */
  readonly refusal: () => Error | undefined;
  /** True if the transport ends one turn after it has refused a message. */
  readonly endsLate: boolean;
}

/**
 * Connection to one process of a server. Messages to clients pass unchanged; refusals of our own requests,
 * which end up in problems, are redacted.
 */
export class ServerConnection implements Connection {
  readonly handshake: Handshake;
  readonly #options: ServerConnectionOptions;
  readonly #peer: ServerPeer;

  constructor(options: ServerConnectionOptions) {
    this.#options = options;
    this.#peer = options.peer;
    this.handshake = options.handshake;
  }

  /** Number of pending client requests. */
  get activeCalls(): number {
    return this.#peer.forwardedCount;
  }

  received(): number {
    return this.#peer.receivedCount;
  }

  request(method: string, params?: Readonly<Record<string, unknown>>): PendingRequest {
    const { redact } = this.#options.secrets;
    return redactedRefusal(this.#endFirst(this.#peer.request(method, params)), redact);
  }

  requestRaw(method: string, params?: Readonly<Record<string, unknown>>): PendingRequest<RawMessage> {
    const { redact } = this.#options.secrets;
    return redactedRefusal(this.#endFirst(this.#peer.requestRaw(method, params)), redact);
  }

  forward(request: RawMessage, changes: ParamChanges, client?: ForwardingClient): PendingRequest<RawMessage> {
    const { secrets, refusal } = this.#options;
    secrets.add(request.argumentsBytes ?? request.paramsBytes ?? jsonOf(request.params));
    const reason = refusal() ?? this.#refusalOfState(request);
    return reason === undefined
      ? this.#endFirst(this.#peer.forward(this.#ownHop(request, client), changes))
      : rejectedRequest(reason);
  }

  /**
   * A call goes on only where it began: a server that has sessions by now would begin again. A state that a client
   * with a session sends by itself is a param as any other.
   */
  #refusalOfState(request: RawMessage): Error | undefined {
    const isLegacy = this.handshake.era?.era !== 'modern';
    const state = isLegacy ? request.param('requestState') : undefined;
    if (state === undefined || state === null || !goesOn(request)) return undefined;
    return new RpcError(stateless);
  }

  /**
   * A server with sessions knows the capabilities of clients already; no other hop's envelope reaches it, nor one
   * that a client with a session sends by mistake, which some servers refuse. A stateless server is told them with
   * each request.
   */
  #ownHop(request: RawMessage, client: ForwardingClient | undefined): RawMessage {
    const isLegacy = this.handshake.era?.era !== 'modern';
    const session = isLegacy || client?.isStateless?.() === true ? undefined : client?.initializeParams();
    if (session !== undefined) return withSessionCapabilities(request, session.capabilities);
    const isStamped = request.paramText('clientCapabilities') !== undefined || isEnveloped(request);
    return isLegacy && isStamped ? toLegacyRequest(request) : request;
  }

  notify(method: string, params?: Readonly<Record<string, unknown>>, urgent?: boolean): Promise<void> {
    return this.#peer.notify(method, params, undefined, urgent);
  }

  /**
   * Reports the end of the connection before the rejection of an unsent request, so that a retry uses the
   * next connection.
   */
  #endFirst<Result>(pending: PendingRequest<Result>): PendingRequest<Result> {
    return this.#options.endsLate ? mapError(pending, afterEnd) : pending;
  }
}

const stateless = {
  code: rpcErrorCodes.invalidParams,
  message:
    'The server was stateless when it asked, and now has sessions; the call cannot go on. Make it again.',
};

async function afterEnd(error: unknown): Promise<never> {
  if (error instanceof ConnectionClosedError && !error.sent) await nextTurn();
  throw error;
}

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

function redactedRefusal<Result>(pending: PendingRequest<Result>, redact: Redact): PendingRequest<Result> {
  return mapError(pending, async (error) => {
    if (!(error instanceof RpcError)) throw error;
    const { code, message, data } = error;
    throw new RpcError({ code, message: redact(message), ...(data === undefined ? {} : { data }) });
  });
}

function mapError<Result>(
  pending: PendingRequest<Result>,
  rethrow: (error: unknown) => Promise<never>,
): PendingRequest<Result> {
  const result = pending.result.catch(rethrow);
  // May be left unhandled, like the request's own.
  result.catch(() => undefined);
  return { id: pending.id, result, abandon: (reason) => pending.abandon(reason) };
}

/** Creates a request that was never sent. */
function rejectedRequest(reason: Error): PendingRequest<RawMessage> {
  const result = Promise.reject(reason);
  result.catch(() => undefined);
  return { id: 0, result, abandon: () => false };
}
