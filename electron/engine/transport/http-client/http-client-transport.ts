import type { ProblemError } from '../../../../shared/error/problem.ts';
import { type Clock, delay, systemClock } from '../../base/clock.ts';
import { ConnectionClosedError } from '../../jsonrpc/message.ts';
import type { RawMessage } from '../../jsonrpc/raw-message.ts';
import { toRaw, type WireMessage } from '../../jsonrpc/read-message.ts';
import type { Transport, TransportHandlers } from '../../jsonrpc/transport.ts';
import { type EraVerdict, type LegacyEra, legacyEra, modernEra } from '../modern/era.ts';
import { type EraRefusal, EraWatch } from '../modern/era-watch.ts';
import { ModernLink, probeHttp } from '../modern/modern-link.ts';
import { createAuthorizedFetch } from '../oauth/authorized-fetch.ts';
import type { RemoteAuthorization } from '../oauth/contract.ts';
import type { LinkContext, RemoteLink, StreamMemory } from './contract.ts';
import { withCookies } from './cookies.ts';
import { type Fetch, type HttpConnections, openHttpConnections } from './http-connections.ts';
import {
  EraChangedError,
  endsConnection,
  HttpStatusError,
  isTransient,
  neitherTransport,
  notSent,
  problemBehind,
  ReconnectError,
} from './http-problem.ts';
import { createPendingSends, type PendingSends } from './pending-sends.ts';
import { type RemoteAddress, remoteAddress } from './remote-address.ts';
import { newStreamMemory } from './session-stream.ts';
import { openSseLink } from './sse-link.ts';
import { StreamableLink } from './streamable-link.ts';
import { withinOrigin } from './within-origin.ts';

export interface HttpClientTransportOptions {
  readonly url: string;
  /** Sent with every request; values never appear in problems. */
  readonly headers: Readonly<Record<string, string>>;
  readonly kind: 'http' | 'sse';
  /** True if `kind` was configured rather than assumed, see {@link Transport.turnedOut}. */
  readonly isExplicit: boolean;
  readonly fetch?: Fetch;
  /** Credentials in addition to the headers, for servers that require a sign-in. */
  readonly authorization?: RemoteAuthorization;
  /** True if the previous connection failed. */
  readonly isReconnect?: boolean;
  /** By default, what is learnt of the session stream is forgotten with the connection. */
  readonly sessionStream?: StreamMemory;
  /** Environment with the usual proxy variables. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly clock?: Clock;
  /** Asks the server whether it is stateless before anything else; without it, it is taken to have sessions. */
  readonly eraProbe?: EraProbe | undefined;
}

export interface EraProbe {
  /** Verdict known before; the server is asked if it is undefined. */
  readonly known: LegacyEra | undefined;
  /** True if the verdict stays, whatever the server says. */
  readonly isFixed: boolean;
  readonly clientInfo: Readonly<Record<string, unknown>>;
}

export type HttpClientTransport = Transport & Required<Pick<Transport, 'setProtocolVersion'>>;

/**
 * Connects to a remote MCP server over Streamable HTTP or SSE, and falls back to the other one if the server
 * refuses the first. Messages pass through byte for byte. `start` rejects with ProblemError; a failed `send`
 * rejects with ConnectionClosedError whose `cause` is the ProblemError (see `accessProblem` for 401 and 403,
 * otherwise `server.unreachable`). The connection ends with that reason when the server refuses the
 * credentials, cannot be reached, has forgotten the session, or has another era (ReconnectError); any other HTTP error
 * affects only the message it answered. Call `setProtocolVersion` once `initialize` is answered, before
 * sending `notifications/initialized`.
 */
export function createHttpClientTransport(options: HttpClientTransportOptions): HttpClientTransport {
  return new HttpClient(options);
}

type State =
  | { readonly kind: 'idle' }
  | { readonly kind: 'starting' }
  /** The first message shows which transport the server speaks; the others wait for the outcome. */
  | (Probing & { readonly kind: 'probing'; readonly outcome?: Promise<void> })
  | (Connected & { readonly kind: 'open' })
  | { readonly kind: 'closed' };

