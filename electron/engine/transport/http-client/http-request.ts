import { ConnectionClosedError } from '../../jsonrpc/message.ts';
import type { RawMessage } from '../../jsonrpc/raw-message.ts';
import { InsufficientScopeError, NotSignedInError, TokenRefusedError } from '../oauth/authorized-fetch.ts';
import type { LinkContext } from './contract.ts';
import type { AccessRefusal } from './http-problem.ts';
import { keyRefusal } from './key-header.ts';
import { networkError, violatesHttp } from './network-error.ts';
import { openBody, readStart } from './response/body.ts';
import { secretsIn, serverWords } from './response/server-words.ts';

/** Decides how far a missing sign-in reaches, and whether an unreadable answer is asked for again. */
export interface RefusalRules {
  readonly isInitialize?: boolean;
  /** True if the request may be sent twice. */
  readonly isRepeatable?: boolean;
  /** Returns true if the refusal concerns the session. */
  readonly isSession?: () => Promise<boolean>;
  /** Returns true if the refusal concerns this request alone. */
  readonly isRequestOnly?: (error: NotSignedInError | TokenRefusedError) => Promise<boolean>;
}

/**
 * Sends one request of the connection; rejects with ConnectionClosedError, or when aborted. A request that
 * needs more permission ends the connection only if it is `initialize`; one that needs a sign-in ends it
 * unless a rule says otherwise. After an answer that violates HTTP, a repeatable request is sent once more,
 * which reads the answer in a more tolerant way.
 */
export async function request(
  { url, fetch, headers }: Pick<LinkContext, 'url' | 'fetch' | 'headers'>,
  target: URL,
  init: RequestInit & { readonly signal: AbortSignal },
  {
    isInitialize = false,
    isRepeatable = isInitialize,
    isSession = async () => false,
    isRequestOnly = async () => false,
  }: RefusalRules = {},
): Promise<Response> {
  try {
    return await fetch(target, init).catch((error: unknown) => {
      if (!isRepeatable || init.signal.aborted || !violatesHttp(error)) throw error;
      return fetch(target, init);
    });
  } catch (error) {
    if (error instanceof InsufficientScopeError && !isInitialize) return error.response;
    if (error instanceof TokenRefusedError) {
      if (await isRequestOnly(error)) return error.response;
      await discard(error.response);
    }
    if (error instanceof NotSignedInError) {
      if ((await isSession()) || (await isRequestOnly(error))) return error.response;
      throw await error.diagnose(await readAccessRefusal(error.response, headers));
    }
    if (init.signal.aborted || error instanceof ConnectionClosedError) throw error;
    throw networkError(url, error);
  }
}

/** Reads a refusal of access, with the text in its body. */
async function readAccessRefusal(
  response: Response,
  sent: Readonly<Record<string, string>>,
): Promise<AccessRefusal> {
  const opening = openBody(response, AbortSignal.timeout(bodyTimeoutMs));
  const body = await opening.then(readStart).catch(() => Buffer.alloc(0));
  return {
    status: response.status,
    words: serverWords(body, mediaType(response), secretsIn(sent)),
    key: keyRefusal(response, body.toString('utf8'), sent),
  };
}

const bodyTimeoutMs = 5000;

/** Returns a message as the body of a POST: its bytes, without the newline at the end. */
export function bodyOf(message: RawMessage): Uint8Array<ArrayBuffer> {
  const line = message.line();
  return line.subarray(0, line.length - 1) as Uint8Array<ArrayBuffer>;
}

/** Discards the body, so that its connection can be reused. */
export async function discard(response: Response | undefined): Promise<void> {
  await response?.body?.cancel().catch(() => undefined);
}

/** Returns the type without parameters, in lower case. */
export function mediaType(response: Response): string {
  return (response.headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/** Merges a header that was sent twice with the same value, by a server and the proxy in front of it. */
export function headerOnce({ headers }: Response, name: string): string {
  const value = headers.get(name) ?? '';
  const [first = '', ...others] = value.split(',').map((part) => part.trim());
  return others.every((other) => other === first) ? first : value;
}
