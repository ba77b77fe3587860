import type { RawRequest } from '../rpc/raw-message.ts';
import type { ServerRequest, ServerRequestHandler } from '../supervise/contract.ts';
import { type Caused, causeOf } from './cause.ts';
import { nobodyToAsk } from './error-map.ts';
import { ignore, type Ledgers } from './ledgers.ts';

/**
 * Answers what servers ask by asking the session whose call made them ask: over HTTP the one it came with, else the
 * one of the task it names, else the one session that has calls under way there. Where that is not certain it is
 * refused; nothing is ever guessed.
 */
export function answerServers(ledgers: Ledgers): ServerRequestHandler {
  const { users, elicitations } = ledgers;

  function whomToAsk(serverKey: string, { message, relatedTo }: ServerRequest): Caused {
    const caused = causeOf(ledgers, serverKey, message, relatedTo);
    if (caused.cause.kind !== 'none' || message.method !== 'roots/list') return caused;
    // Roots are asked for outside of calls, mostly right after the handshake.
    const caller = users.likeliest(serverKey);
    return caller === undefined ? caused : { ...caused, cause: { kind: 'certain', caller } };
  }

  return async (serverKey, request) => {
    const { method, params } = request.message;
    const { cause, message } = whomToAsk(serverKey, request);
    if (cause.kind !== 'certain') throw nobodyToAsk(serverKey, method, cause.kind);
    const { caller, requestId } = cause;
    if (method === 'elicitation/create') elicitations.asked(serverKey, params, caller);
    const result = await caller.ask({
      // Telling a task's id in other words leaves a request a request.
      message: message as RawRequest,
      signal: request.signal,
      onProgress: (notice) => void request.tell(notice).catch(ignore),
      ...(requestId === undefined ? {} : { relatedTo: requestId }),
    });
    if (method === 'roots/list') users.toldRoots(serverKey, caller);
    return result;
  };
}
