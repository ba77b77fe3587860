import { AsyncLocalStorage } from 'node:async_hooks';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { ProblemError } from '../../../shared/error/problem.ts';
import { type Clock, delay, systemClock } from '../base/clock.ts';
import { ConnectionClosedError, type JsonRpcId, type JsonRpcMessage } from '../rpc/message.ts';
import { isId } from '../rpc/message-kind.ts';
import { toValue, type WireMessage } from '../rpc/read-message.ts';
import type { Transport, TransportHandlers } from '../rpc/transport.ts';
import { openSse, openStreamable, type SdkContext, type SdkTransport, toFailure } from './http-client-sdk.ts';
import { type Fetch, openHttpConnections } from './http-connections.ts';
import { createDeparture, type Departure } from './http-departure.ts';
import { cancelledId, createExchanges, type Exchanges } from './http-exchanges.ts';
import {
  endsConnection,
  HttpStatusError,
  neitherTransport,
  notSent,
  problemBehind,
  SessionGoneError,
  unreachable,
} from './http-problem.ts';
import { createAuthorizedFetch } from './oauth/authorized-fetch.ts';
import type { RemoteAuthorization } from './oauth/contract.ts';
import { type RemoteAddress, remoteAddress } from './remote-address.ts';

export interface HttpClientTransportOptions {
  readonly url: string;
  /** Sent with every request; values never appear in problems. */
  readonly headers: Readonly<Record<string, string>>;
  readonly kind: 'http' | 'sse';
  /** Whether `kind` was stated rather than assumed: an assumed `http` may turn out to be the older SSE transport. */
  readonly explicit: boolean;
  readonly fetch?: Fetch;
  /** Credentials beside the headers, for servers that want their user signed in. */
  readonly authorization?: RemoteAuthorization;
  /** Names the proxies, by the usual variables. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly clock?: Clock;
}

export type HttpClientTransport = Transport & Required<Pick<Transport, 'setProtocolVersion'>>;

/**
 * A remote MCP server over Streamable HTTP or SSE, through the SDK's transports. `start` rejects with ProblemError; a
 * `send` that fails rejects with ConnectionClosedError whose `cause` is the ProblemError (`server.unauthorized` for
 * 401 and 403, else `server.unreachable`). The connection ends, with that ProblemError as its reason, when the server
 * refuses the credentials, cannot be connected to, or has forgotten the session (SessionGoneError); any other HTTP error
 * costs only the message it answered. Call `setProtocolVersion` with the negotiated revision as soon as `initialize` is
 * answered, before `notifications/initialized` is sent.
 */
export function createHttpClientTransport(options: HttpClientTransportOptions): HttpClientTransport {
  return new HttpClient(options);
}

type State =
  | { readonly kind: 'idle' }
  | { readonly kind: 'starting' }
  /** The first message shows which transport the server speaks; the others wait for its outcome. */
  | (Connected & { readonly kind: 'probing'; readonly outcome?: Promise<void> })
  | (Connected & { readonly kind: 'open' })
  | { readonly kind: 'closed' };

interface Connected {
  readonly handlers: TransportHandlers;
  readonly context: SdkContext;
  readonly sdk: SdkTransport;
}

/** With these a server of the older transport refuses the newer one's first message. */
const OTHER_TRANSPORT: ReadonlySet<number> = new Set([400, 404, 405]);
const FAREWELL_MS = 1000;

class HttpClient implements HttpClientTransport {
  readonly #options: HttpClientTransportOptions;
  readonly #clock: Clock;
  readonly #connections: { readonly fetch: Fetch; close?(): Promise<void> };
  readonly #exchanges: Exchanges;
  readonly #departure: Departure;
  readonly #over = new AbortController();
  #state: State = { kind: 'idle' };
  #version: string | undefined;
  /** The request whose own stream is being read: the SDK does not tell, but reads each in the context of its sending. */
  readonly #reading = new AsyncLocalStorage<JsonRpcId | undefined>();

