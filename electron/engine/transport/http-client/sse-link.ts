import { isRecord, parseJson } from '../../../../shared/json.ts';
import { delay } from '../../base/clock.ts';
import { TransientMap } from '../../base/transient-map.ts';
import { ConnectionClosedError, type JsonRpcId } from '../../jsonrpc/message.ts';
import { toOwnId } from '../../jsonrpc/message-kind.ts';
import type { RawMessage, RawRequest } from '../../jsonrpc/raw-message.ts';
import { toRaw } from '../../jsonrpc/read-message.ts';
import type { LinkContext, RemoteLink } from './contract.ts';
import { type HttpStatusError, notMcp, SessionGoneError, unreachable } from './http-problem.ts';
import { bodyOf, discard, mediaType, request } from './http-request.ts';
import { idempotentMethods } from './http-session.ts';
import { CutOffError } from './network-error.ts';
import { isAnswer, PostedAnswers, streamGraceMs } from './posted-answers.ts';
import { isLoopback } from './proxy-rule.ts';
import { readEvents, type StreamEvent } from './response/event-stream.ts';
import { readEventData } from './response/read-body.ts';
import { answerFromRefusal, readHttpRefusal } from './response/read-http-refusal.ts';
import { responseSoon } from './response/response-soon.ts';

/**
 * Opens a link of the older transport: one stream for all messages of the server, whose first event names the
 * address to post to. Resolves after that event; rejects with the error, or the signal's reason. `endpointTimeoutMs`
 * is the time to wait for the event, in milliseconds.
 */
export async function openSseLink(context: LinkContext, endpointTimeoutMs?: number): Promise<RemoteLink> {
  const link = new SseLink(context);
  try {
    await link.open(endpointTimeoutMs);
    return link;
  } catch (error) {
    link.close();
    throw context.signal.aborted ? context.signal.reason : error;
  }
}

class SseLink implements RemoteLink {
  readonly #context: LinkContext;
  readonly #closing = new AbortController();
  readonly #postedAnswers: PostedAnswers;
  /** Requests whose POST is under way, each with what to call once the stream brings its answer. */
  readonly #posting = new TransientMap<JsonRpcId, () => void>();
  #endpoint: URL | undefined;
  /** True once the server has accepted a message in this session. */
  #wasKnown = false;

  constructor(context: LinkContext) {
    this.#context = context;
    this.#postedAnswers = new PostedAnswers(context.clock);
    context.signal.addEventListener('abort', () => this.close(), { once: true });
  }