interface Connected {
  readonly handlers: TransportHandlers;
  readonly context: LinkContext;
  readonly link: RemoteLink;
}

interface Probing extends Connected {
  /** Refusal of the older transport, if that was tried first. */
  readonly refusal?: HttpStatusError;
}

/** Statuses with which a server of one transport refuses the first request of the other. */
const OTHER_TRANSPORT_STATUSES: ReadonlySet<number> = new Set([400, 404, 405]);
const END_SESSION_TIMEOUT_MS = 1000;
/**
 * A server of the older transport sends its address at once; one of the newer may open a stream that stays
 * silent.
 */
const ENDPOINT_TIMEOUT_MS = 10_000;
const headerValuePattern = /^[\x21-\x7e]{1,64}$/;

class HttpClient implements HttpClientTransport {
  readonly #options: HttpClientTransportOptions;
  readonly #clock: Clock;
  readonly #connections: { readonly fetch: Fetch } & Partial<HttpConnections>;
  readonly #sessionStream: StreamMemory;
  readonly #pendingSends: PendingSends;
  readonly #closing = new AbortController();
  #state: State = { kind: 'idle' };
  #version: string | undefined;
  #actualKind: 'http' | 'sse' | undefined;
  #era: EraVerdict | undefined;
  #eraWatch: EraWatch | undefined;

  constructor(options: HttpClientTransportOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#connections =
      options.fetch === undefined ? openHttpConnections(options.env) : { fetch: options.fetch };
    this.#sessionStream = options.sessionStream ?? newStreamMemory();
    if (this.#sessionStream.needsSeparateConnections) this.#connections.separate?.();
    this.#pendingSends = createPendingSends(this.#clock);
  }

  async start(handlers: TransportHandlers): Promise<void> {
    if (this.#state.kind !== 'idle') throw notSent('The transport has already been started or closed');
    this.#state = { kind: 'starting' };
    const { kind, url, headers } = this.#options;
    try {
      const context = this.#context(remoteAddress(url, headers), handlers);
      const older = kind === 'sse' ? await openOlderLink(context) : undefined;
      if (older === undefined || older instanceof HttpStatusError) {
        const refusal = older === undefined ? {} : { refusal: older };
        this.#enter({
          kind: 'probing',
          handlers,
          context,
          link: new StreamableLink(context),
          ...refusal,
        });
      } else this.#enter({ kind: 'open', handlers, context, link: older });
    } catch (error) {
      this.#end(undefined);
      throw error;
    }
  }

