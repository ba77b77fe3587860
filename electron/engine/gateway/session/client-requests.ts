import { ConnectionClosedError, type JsonRpcNotification, type RpcError } from '../../jsonrpc/message.ts';
import type { Peer } from '../../jsonrpc/peer-contract.ts';
import type { ParamChanges, RawRequest } from '../../jsonrpc/raw-message.ts';
import { ProgressTokens } from '../../routing/progress-tokens.ts';
import { capabilityMissing, clientDisconnected } from '../../routing/server-requests/client-errors.ts';
import type { ClientBoundRequest } from '../../routing/server-requests/contract.ts';
import type { ClientInitializeParams } from './client-handshake.ts';

/** Requests of servers to this client. */
export interface ClientRequests {
  /** Resolves with the client's raw response; rejects with RpcError. */
  ask(request: ClientBoundRequest): Promise<unknown>;
  /** Handles the client's progress on one of them. */
  progress(notification: JsonRpcNotification): void;
}

export function createClientRequests(
  peer: Peer,
  client: () => Pick<ClientInitializeParams, 'name' | 'capabilities'> | undefined,
): ClientRequests {
  const tokens = new ProgressTokens();

  async function ask(request: ClientBoundRequest): Promise<unknown> {
    const { message, onProgress, keepProgress } = request;
    const identified = client();
    if (identified === undefined) throw clientDisconnected(message.method);
    const refusal = capabilityError(identified, message);
    if (refusal !== undefined) throw refusal;
    let watched = tokens.watch(progressSource, { request: message, onProgress });
    try {
      const answer = await send(request, watched === undefined ? {} : { metaToken: watched.token });
      if (watched !== undefined && keepProgress !== undefined) {
        keepProgress(watched);
        watched = undefined;
      }
      return answer;
    } finally {
      watched?.dispose();
    }
  }

  async function send(
    { message, signal, relatedTo }: ClientBoundRequest,
    changes: ParamChanges,
  ): Promise<unknown> {
    const disconnected = () => clientDisconnected(message.method);
    if (signal.aborted) throw disconnected();
    const pending = peer.forward(message, changes, relatedTo);
    const cancel = () => {
      if (!pending.abandon(disconnected())) return;
      const why = typeof signal.reason === 'string' ? { reason: signal.reason } : {};
      peer.notify('notifications/cancelled', { requestId: pending.id, ...why }, relatedTo).catch(() => {});
    };
    signal.addEventListener('abort', cancel, { once: true });
    try {
      return await pending.result;
    } catch (error) {
      throw error instanceof ConnectionClosedError ? disconnected() : error;
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  }

  return { ask, progress: (notification) => tokens.deliver(progressSource, notification) };
}

/** Tokens are stored by the source of progress, which is always the one client here. */
const progressSource = 'client';

type Params = Readonly<Record<string, unknown>>;

/**
 * Returns the error if the client has not declared the capability for a request; many clients that lack it
 * never answer. Shared servers are told that clients support everything, so the check is made here.
 */
function capabilityError(
  { name, capabilities }: Pick<ClientInitializeParams, 'name' | 'capabilities'>,
  message: RawRequest,
): RpcError | undefined {
  switch (message.method) {
    case 'sampling/createMessage':
      return samplingError(name, capabilities.sampling, message.params);
    case 'elicitation/create':
      return elicitationError(name, capabilities.elicitation, message.params?.mode);
    case 'roots/list':
      return capabilities.roots === undefined ? capabilityMissing(name, 'roots') : undefined;
    default:
      return undefined;
  }
}

function samplingError(name: string, declared: unknown, params: Params = {}): RpcError | undefined {
  if (declared === undefined) return capabilityMissing(name, 'sampling');
  const needsTools = params.tools !== undefined || params.toolChoice !== undefined;
  return needsTools && memberOf(declared, 'tools') === undefined
    ? capabilityMissing(name, 'sampling with tools', 'invalidParams')
    : undefined;
}

/** Clients that declare no mode support only forms, which was the only mode when they were written. */
function elicitationError(name: string, declared: unknown, mode: unknown): RpcError | undefined {
  if (declared === undefined) return capabilityMissing(name, 'elicitation');
  const hasUrl = memberOf(declared, 'url') !== undefined;
  if (mode === 'url')
    return hasUrl ? undefined : capabilityMissing(name, 'elicitation by URL', 'invalidParams');
  const hasForm = memberOf(declared, 'form') !== undefined || !hasUrl;
  return hasForm ? undefined : capabilityMissing(name, 'elicitation by form', 'invalidParams');
}

function memberOf(value: unknown, member: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Params)[member] : undefined;
}
