import { ConnectionClosedError } from '../../rpc/message.ts';
import type { RawMessage } from '../../rpc/raw-message.ts';
import { HttpStatusError, problemBehind, unreachable } from '../http-problem.ts';
import type { LinkContext, RemoteLink } from './contract.ts';
import { readEvents, type StreamEvent } from './event-stream.ts';
import { bodyOf, discard, request } from './http-request.ts';
import { readMessages } from './read-body.ts';

/**
 * The older transport: one stream for all that the server says, whose first event names the address to post to. Resolves
 * then; rejects with ProblemError, or the signal's reason.
 */
export async function openSseLink(context: LinkContext): Promise<RemoteLink> {
  const link = new SseLink(context);
  try {
    await link.open();
    return link;
  } catch (error) {
    link.close();
    throw context.signal.aborted ? context.signal.reason : problemBehind(context.url, error);
  }
}

class SseLink implements RemoteLink {
  readonly #context: LinkContext;
  readonly #over = new AbortController();
  #endpoint: URL | undefined;

  constructor(context: LinkContext) {
    this.#context = context;
    context.signal.addEventListener('abort', () => this.close(), { once: true });
  }

  /** Resolves when the server has named its address. */
  async open(): Promise<void> {
    const { url } = this.#context;
    const headers = this.#headers();
    headers.set('accept', 'text/event-stream');
    const init = { method: 'GET', headers, signal: this.#over.signal };
    const response = await request(this.#context, url, init);
    if (!response.ok || response.body === null) {
      await discard(response);
      throw new HttpStatusError(url, response);
    }
    await this.#endpointOf(response.body);
  }

  async send(message: RawMessage): Promise<void> {
    const headers = this.#headers();
    headers.set('content-type', 'application/json');
    const init = { method: 'POST', headers, body: bodyOf(message), signal: this.#over.signal };
    const response = await request(this.#context, this.#endpoint ?? this.#context.url, init);
    await discard(response);
    if (!response.ok) throw new HttpStatusError(this.#context.url, response);
  }

  async sayGoodbye(): Promise<void> {}

  close(): void {
    this.#over.abort(new ConnectionClosedError('The connection is closed', false));
  }

  #headers(): Headers {
    const version = this.#context.protocolVersion();
    const headers = new Headers({ ...this.#context.headers });
    if (version !== undefined) headers.set('mcp-protocol-version', version);
    return headers;
  }

  /** The stream is read for as long as the connection lasts. */
  #endpointOf(body: ReadableStream<Uint8Array>): Promise<void> {
    return new Promise((resolve, reject) => {
      const event = (said: StreamEvent) => {
        if (said.name === 'message') this.#deliver(said.data);
        else if (said.name === 'endpoint') {
          try {
            this.#endpoint = endpointWithin(this.#context.url, said.data);
            resolve();
          } catch (error) {
            reject(error);
          }
        }
      };
      const ended = (error?: unknown) => {
        reject(error ?? new Error('the stream ended before it named an address'));
        this.#ended();
      };
      readEvents(body, { event, retry: () => {} }).then(() => ended(), ended);
    });
  }

  /** Opening it again would be another session, which was never initialized. */
  #ended(): void {
    const isOurs = this.#over.signal.aborted;
    if (this.#endpoint === undefined || isOurs) return;
    this.#context.over(unreachable(this.#context.url, 'The server ended the stream.', {}));
  }

  #deliver(text: string): void {
    const messages = readMessages(Buffer.from(text));
    if (messages.length === 0) this.#context.noise(text);
    for (const message of messages) this.#context.message(message);
  }
}

/** Messages may carry credentials: they go nowhere but to the server's own origin. */
function endpointWithin(url: URL, text: string): URL {
  const endpoint = URL.canParse(text, url.href) ? new URL(text, url) : undefined;
  if (endpoint?.origin === url.origin) return endpoint;
  throw unreachable(url, 'The server named an address elsewhere for the messages to it.', {});
}
