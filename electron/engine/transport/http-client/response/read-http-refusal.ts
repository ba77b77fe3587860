import type { Problem } from '../../../../../shared/error/problem.ts';
import { isDeeperThan } from '../../../../../shared/json.ts';
import { systemClock } from '../../../base/clock.ts';
import { type JsonRpcFailure, type JsonRpcResult, rpcErrorCodes } from '../../../jsonrpc/message.ts';
import { toOwnId } from '../../../jsonrpc/message-kind.ts';
import type { RawMessage, RawRequest } from '../../../jsonrpc/raw-message.ts';
import { challengeOf } from '../../oauth/challenge.ts';
import { withServerWords } from '../../oauth/sign-in-problem.ts';
import type { LinkContext } from '../contract.ts';
import { HttpStatusError, isTransient } from '../http-problem.ts';
import { mediaType } from '../http-request.ts';
import { keyRefusal } from '../key-header.ts';
import { type Body, openBody, readStart } from './body.ts';
import { readEvents, type StreamEvent } from './event-stream.ts';
import { readMessages } from './read-body.ts';
import { secretsIn, serverWords } from './server-words.ts';

type Secrets = Pick<LinkContext, 'headers'>;

/** Reads the refusal of a message, with the text in its body. */
export async function readHttpRefusal(
  { url, headers }: Pick<LinkContext, 'url' | 'headers'>,
  response: Response,
  message: RawMessage | undefined,
  isAlone = false,
): Promise<HttpStatusError> {
  const body = await openBody(response, AbortSignal.timeout(bodyTimeoutMs));
  const bytes = await readStart(body);
  const words = [serverWordsOf({ headers }, response, bytes), challengeText(response)].filter(
    (text) => text !== undefined,
  );
  const isGreeting = message === undefined || message.method === 'initialize';
  const said =
    message?.kind === 'request' ? await answerIn(body.form, bytes, message as RawRequest) : undefined;
  return new HttpStatusError(url, response, {
    ...said,
    words: words.length === 0 ? undefined : words.join('; '),
    key: keyRefusal(response, bytes.toString('utf8'), headers),
    isPage: mediaType(response) === 'text/html',
    isInitialize: isGreeting,
    isRequestOnly: isAlone,
  });
}

/** Returns the text of a challenge; for a 403, with the scope that a wider sign-in would grant. */
function challengeText(response: Response): string | undefined {
  const challenge = challengeOf(response);
  if (challenge?.status !== 403) return challenge?.said;
  const { said = 'it asks for more permission than it was given', scope } = challenge;
  return `${said}${scope === undefined ? '' : ` (${scope})`}. Sign in to it again to grant that.`;
}

/** Extracts readable text from a body that is not a message. */
export function serverWordsOf({ headers }: Secrets, response: Response, body: Buffer): string | undefined {
  return serverWords(body, mediaType(response), secretsIn(headers));
}

/**
 * Returns the answer for a refusal that concerns only this request, undefined if it concerns more. Any
 * lasting refusal of a call is an answer; for a ping, any sign of life.
 */
export function answerFromRefusal(
  { answer, status, words }: HttpStatusError,
  { id, method }: RawRequest,
  isAlive: boolean,
): JsonRpcFailure | JsonRpcResult | undefined {
  if (answer !== undefined) return answer;
  if (method === 'initialize' || status < 400) return undefined;
  const isRefused = method === 'ping' ? isAlive : status === 501 || (status < 500 && !isTransient(status));
  if (!isRefused) return undefined;
  const message = `The server answered with HTTP ${status}${words === undefined ? '' : `: ${words}`}`;
  return { jsonrpc: '2.0', id, error: { code: rpcErrorCodes.internalError, message, data: { status } } };
}

/**
 * Creates the answer for a request that needs a sign-in or key, in the words of the problem and of the
 * server.
 */
export function answerWithRemedy(
  { answer, status, words }: HttpStatusError,
  { id }: RawRequest,
  { sentence, fix }: Problem,
): JsonRpcFailure {
  const error = answer !== undefined && 'error' in answer ? answer.error : undefined;
  const message = withServerWords(`${sentence} ${fix}`, error?.message ?? words);
  const { code = rpcErrorCodes.internalError, data = { status } } = error ?? {};
  return { jsonrpc: '2.0', id, error: { code, message, data } };
}

const bodyTimeoutMs = 5000;
const maxPrintDepth = 500;

interface FoundAnswer {
  readonly answer: JsonRpcFailure | JsonRpcResult;
  readonly answersById: boolean;
}

/**
 * Finds the JSON-RPC answer in a body; in the body of an HTTP error it often has no id, or one that the
 * server made up.
 */
export async function answerIn(
  form: Body['form'],
  bytes: Buffer,
  request: RawRequest,
): Promise<FoundAnswer | undefined> {
  const texts = form === 'events' ? await dataOf(bytes) : [bytes];
  const messages = texts.flatMap(readMessages);
  for (const message of messages) {
    // The client gets it printed again.
    if (isDeeperThan(message.value, maxPrintDepth)) continue;
    const { kind, error, result } = message;
    const answersById = toOwnId(message.id) === request.id;
    if (kind === 'failure' && error !== undefined) {
      return { answer: { jsonrpc: '2.0', id: request.id, error }, answersById };
    }
    if (kind === 'result' && (answersById || messages.length === 1)) {
      return { answer: { jsonrpc: '2.0', id: request.id, result }, answersById };
    }
  }
  return undefined;
}

async function dataOf(bytes: Buffer): Promise<readonly Buffer[]> {
  const found: Buffer[] = [];
  const once = (async function* () {
    yield bytes;
  })();
  const event = ({ data }: StreamEvent) => found.push(Buffer.from(data));
  await readEvents(once, { event, retry: () => {} }, systemClock);
  return found;
}
