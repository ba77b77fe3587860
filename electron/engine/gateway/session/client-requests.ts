import { isRecord } from '../../../../shared/json.ts';
import { ConnectionClosedError, type JsonRpcNotification, type RpcError } from '../../jsonrpc/message.ts';
import type { Peer } from '../../jsonrpc/peer-contract.ts';
import type { ParamChanges, RawRequest } from '../../jsonrpc/raw-message.ts';
import { ProgressTokens } from '../../routing/progress-tokens.ts';
import { capabilityMissing, clientDisconnected } from '../../routing/server-requests/client-errors.ts';
import type { ClientBoundRequest } from '../../routing/server-requests/contract.ts';
import { missingForQuestion, questionMethods } from '../../transport/modern/question-capability.ts';
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

/**
 * Returns the error if the client has not declared the capability for a request; many clients that lack it
 * never answer. Shared servers are told that clients support everything, so the check is made here.
 */
function capabilityError(
  { name, capabilities }: Pick<ClientInitializeParams, 'name' | 'capabilities'>,
  { method, params = {} }: RawRequest,
): RpcError | undefined {
  if (!questionMethods.has(method)) return undefined;
  const [missing] = Object.entries(missingForQuestion(capabilities, method, params) ?? {});
  if (missing === undefined) return undefined;
  const [capability, members] = missing;
  const [part] = isRecord(members) ? Object.keys(members) : [];
  const partName = part === undefined ? undefined : partNames[part];
  return capabilities[capability] === undefined || partName === undefined
    ? capabilityMissing(name, capability)
    : capabilityMissing(name, partName, 'invalidParams');
}

const partNames: Readonly<Record<string, string>> = {
  tools: 'sampling with tools',
  url: 'elicitation by URL',
  form: 'elicitation by form',
};
