import { ProblemError } from '../../../../../shared/error/problem.ts';
import { type Clock, delay } from '../../../base/clock.ts';
import { ConnectionClosedError } from '../../../jsonrpc/message.ts';
import { discard } from '../http-request.ts';

/**
 * Returns the response to a message that has no answer; undefined if none comes soon or the connection breaks,
 * since the next request will show whether the server is alive.
 */
export async function responseSoon(posted: Promise<Response>, clock: Clock): Promise<Response | undefined> {
  const heard = new AbortController();
  const response = posted.catch((error: unknown) => {
    if (error instanceof ConnectionClosedError && error.cause instanceof ProblemError && error.sent)
      return undefined;
    throw error;
  });
  try {
    const late = delay(clock, timeoutMs, heard.signal).then(() => undefined);
    const first = await Promise.race([response, late]);
    if (first === undefined) response.then(discard, () => undefined);
    return first;
  } finally {
    heard.abort();
  }
}

/** Time that a server may take to accept a message that has no answer; some never do. */
const timeoutMs = 3000;