  /** Resolves when the server has named its address. */
  async open(timeoutMs: number | undefined): Promise<void> {
    const { url } = this.#context;
    const headers = this.#headers();
    headers.set('accept', 'text/event-stream');
    const init = { method: 'GET', headers, signal: this.#closing.signal };
    const response = await request(this.#context, url, init, { isInitialize: true });
    if (!response.ok || response.body === null)
      throw await readHttpRefusal(this.#context, response, undefined);
    const isPage = mediaType(response) === 'text/html';
    await this.#endpointOf(response.body, timeoutMs).catch((error: unknown) => {
      throw isPage ? notMcp(url, undefined, true, { status: response.status }, error) : error;
    });
  }

  async send(message: RawMessage): Promise<void> {
    if (message.kind !== 'request') return this.#post(message);
    const { id } = message as RawRequest;
    const answered = new Promise<true>((resolve) => this.#posting.set(id, () => resolve(true)));
    await this.#post(message, answered).finally(() => this.#posting.delete(id));
  }

  /** `answered` resolves when the answer arrives on the stream. */
  async #post(message: RawMessage, answered?: Promise<true>): Promise<void> {
    const headers = this.#headers();
    headers.set('content-type', 'application/json');
    const init = { method: 'POST', headers, body: bodyOf(message), signal: this.#closing.signal };
    // The next important request will show whether all of them need a sign-in.
    const isAlone = message.kind !== 'request' || message.method === 'ping';
    const post = () =>
      request(this.#context, this.#endpoint ?? this.#context.url, init, {
        isRequestOnly: async () => isAlone,
      });
    const posted = post().catch((error: unknown) => {
      const mayRepeat = error instanceof CutOffError && idempotentMethods.has(message.method ?? '');
      if (!mayRepeat || this.#closing.signal.aborted) throw error;
      return post();
    });
    const isRequest = message.kind === 'request';
    const response = await (isRequest ? posted : responseSoon(posted, this.#context.clock));
    if (response === undefined) return;
    if (!response.ok) {
      const refusal = await readHttpRefusal(this.#context, response, message, isAlone);
      return (await this.#isAnsweredSoon(refusal, answered))
        ? undefined
        : this.#takeRefusal(refusal, message);
    }
    this.#wasKnown = true;
    if (!isRequest) return discard(response);
    // Nearly all servers answer on the stream, whatever the response to the POST says.
    const { id } = message as RawRequest;
    void this.#postedAnswers.take(response, id, (answer) => this.#context.message(answer));
  }

  /** Some servers answer on the stream, and report an error for the POST all the same. */
  async #isAnsweredSoon(refusal: HttpStatusError, answered: Promise<true> | undefined): Promise<boolean> {
    if (answered === undefined || refusal.isUnauthorized || refusal.answersById) return false;
    const late = delay(this.#context.clock, streamGraceMs, this.#closing.signal).then(() => false);
    return Promise.race([answered, late]);
  }

  async endSession(): Promise<void> {}

  #takeRefusal(refusal: HttpStatusError, message: RawMessage): void {
    const { status } = refusal;
    if (refusal.isUnauthorized) throw refusal;
    if (message.kind === 'request') {
      const answer = answerFromRefusal(refusal, message as RawRequest, true);
      const isOnlyThis = !isGoneStatus(status) || refusal.answersById || message.method === 'ping';
      if (answer !== undefined && isOnlyThis) {
        this.#context.message(toRaw(answer));
        return;
      }
    }
    if (!isGoneStatus(status) || message.kind !== 'request') throw refusal;
    const cause = new SessionGoneError(this.#context.url, status, this.#wasKnown);
    throw new ConnectionClosedError(cause.message, false, { cause });
  }

  close(): void {
    this.#closing.abort(new ConnectionClosedError('The connection is closed', false));
  }

  #headers(): Headers {
    const version = this.#context.protocolVersion();
    const headers = new Headers({ ...this.#context.headers });
    if (version !== undefined) headers.set('mcp-protocol-version', version);
    return headers;
  }

  /** Reads the stream for as long as the connection lasts. */
  #endpointOf(body: ReadableStream<Uint8Array>, timeoutMs: number | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const event = ({ name, data }: StreamEvent) => {
        const isUnnamed = name === 'message' && this.#endpoint === undefined && isAddress(data.trim());
        if (name.toLowerCase() !== 'endpoint' && !isUnnamed) return this.#deliver(name, data);
        try {
          this.#endpoint = endpointWithin(this.#context.url, addressIn(data.trim()));
          resolve();
        } catch (error) {
          reject(error);
        }
      };
      const ended = (error?: unknown) => {
        reject(error ?? new Error('the stream ended before it named an address'));
        this.#ended(error);
      };
      readEvents(body, { event, retry: () => {} }, this.#context.clock).then(() => ended(), ended);
      if (timeoutMs !== undefined) {
        const late = () => reject(new Error('the stream named no address'));
        setTimeout(late, timeoutMs).unref();
      }
    });
  }

  /** Reports the end: a new stream would be another session, which was never initialized. */
  #ended(error: unknown): void {
    const isOurs = this.#closing.signal.aborted;
    if (this.#endpoint === undefined || isOurs) return;
    const sentence =
      error === undefined ? 'The server ended the stream.' : 'The server closed the connection.';
    this.#context.closed(unreachable(this.#context.url, sentence, {}));
  }

  #deliver(name: string, text: string): void {
    if (text === '') return;
    const messages = readEventData(text);
    if (messages.length === 0 && name === 'message') this.#context.noise(text);
    for (const message of messages) {
      this.#postedAnswers.received(message);
      if (isAnswer(message)) this.#posting.get(toOwnId(message.id) ?? '')?.();
      this.#context.message(message);
    }
  }
}

function isGoneStatus(status: number): boolean {
  return status === 404 || status === 410;
}

/** Reads the address from its event: plain, in quotes, or as a member of an object. */
function addressIn(text: string): string {
  const value = parseJson(text);
  if (typeof value === 'string') return value;
  const named = isRecord(value) ? addressMembers.map((member) => value[member]) : [];
  const found = named.find((member) => typeof member === 'string');
  return typeof found === 'string' ? found : (/^'(.*)'$/.exec(text)?.[1] ?? text);
}

const addressMembers = ['endpoint', 'uri', 'url', 'path', 'data'];

function isAddress(text: string): boolean {
  return /^["']?(?:\/|https?:\/\/)\S*$/.test(text);
}

/**
 * Keeps messages, which may carry credentials, on the server's own origin. A server in a container or behind a
 * proxy may give its inner address, with another scheme, name or port: its path is used at that same origin.
 */
function endpointWithin(url: URL, written: string): URL {
  const text = /^%2F/i.test(written) ? decodeURIComponent(written) : written.replaceAll('&amp;', '&');
  const endpoint = URL.canParse(text, url.href) ? new URL(text, url) : undefined;
  if (endpoint?.origin === url.origin) return endpoint;
  if (endpoint !== undefined && isSameServer(url, endpoint)) {
    return new URL(`${url.origin}${endpoint.pathname}${endpoint.search}`);
  }
  throw unreachable(url, 'The server asked for messages to be sent to a different origin.', {});
}

/** Checks for names that mean nothing outside the network of the server, such as one of a container. */
function isSameServer(outer: URL, inner: URL): boolean {
  const { hostname } = inner;
  return outer.hostname === hostname || isThisMachine(hostname) || innerName.test(hostname);
}

const innerName =
  /^(?:[a-z\d_-]{1,63}|(?:[a-z\d_-]{1,63}\.){1,10}(?:internal|local|lan|svc)|10(?:\.\d{1,3}){3}|(?:192\.168|172\.(?:1[6-9]|2\d|3[01]))(?:\.\d{1,3}){2})$/i;

function isThisMachine(hostname: string): boolean {
  return hostname === '0.0.0.0' || hostname === '[::]' || isLoopback(hostname);
}
