import { ConnectionClosedError } from '../../rpc/message.ts';
import type { RawMessage } from '../../rpc/raw-message.ts';
import { networkError } from '../http-problem.ts';
import { NotSignedInError, TooNarrowError } from '../oauth/authorized-fetch.ts';
import type { LinkContext } from './contract.ts';

/**
 * Sends one request of the connection; rejects with ConnectionClosedError, or as aborted. That it needs more permission
 * than there is ends the connection only where it is the `isGreeting` one; that it needs a sign-in does unless
 * `isSession` says that the refusal is about the session.
 */
export async function request(
  { url, fetch }: Pick<LinkContext, 'url' | 'fetch'>,
  target: URL,
  init: RequestInit & { readonly signal: AbortSignal },
  isGreeting = false,
  isSession = async () => false,
): Promise<Response> {
  try {
    return await fetch(target, init);
  } catch (error) {
    if (error instanceof TooNarrowError && !isGreeting) return error.response;
    if (error instanceof NotSignedInError) {
      if (await isSession()) return error.response;
      await discard(error.response);
      await error.accept();
    }
    if (init.signal.aborted || error instanceof ConnectionClosedError) throw error;
    throw networkError(url, error);
  }
}

/** A message as the body of a POST: its bytes, without the newline that ends a line. */
export function bodyOf(message: RawMessage): Uint8Array<ArrayBuffer> {
  const line = message.line();
  return line.subarray(0, line.length - 1) as Uint8Array<ArrayBuffer>;
}

/** The body is not wanted; its connection can be used again. */
export async function discard(response: Response | undefined): Promise<void> {
  await response?.body?.cancel().catch(() => undefined);
}

/** Without parameters, in lower case. */
export function mediaType(response: Response): string {
  return (response.headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}
