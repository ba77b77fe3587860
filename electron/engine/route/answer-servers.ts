import type { ServerRequest, ServerRequestHandler } from '../supervise/contract.ts';
import { nobodyToAsk } from './error-map.ts';
import type { Cause } from './flights.ts';
import { ignore, type Ledgers } from './ledgers.ts';

/**
 * Answers what servers ask by asking the session whose call made them ask: over HTTP the one it came with, else the
 * one session that has calls under way there. Where that is not certain it is refused; nothing is ever guessed.
 * `clients: 'one'`: the program has a single client for life, so it is asked outside of calls too.
 */
export function answerServers(ledgers: Ledgers, clients: 'one' | 'many'): ServerRequestHandler {
  const { flights, users, elicitations } = ledgers;

  function whomToAsk(serverKey: string, { message, relatedTo }: ServerRequest): Cause {
    const cause = flights.causeOf(serverKey, relatedTo);
    if (cause.kind !== 'none') return cause;
    const only = clients === 'one' ? users.onlyOne(serverKey) : undefined;
    // Roots are asked for outside of calls, mostly right after the handshake.
    const caller = only ?? (message.method === 'roots/list' ? users.likeliest(serverKey) : undefined);
    return caller === undefined ? cause : { kind: 'certain', caller };
  }

  return async (serverKey, request) => {
    const { message, signal } = request;
    const { method } = message;
    const cause = whomToAsk(serverKey, request);
    if (cause.kind !== 'certain') throw nobodyToAsk(serverKey, method, cause.kind);
    const { caller, requestId } = cause;
    if (method === 'elicitation/create') elicitations.asked(serverKey, message.params, caller);
    const result = await caller.ask({
      message,
      signal,
      onProgress: (notice) => void request.tell(notice).catch(ignore),
      ...(requestId === undefined ? {} : { relatedTo: requestId }),
    });
    if (method === 'roots/list') users.toldRoots(serverKey, caller);
    return result;
  };
}
