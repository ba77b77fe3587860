import { ConnectionClosedError } from '../../rpc/message.ts';
import type { RawMessage } from '../../rpc/raw-message.ts';
import { type AccessRefusal, networkError } from '../http-problem.ts';
import { keyRefusal } from '../key-header.ts';
import { NotSignedInError, TokenRefusedError, TooNarrowError } from '../oauth/authorized-fetch.ts';
import { openBody, readStart } from './body.ts';
import type { LinkContext } from './contract.ts';
import { secretsIn, serverWords } from './server-words.ts';

/** How far a refusal for want of a sign-in goes. */
export interface RefusalRules {
  readonly isGreeting?: boolean;
  /** Whether it is about the session. */
  readonly isSession?: () => Promise<boolean>;
  /** Whether it is about this request alone. */
  readonly isAlone?: (error: NotSignedInError | TokenRefusedError) => Promise<boolean>;
}

/**
 * Sends one request of the connection; rejects with ConnectionClosedError, or as aborted. That it needs more permission
 * than there is ends the connection only where it is the greeting; that it needs a sign-in does where no rule says otherwise.
 */
export async function request(
  { url, fetch, headers }: Pick<LinkContext, 'url' | 'fetch' | 'headers'>,
  target: URL,
  init: RequestInit & { readonly signal: AbortSignal },
  { isGreeting = false, isSession = async () => false, isAlone = async () => false }: RefusalRules = {},
): Promise<Response> {
  try {
    return await fetch(target, init);
  } catch (error) {
    if (error instanceof TooNarrowError && !isGreeting) return error.response;
    if (error instanceof TokenRefusedError) {
      if (await isAlone(error)) return error.response;
      await discard(error.response);
    }
    if (error instanceof NotSignedInError) {
      if ((await isSession()) || (await isAlone(error))) return error.response;
      throw await error.judge(await readAccessRefusal(error.response, headers));
    }
    if (init.signal.aborted || error instanceof ConnectionClosedError) throw error;
    throw networkError(url, error);
  }
}

/** A refusal of access with what its body says. */
async function readAccessRefusal(
  response: Response,
  sent: Readonly<Record<string, string>>,
): Promise<AccessRefusal> {
  const opening = openBody(response, AbortSignal.timeout(patience));
  const body = await opening.then(readStart).catch(() => Buffer.alloc(0));
  return {
    status: response.status,
    words: serverWords(body, mediaType(response), secretsIn(sent)),
    key: keyRefusal(response, body.toString('utf8'), sent),
  };
}

const patience = 5000;

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

/** One that was sent twice, by a server and what stands before it, comes as both values in one. */
export function headerOnce({ headers }: Response, name: string): string {
  const value = headers.get(name) ?? '';
  const [first = '', ...others] = value.split(',').map((part) => part.trim());
  return others.every((other) => other === first) ? first : value;
}