  constructor(options: HttpClientTransportOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#connections =
      options.fetch === undefined ? openHttpConnections(options.env) : { fetch: options.fetch };
    this.#departure = createDeparture(this.#clock);
    this.#exchanges = createExchanges(this.#clock, (id) => this.#lost(id));
  }

  async start(handlers: TransportHandlers): Promise<void> {
    if (this.#state.kind !== 'idle') throw notSent('The transport was started or closed before');
    this.#state = { kind: 'starting' };
    const { kind, explicit, url, headers } = this.#options;
    try {
      const context = this.#context(remoteAddress(url, headers));
      const sdk = kind === 'sse' ? await openSse(context) : await openStreamable(context);
      await this.#connected({
        kind: kind === 'sse' || explicit ? 'open' : 'probing',
        handlers,
        context,
        sdk,
      });
    } catch (error) {
      this.#end(undefined);
      throw error;
    }
  }

  async send(wire: WireMessage): Promise<void> {
    const message = toValue(wire);
    if (this.#state.kind === 'probing') {
      if (this.#state.outcome === undefined) {
        const outcome = this.#probe(this.#state, message);
        this.#state = { ...this.#state, outcome };
        return outcome;
      }
      await this.#state.outcome.catch(() => {});
    }
    await this.#departure.begun;
    if (this.#state.kind !== 'open' || this.#departure.begun !== undefined) {
      throw notSent('The connection is closed');
    }
    await this.#post(this.#state, message);
  }

