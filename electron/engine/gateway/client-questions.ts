import type { ClientBoundRequest } from '../route/backchannel-contract.ts';
import { ProgressTokens } from '../route/progress-tokens.ts';
import { clientDisconnected } from '../route/question-errors.ts';
import { ConnectionClosedError, type JsonRpcNotification } from '../rpc/message.ts';
import type { Peer } from '../rpc/peer-contract.ts';
import type { ParamChanges } from '../rpc/raw-message.ts';
import { capabilityError } from './client-abilities.ts';
import type { ClientInitializeParams } from './introduction.ts';

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
    let watched = tokens.watch(progressSource, message, onProgress);
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