  async send(wire: WireMessage): Promise<void> {
    const message = toRaw(wire);
    if (this.#options.isExplicit && message.method !== 'initialize' && this.#state.kind === 'probing')
      if (this.#state.outcome === undefined) this.#open(this.#state);
    if (this.#state.kind === 'probing') {
      if (this.#state.outcome === undefined) {
        const outcome = this.#probe(this.#state, message);
        this.#state = { ...this.#state, outcome };
        return outcome;
      }
      await this.#state.outcome.catch(() => {});
    }
    await this.#pendingSends.draining;
    if (this.#state.kind !== 'open' || this.#pendingSends.draining !== undefined) {
      throw notSent('The connection is closed');
    }
    await this.#post(this.#state, message);
  }

  setProtocolVersion(version: string): void {
    // A version that the server made up may not fit into a header.
    this.#version = headerValuePattern.test(version) ? version : undefined;
  }

  get era(): EraVerdict | undefined {
    return this.#era;
  }

  get detectedType(): 'http' | 'sse' | undefined {
    return this.#options.isExplicit ? this.#actualKind : undefined;
  }

  /** Ends the session on the server, and waits up to a second for the response. */
  async close(): Promise<void> {
    const before = this.#enterClosed(undefined);
    if (before === undefined) return;
    if ('link' in before) {
      const farewell = before.link.endSession().catch(() => {});
      await Promise.race([farewell, delay(this.#clock, END_SESSION_TIMEOUT_MS)]);
    }
    await this.#release();
  }

  #context({ url, headers }: RemoteAddress, handlers: TransportHandlers): LinkContext {
    const { authorization } = this.#options;
    const fetch = withinOrigin(withCookies(this.#connections.fetch, this.#clock));
    const isOpen = () => 'handlers' in this.#state;
    return {
      url,
      headers,
      fetch: authorization === undefined ? fetch : createAuthorizedFetch(url, fetch, authorization),
      clock: this.#clock,
      signal: this.#closing.signal,
      isReconnect: this.#options.isReconnect ?? false,
      sessionStream: this.#sessionStream,
      separateConnections: () => {
        this.#sessionStream.needsSeparateConnections = true;
        this.#connections.separate?.();
      },
      protocolVersion: () => this.#version,
      message: (message, relatedTo) => isOpen() && handlers.message(message, relatedTo),
      unanswered: (id, reason) => isOpen() && handlers.requestLost?.(id, reason),
      noise: (text) => isOpen() && handlers.noise?.(text),
      closed: (reason) => void this.#closedByServer(reason),
      acceptsErrorAnswers: () => this.#state.kind === 'open',
      eraChange: (refusal) => this.#eraChange(url, refusal),
    };
  }

  async #eraChange(url: URL, refusal: EraRefusal): Promise<EraChangedError | undefined> {
    if (this.#state.kind !== 'open') return undefined;
    const { era = 'legacy' } = this.#era ?? {};
    const hasChanged = await this.#eraWatch?.hasChanged(era, refusal);
    return hasChanged ? new EraChangedError(url, era) : undefined;
  }

  #enter(state: Extract<State, Connected>): void {
    if (this.#state.kind === 'closed') {
      state.link.close();
      throw notSent('The connection was closed while it was being opened');
    }
    this.#state = state;
  }

  async #probe(probing: Probing, message: RawMessage): Promise<void> {
    const { refusal, context } = probing;
    const modern = message.method === 'initialize' ? await this.#openModern(probing) : undefined;
    if (modern !== undefined) return modern.link.send(message);
    try {
      await this.#post(probing, message);
    } catch (error) {
      if (mayBeOtherTransport(error) && message.method === 'initialize') {
        if (refusal === undefined) return this.#fallBack(probing, message, error);
        if (!mayBeAnswer(error)) throw this.#refusedByBoth(neitherTransport(context.url, error, refusal));
      }
      this.#open(probing);
      const isAnswer =
        error instanceof HttpStatusError && !error.isUnauthorized && !isTransient(error.status);
      if (!isAnswer || error.answer === undefined) throw error;
      probing.handlers.message(error.answer);
    }
    this.#open(probing);
  }

  /** Asks for the era; an open modern link, if that is how the server speaks. */
  async #openModern({ handlers, context, link: first }: Probing): Promise<Connected | undefined> {
    const { eraProbe } = this.#options;
    if (eraProbe === undefined) return undefined;
    const { known, isFixed, clientInfo } = eraProbe;
    this.#eraWatch = new EraWatch({
      clock: this.#clock,
      ask: () => probeHttp(context, clientInfo),
      mayAsk: !isFixed,
    });
    const ask = () =>
      probeHttp(context, clientInfo).catch(async (error: unknown) => {
        throw await this.#handleFailure(toFailure(context.url, error), context.url);
      });
    const found = known ?? (await ask());
    if (found?.era === 'legacy') this.#era = legacyEra(found.reason);
    if (found?.era !== 'modern') return undefined;
    this.#era = modernEra(found.version);
    const open = { kind: 'open', handlers, context, link: new ModernLink(context, found) } as const;
    this.#enter(open);
    first.close();
    return open;
  }

  #open({ handlers, context, link, refusal }: Probing): void {
    if (refusal !== undefined) this.#actualKind = 'http';
    if (this.#state.kind === 'probing') this.#state = { kind: 'open', handlers, context, link };
  }

  async #fallBack(probing: Connected, message: RawMessage, refusal: HttpStatusError): Promise<void> {
    const { handlers, context } = probing;
    const open = await this.#openOther(probing).catch((error: unknown) => {
      if (!mayBeAnswer(refusal)) throw this.#refusedByBoth(neitherTransport(context.url, refusal, error));
    });
    if (open !== undefined) return this.#post(open, message);
    // The server speaks the newer transport after all, and this refusal is its answer.
    this.#open(probing);
    if (refusal.answer === undefined) throw refusal;
    handlers.message(refusal.answer);
  }

  async #openOther({ handlers, context, link: first }: Connected): Promise<Connected> {
    const link = await openSseLink(context, ENDPOINT_TIMEOUT_MS);
    const open = { kind: 'open', handlers, context, link } as const;
    this.#enter(open);
    this.#actualKind = 'sse';
    first.close();
    return open;
  }

  #refusedByBoth(cause: ProblemError): ConnectionClosedError {
    return this.#endSoon(cause, new ConnectionClosedError(cause.message, false, { cause }));
  }

  async #post({ link, context }: Connected, message: RawMessage): Promise<void> {
    try {
      await this.#pendingSends.track(link.send(message));
    } catch (error) {
      throw await this.#handleFailure(toFailure(context.url, error), context.url);
    }
  }

  async #handleFailure(failure: ConnectionClosedError, url: URL): Promise<ConnectionClosedError> {
    if (failure.cause instanceof ReconnectError) await this.#pendingSends.drain();
    return endsConnection(failure) ? this.#endSoon(problemBehind(url, failure), failure) : failure;
  }

  async #closedByServer(reason: ProblemError): Promise<void> {
    if (reason instanceof ReconnectError) await this.#pendingSends.drain();
    this.#end(reason);
  }

  /** Ends the connection, but only after the sender has received the outcome of its own message. */
  #endSoon(reason: ProblemError, failure: ConnectionClosedError): ConnectionClosedError {
    setImmediate(() => this.#end(reason));
    return failure;
  }

  #end(reason: Error | undefined): void {
    if (this.#enterClosed(reason) !== undefined) void this.#release();
  }

  /** Returns the previous state; undefined if the connection was already closed. */
  #enterClosed(reason: Error | undefined): State | undefined {
    const before = this.#state;
    if (before.kind === 'closed') return undefined;
    // Requests that end in their own way are reported while somebody listens.
    if (before.kind === 'open') before.link.close();
    this.#state = { kind: 'closed' };
    this.#closing.abort(notSent('The connection was closed while it was being opened'));
    if ('handlers' in before) before.handlers.closed(reason);
    return before;
  }

  async #release(): Promise<void> {
    await this.#connections.close?.().catch(() => {});
  }
}

/** Opens a link of the older transport, or returns the refusal that points to the newer one. */
async function openOlderLink(context: LinkContext): Promise<RemoteLink | HttpStatusError> {
  try {
    return await openSseLink(context);
  } catch (error) {
    if (mayBeOtherTransport(error)) return error;
    throw context.signal.aborted ? error : problemBehind(context.url, error);
  }
}

function mayBeOtherTransport(error: unknown): error is HttpStatusError {
  return (
    error instanceof HttpStatusError && !error.isUnauthorized && OTHER_TRANSPORT_STATUSES.has(error.status)
  );
}

/** Some servers explain in the refusal which requests they accept. */
function mayBeAnswer({ answer, status, words }: HttpStatusError): boolean {
  return answer !== undefined || (status === 400 && words !== undefined);
}

function toFailure(url: URL, error: unknown): ConnectionClosedError {
  if (error instanceof ConnectionClosedError) return error;
  const cause = problemBehind(url, error);
  return new ConnectionClosedError(cause.message, true, { cause });
}
