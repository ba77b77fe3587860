import { RpcError, rpcErrorCodes } from '../rpc/message.ts';
import type { RawRequest } from '../rpc/raw-message.ts';
import { toRaw } from '../rpc/read-message.ts';
import type { ServerRequest, ServerRequestHandler } from '../supervise/contract.ts';
import { type Caused, causeOf } from './cause.ts';
import { ignore, type Ledgers } from './ledgers.ts';
import type { QuestionBook } from './question-book.ts';
import { nobodyToAsk } from './question-errors.ts';

/**
 * Forwards a server's requests to the session whose call caused them: over HTTP the call whose stream it came
 * on, otherwise the owner of the task it names, otherwise the only session with calls in progress there. If
 * that is not certain, the request is refused; nothing is ever guessed.
 */
export function answerServers(
  ledgers: Ledgers,
  questions: Pick<QuestionBook, 'isFor'>,
): ServerRequestHandler {
  const { users, elicitations, instances, flights } = ledgers;

  function whomToAsk(key: string, { message, ...from }: ServerRequest): Caused {
    const caused = causeOf(ledgers, { key, ...from }, message);
    if (caused.cause.kind !== 'none' || message.method !== 'roots/list') return caused;
    if (instances.isolates(key)) return caused;
    // Servers ask for roots outside of calls, mostly right after the handshake.
    const caller = users.likeliest(key);
    return caller === undefined ? caused : { ...caused, cause: { kind: 'certain', caller } };
  }

  async function ask(serverKey: string, request: ServerRequest, caused: Caused): Promise<unknown> {
    const { method, params } = request.message;
    const { cause, message } = caused;
    // Clients announced no tasks of their own to these servers, and servers must not see tasks of others.
    if (method.startsWith('tasks/')) throw unknownMethod(method);
    if (cause.kind !== 'certain')
      throw nobodyToAsk(serverKey, method, users.isUnseen(serverKey) ? 'unseen' : cause.kind);
    const { caller, requestId } = cause;
    questions.isFor(request, caller.sessionId);
    if (method === 'elicitation/create') elicitations.asked(serverKey, params, caller);
    return caller.ask({
      // Replacing a task id does not change the kind of message.
      message: withoutTask(message as RawRequest),
      signal: request.signal,
      onProgress: (notice) => void request.tell(notice).catch(ignore),
      ...(requestId === undefined ? {} : { relatedTo: requestId }),
    });
  }

  async function askForRoots(serverKey: string, request: ServerRequest, caused: Caused): Promise<unknown> {
    try {
      const roots = await ask(serverKey, request, caused);
      if (caused.cause.kind === 'certain') users.toldRoots(serverKey, caused.cause.caller);
      return roots;
    } catch (error) {
      users.refusedRoots(serverKey);
      throw error;
    }
  }

  /** Waits if abandoned calls hide which session is meant. */
  async function whomToAskSoon(key: string, request: ServerRequest): Promise<Caused> {
    const caused = whomToAsk(key, request);
    const later = caused.cause.kind === 'ambiguous' ? flights.laterCause(request.connection) : undefined;
    return later === undefined ? caused : { ...caused, cause: await later };
  }

  return async (serverKey, request) => {
    const caused = await whomToAskSoon(serverKey, request);
    const isForRoots = request.message.method === 'roots/list';
    return isForRoots ? askForRoots(serverKey, request, caused) : ask(serverKey, request, caused);
  };
}

/**
 * Removes the task option: by the protocol, a receiver that has not declared tasks processes the request as
 * an ordinary one.
 */
function withoutTask(message: RawRequest): RawRequest {
  if (message.params?.task === undefined) return message;
  const { task: _, ...params } = message.params;
  return toRaw({ ...message.value, params }) as RawRequest;
}

function unknownMethod(method: string): RpcError {
  return new RpcError({ code: rpcErrorCodes.methodNotFound, message: `Method not found: ${method}` });
}
