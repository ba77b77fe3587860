import { RpcError, rpcErrorCodes } from '../../jsonrpc/message.ts';
import type { RawRequest } from '../../jsonrpc/raw-message.ts';
import { toRaw } from '../../jsonrpc/read-message.ts';
import type { ServerRequest, ServerRequestHandler } from '../../servers/contract.ts';
import { noClientToAsk } from './client-errors.ts';
import { ignore } from './contract.ts';
import { type AttributedMessage, attribute } from './message-cause.ts';
import type { ServerRequestLog } from './server-request-log.ts';
import type { SessionIndex } from './session-index.ts';

/**
 * Forwards a server's requests to the session whose call caused them: over HTTP the call whose stream it came
 * on, otherwise the owner of the task it names, otherwise the only session with calls in progress there. If
 * that is not certain, the request is refused; nothing is ever guessed.
 */
export function answerServerRequests(
  sessionIndex: SessionIndex,
  log: Pick<ServerRequestLog, 'setSession'>,
): ServerRequestHandler {
  const { serverUsers, elicitations, instances, causes } = sessionIndex;

  function findTarget(key: string, { message, ...from }: ServerRequest): AttributedMessage {
    const attributed = attribute(sessionIndex, { key, ...from }, message);
    if (attributed.cause.kind !== 'none' || message.method !== 'roots/list') return attributed;
    if (instances.isolates(key)) return attributed;
    // Servers ask for roots outside of calls, mostly right after the handshake.
    const caller = serverUsers.likelySession(key);
    return caller === undefined ? attributed : { ...attributed, cause: { kind: 'certain', caller } };
  }

  async function ask(
    serverKey: string,
    request: ServerRequest,
    attributed: AttributedMessage,
  ): Promise<unknown> {
    const { method, params } = request.message;
    const { cause, message } = attributed;
    // Clients announced no tasks of their own to these servers, and servers must not see tasks of others.
    if (method.startsWith('tasks/')) throw unknownMethod(method);
    if (cause.kind !== 'certain')
      throw noClientToAsk(serverKey, method, serverUsers.isHiddenFromAll(serverKey) ? 'unseen' : cause.kind);
    const { caller, requestId } = cause;
    log.setSession(request, caller.sessionId);
    if (method === 'elicitation/create') elicitations.onRequest(serverKey, params, caller);
    const answer = caller.ask({
      // Replacing a task id does not change the kind of message.
      message: withoutTaskOption(message as RawRequest),
      signal: request.signal,
      onProgress: (notice) => void request.notify(notice).catch(ignore),
      ...(requestId === undefined ? {} : { relatedTo: requestId }),
    });
    return causes.whileAsked(caller, requestId, answer);
  }

  async function askForRoots(
    serverKey: string,
    request: ServerRequest,
    attributed: AttributedMessage,
  ): Promise<unknown> {
    try {
      const roots = await ask(serverKey, request, attributed);
      if (attributed.cause.kind === 'certain') serverUsers.rootsSent(serverKey, attributed.cause.caller);
      return roots;
    } catch (error) {
      serverUsers.rootsRefused(serverKey);
      throw error;
    }
  }

  /** Waits if abandoned calls hide which session is meant. */
  async function awaitTarget(key: string, request: ServerRequest): Promise<AttributedMessage> {
    const attributed = findTarget(key, request);
    const awaited =
      attributed.cause.kind === 'ambiguous' ? causes.causeAfterSilence(request.connection) : undefined;
    return awaited === undefined ? attributed : { ...attributed, cause: await awaited };
  }

  return async (serverKey, request) => {
    const attributed = await awaitTarget(serverKey, request);
    const isForRoots = request.message.method === 'roots/list';
    return isForRoots ? askForRoots(serverKey, request, attributed) : ask(serverKey, request, attributed);
  };
}

/**
 * Removes the task option: by the protocol, a receiver that has not declared tasks processes the request as
 * an ordinary one.
 */
function withoutTaskOption(message: RawRequest): RawRequest {
  if (message.params?.task === undefined) return message;
  const { task: _, ...params } = message.params;
  return toRaw({ ...message.value, params }) as RawRequest;
}

function unknownMethod(method: string): RpcError {
  return new RpcError({ code: rpcErrorCodes.methodNotFound, message: `Method not found: ${method}` });
}