  setProtocolVersion(version: string): void {
    this.#version = version;
    if ('sdk' in this.#state) this.#state.sdk.setProtocolVersion(version);
  }

  /** Tells the server that the session is over, and waits a second for it to take note. */
  async close(): Promise<void> {
    const before = this.#finish(undefined);
    if (before === undefined) return;
    if ('sdk' in before && before.sdk instanceof StreamableHTTPClientTransport) {
      const farewell = before.sdk.terminateSession().catch(() => {});
      await Promise.race([farewell, delay(this.#clock, FAREWELL_MS)]);
    }
    await this.#release(before);
  }

  #context({ url, headers }: RemoteAddress): SdkContext {
    const { authorization } = this.#options;
    const { fetch } = this.#connections;
    return {
      url,
      headers,
      fetch: authorization === undefined ? fetch : createAuthorizedFetch(url, fetch, authorization),
      clock: this.#clock,
      exchanges: this.#exchanges,
      signal: this.#over.signal,
      message: (message) => this.#receive(message),
      noise: (error) => this.#noise(error),
      over: (reason) => void this.#left(reason),
      acceptsErrorAnswers: () => this.#state.kind === 'open',
    };
  }

  async #connected(state: Extract<State, Connected>): Promise<void> {
    if (this.#state.kind === 'closed') {
      await state.sdk.close();
      throw notSent('The connection was closed while it began');
    }
    if (this.#version !== undefined) state.sdk.setProtocolVersion(this.#version);
    this.#state = state;
  }

  async #probe(probing: Connected, message: JsonRpcMessage): Promise<void> {
    try {
      await this.#post(probing, message);
    } catch (error) {
      if (error instanceof HttpStatusError && OTHER_TRANSPORT.has(error.status)) {
        return this.#fallBack(probing, message, error);
      }
      this.#settle(probing);
      throw error;
    }
    this.#settle(probing);
  }

  #settle({ handlers, context, sdk }: Connected): void {
    if (this.#state.kind === 'probing') this.#state = { kind: 'open', handlers, context, sdk };
  }

  async #fallBack(probing: Connected, message: JsonRpcMessage, refusal: HttpStatusError): Promise<void> {
    const { handlers, context } = probing;
    const open = await this.#openOther(probing).catch((error: unknown) => {
      if (refusal.answer === undefined) throw this.#unwelcome(neitherTransport(context.url, refusal, error));
    });
    if (open !== undefined) return this.#post(open, message);
    // It speaks the newer transport after all, and this is what it has to say.
    this.#settle(probing);
    if (refusal.answer !== undefined) handlers.message(refusal.answer);
  }

  async #openOther({ handlers, context, sdk: first }: Connected): Promise<Connected> {
    const sdk = await openSse(context);
    const open = { kind: 'open', handlers, context, sdk } as const;
    await this.#connected(open);
    await first.close();
    return open;
  }

  #unwelcome(cause: ProblemError): ConnectionClosedError {
    return this.#ending(cause, new ConnectionClosedError(cause.message, false, { cause }));
  }

  async #post({ sdk, context }: Connected, message: JsonRpcMessage): Promise<void> {
    const id = 'method' in message && 'id' in message ? message.id : undefined;
    if (id !== undefined) this.#exchanges.begin(id);
    try {
      await this.#departure.track(this.#sendWith(sdk, message, id));
    } catch (error) {
      if (id !== undefined) this.#exchanges.end(id);
      throw await this.#judge(error, sdk, context.url);
    }
    const cancelled = cancelledId(message);
    if (cancelled !== undefined) this.#exchanges.cancel(cancelled);
  }

  async #sendWith(sdk: SdkTransport, message: JsonRpcMessage, id: JsonRpcId | undefined): Promise<void> {
    const outgoing = message as JSONRPCMessage;
    if (id === undefined || !(sdk instanceof StreamableHTTPClientTransport)) {
      // What is opened on the way (the session's own stream) belongs to no request, whoever sends this.
      return this.#reading.run(undefined, () => sdk.send(outgoing));
    }
    const onresumptiontoken = (token: string) => this.#exchanges.resumable(id, token);
    await this.#reading.run(id, () => sdk.send(outgoing, { onresumptiontoken }));
  }

  async #judge(error: unknown, sdk: SdkTransport, url: URL): Promise<ConnectionClosedError> {
    const failure = toFailure(url, error);
    const isForgotten =
      failure instanceof HttpStatusError &&
      failure.status === 404 &&
      sdk instanceof StreamableHTTPClientTransport &&
      sdk.sessionId !== undefined;
    if (isForgotten) {
      await this.#departure.begin();
      return this.#ending(new SessionGoneError(url), failure);
    }
    return endsConnection(failure) ? this.#ending(problemBehind(url, failure), failure) : failure;
  }

  async #left(reason: ProblemError): Promise<void> {
    if (reason instanceof SessionGoneError) await this.#departure.begin();
    this.#end(reason);
  }

  /** Ends the connection, but only after the sender has been told what became of its own message. */
  #ending(reason: ProblemError, failure: ConnectionClosedError): ConnectionClosedError {
    setImmediate(() => this.#end(reason));
    return failure;
  }

  #receive(message: JsonRpcMessage): void {
    if (!('handlers' in this.#state)) return;
    if (!('method' in message) && isId(message.id)) this.#exchanges.end(message.id);
    this.#state.handlers.message(message, this.#reading.getStore());
  }

  #lost(id: JsonRpcId): void {
    if (!('handlers' in this.#state)) return;
    const { handlers, context } = this.#state;
    handlers.lost?.(id, unreachable(context.url, 'The server ended its response without an answer.', {}));
  }

  /** A failed send is told to its sender; everything else the SDK mentions goes to the log. */
  #noise(error: Error): void {
    if (error instanceof ConnectionClosedError || !('handlers' in this.#state)) return;
    this.#state.handlers.noise?.(error.message);
  }

  #end(reason: Error | undefined): void {
    const before = this.#finish(reason);
    if (before !== undefined) void this.#release(before);
  }

  /** The state that was left; undefined if the connection was over before. */
  #finish(reason: Error | undefined): State | undefined {
    const before = this.#state;
    if (before.kind === 'closed') return undefined;
    this.#state = { kind: 'closed' };
    this.#over.abort(notSent('The connection was closed while it began'));
    if ('handlers' in before) before.handlers.closed(reason);
    return before;
  }

  async #release(before: State): Promise<void> {
    if ('sdk' in before) await before.sdk.close().catch(() => {});
    await this.#connections.close?.().catch(() => {});
  }
}
