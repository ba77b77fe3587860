import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { scalarText } from '../../../../shared/json.ts';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/emitter.ts';
import { TransientSet } from '../../base/transient-map.ts';
import { readMember } from '../../jsonrpc/json/edit-json.ts';
import { type JsonRpcErrorObject, rpcErrorCodes } from '../../jsonrpc/message.ts';
import type { RawMessage } from '../../jsonrpc/raw-message.ts';
import { type HttpRefusal, refuse } from '../../transport/http-server/http-refusal.ts';
import type { PostedMessages } from '../../transport/http-server/http-server-body.ts';
import {
  type AcceptedForms,
  acceptedForms,
  checkGet,
  checkPost,
} from '../../transport/http-server/http-server-rules.ts';
import { UnreadResponses } from '../../transport/http-server/http-server-stream.ts';
import {
  type ClientRequestHandle,
  ClientTranslator,
} from '../../transport/modern/client/client-translator.ts';
import {
  eraOfPost,
  headerMismatch,
  nameMismatch,
  paramMismatch,
} from '../../transport/modern/client/http-client-headers.ts';
import { type Envelope, isEnveloped, readEnvelope } from '../../transport/modern/envelope.ts';
import { modernMethods } from '../../transport/modern/protocol.ts';
import type { Session } from '../session/session-contract.ts';
import type { SessionRegistry } from '../session/session-registry.ts';
import type { HttpSessionOptions } from './http-guard.ts';
import { failed, tooMany } from './http-refusals.ts';
import { ModernResponse, SlowResponses } from './modern-response.ts';

export interface ModernRequestsOptions {
  readonly sessions: Pick<SessionRegistry, 'open'>;
  readonly clock: Clock;
}

/** The session behind the requests of one client, by its name, with one token at one URL. */
interface ModernSession {
  readonly translator: ClientTranslator;
  readonly unread: UnreadResponses;
  readonly requests: TransientSet<OpenRequest>;
  readonly inputSchemaOf: Session['inputSchemaOf'];
  readonly close: () => Promise<void>;
  lastActiveAt: number;
}

/** A request whose response has not ended yet. */
interface OpenRequest {
  /** As JSON; several clients with one token may use the same. */
  readonly id: string;
  readonly response: ServerResponse;
  channel: ModernResponse | undefined;
  handle: ClientRequestHandle | undefined;
}

/**
 * Serves clients of the stateless protocol over HTTP. Each request is complete in itself; behind them is one
 * session for each client, by its name, token and URL, which ends some time after the last request.
 */
export class ModernRequests {
  readonly #options: ModernRequestsOptions;
  readonly #slow: SlowResponses;
  /** Includes sessions that are being opened. */
  readonly #sessions = new Map<string, Promise<ModernSession>>();
  readonly #opened = new Map<string, ModernSession>();
  #sweep: Disposable | undefined;

  constructor(options: ModernRequestsOptions) {
    this.#options = options;
    this.#slow = new SlowResponses(options.clock);
  }

  /** Tells whether a POST is of the stateless protocol. */
  handles({ headers }: IncomingMessage, { messages, isBatch }: PostedMessages): boolean {
    return isBatch ? messages.some(isEnveloped) : eraOfPost(headers, messages[0]) === 'modern';
  }

  /** Handles such a POST; returns the refusal if it was not handled. */
  serve(
    request: IncomingMessage,
    response: ServerResponse,
    { messages: [message], isBatch }: PostedMessages,
    target: HttpSessionOptions,
  ): HttpRefusal | undefined {
    if (isBatch)
      return { status: 400, code: rpcErrorCodes.invalidRequest, message: 'Batches are not supported' };
    // A client that subscribes can read a stream, unless it says otherwise.
    const isStream = message.method === 'subscriptions/listen';
    const forms = acceptedForms(request.headers);
    const accepted = isStream ? { ...forms, events: true } : forms;
    const unreadable = isStream ? checkGet(request.headers) : checkPost(accepted);
    if (unreadable !== undefined) return unreadable;
    if (message.kind === 'notification') return this.#notify(message, response, target);
    if (message.kind !== 'request')
      return { status: 400, code: rpcErrorCodes.invalidRequest, message: 'The body must be one request' };
    const envelope = checkRequest(request, message);
    if ('status' in envelope) return envelope;
    this.#answer({ headers: request.headers, message, envelope, response, accepted }, target);
    return undefined;
  }

  async close(): Promise<void> {
    this.#slow.dispose();
    this.#sweep?.dispose();
    const sessions = [...this.#sessions.values()];
    this.#sessions.clear();
    await Promise.allSettled(sessions.map(async (session) => (await session).close()));
  }

  /** Makes no promise for a client that is known: one for every request costs more than all checks. */
  #answer(asked: CheckedRequest, target: HttpSessionOptions): void {
    const { name } = asked.envelope.clientInfo ?? {};
    const shared = keyOf(target);
    const key = typeof name === 'string' ? shared + name : shared;
    const session = this.#opened.get(key);
    if (session !== undefined) this.#begin(session, asked);
    else this.#open(this.#sessions.has(key) || !this.#isFull(shared) ? key : shared, target, asked);
  }

  /** Tells whether so many clients with one token ask at one URL that others share the nameless one's session. */
  #isFull(shared: string): boolean {
    let count = 0;
    for (const key of this.#sessions.keys()) if (key.startsWith(shared)) count += 1;
    return count >= maxClients;
  }

  #open(key: string, target: HttpSessionOptions, asked: CheckedRequest): void {
    const { response, message } = asked;
    const opening = this.#sessionFor(key, target).catch(() => undefined);
    opening
      .then((session) => {
        if (session === undefined) refuse(response, tooMany, message.idText);
        else this.#begin(session, asked);
      })
      .catch(() => fail(asked));
  }

  #begin(session: ModernSession, asked: CheckedRequest): void {
    const { message, response } = asked;
    if (response.closed) return;
    const open: OpenRequest = { id: message.idText, response, channel: undefined, handle: undefined };
    session.requests.add(open);
    response.on('close', () => this.#over(session, open));
    const schema = message.method === 'tools/call' ? inputSchema(session, message) : undefined;
    if (schema instanceof Promise)
      schema.then((known) => this.#forward(session, open, asked, known)).catch(() => fail(asked));
    else this.#forward(session, open, asked, schema);
  }

  #forward(session: ModernSession, open: OpenRequest, asked: CheckedRequest, inputSchema: unknown): void {
    const { headers, message, envelope, response, accepted } = asked;
    const mismatch = paramMismatch(headers, message, inputSchema);
    if (mismatch !== undefined) refuse(response, toRefusal(mismatch), message.idText);
    else if (!response.closed) {
      const { unread, translator } = session;
      open.channel = new ModernResponse(response, { accepted, unread, slow: this.#slow });
      open.handle = translator.request(message, open.channel, envelope);
    }
  }

  #over(session: ModernSession, open: OpenRequest): void {
    const { response, channel, handle } = open;
    session.requests.delete(open);
    session.lastActiveAt = this.#options.clock.now();
    channel?.closed();
    // Closing the response is how a modern client cancels; after the answer it means nothing.
    if (!response.writableFinished) handle?.cancel('The client closed the response');
  }

  /** Takes notifications; wrappers send cancellations that way although closing the response is enough. */
  #notify(message: RawMessage, response: ServerResponse, target: HttpSessionOptions): undefined {
    if (message.method === 'notifications/cancelled') {
      const id = readMember(message.line(), ['params', 'requestId'])?.toString('utf8') ?? '';
      const named = this.#requestsOf(keyOf(target)).filter((request) => request.id === id);
      const [only, ...others] = named;
      if (only !== undefined && others.length === 0) {
        only.handle?.cancel(message.params?.reason);
        endCancelled(only.response, id);
      }
    }
    response.writeHead(202).end();
    return undefined;
  }

  #requestsOf(shared: string): readonly OpenRequest[] {
    const sessions = [...this.#opened].filter(([key]) => key.startsWith(shared));
    const requests = sessions.flatMap(([, session]) => session.requests.values());
    return requests.filter(({ handle }) => handle !== undefined);
  }

  #sessionFor(key: string, target: HttpSessionOptions): Promise<ModernSession> {
    const known = this.#sessions.get(key);
    if (known !== undefined) return known;
    if (this.#sessions.size >= maxSessions) return Promise.reject(new Error('Too many sessions are open'));
    const opening = this.#openSession(key, target);
    this.#sessions.set(key, opening);
    opening.catch(() => this.#sessions.delete(key));
    return opening;
  }

  async #openSession(key: string, target: HttpSessionOptions): Promise<ModernSession> {
    const { clock, sessions } = this.#options;
    const unread = new UnreadResponses();
    const congestion = () => unread.congestion;
    const translator = new ClientTranslator({ clock, congestion });
    const session = await sessions.open({ ...target, transport: translator, via: 'http' });
    const opened: ModernSession = {
      translator,
      unread,
      requests: new TransientSet(),
      inputSchemaOf: (tool) => session.inputSchemaOf(tool),
      close: () => session.close(),
      lastActiveAt: clock.now(),
    };
    this.#opened.set(key, opened);
    session.onClosed(() => {
      this.#sessions.delete(key);
      this.#opened.delete(key);
    });
    this.#sweep ??= clock.after(idleMs, () => this.#endIdle());
    return opened;
  }

  /** Ends sessions that have been idle, since stateless clients close none. */
  #endIdle(): void {
    const { clock } = this.#options;
    const since = clock.now() - idleMs;
    for (const { requests, lastActiveAt, translator, close } of this.#opened.values())
      if (requests.size === 0 && lastActiveAt <= since && translator.isIdle) void close();
    this.#sweep = this.#opened.size === 0 ? undefined : clock.after(idleMs / 10, () => this.#endIdle());
  }
}

/** Milliseconds without a request after which a session ends. */
const idleMs = 5 * 60_000;
const maxSessions = 256;
/** Clients of one token at one URL that have sessions of their own. */
const maxClients = 16;

/** Joins all that makes lists differ, except the client's name, which follows; another token has other grants. */
function keyOf({ identityId, only, profile, askedStyle, compact }: HttpSessionOptions): string {
  if (identityId === undefined && only === undefined && profile === undefined)
    return `${askedStyle} ${compact}\n`;
  return `${JSON.stringify([identityId, only, profile, askedStyle, compact])}\n`;
}

/** A request whose headers and envelope are right. */
interface CheckedRequest {
  readonly headers: IncomingHttpHeaders;
  readonly message: RawMessage;
  readonly envelope: Envelope;
  readonly response: ServerResponse;
  readonly accepted: AcceptedForms;
}

function fail({ response, message }: CheckedRequest): void {
  if (response.headersSent) response.destroy();
  else refuse(response, failed, message.idText);
}

/** Returns the schema of a tool, which the session knows once it is initialized, or a promise of it. */
function inputSchema({ translator, inputSchemaOf }: ModernSession, message: RawMessage): unknown {
  const tool = scalarText(message.param('name'));
  const preparing = translator.prepare(message);
  return preparing === undefined ? inputSchemaOf(tool) : preparing.then(() => inputSchemaOf(tool));
}

/** Checks a request in the order that the protocol asks for; returns its envelope, or the refusal. */
function checkRequest({ headers }: IncomingMessage, message: RawMessage): Envelope | HttpRefusal {
  const mismatch = headerMismatch(headers, message);
  if (mismatch !== undefined) return toRefusal(mismatch);
  const envelope = readEnvelope(message);
  if ('error' in envelope) return toRefusal(envelope.error);
  const misnamed = nameMismatch(headers, message);
  if (misnamed !== undefined) return toRefusal(misnamed);
  if (modernMethods.has(message.method ?? '')) return envelope;
  return {
    status: 404,
    code: rpcErrorCodes.methodNotFound,
    message: `Method not found: ${message.method}`,
  };
}

/** Ends the response to a request that another one has cancelled, which its client may still wait for. */
function endCancelled(response: ServerResponse, idText: string): void {
  if (response.headersSent) response.end();
  else refuse(response, cancelledByNotice, idText);
}

const cancelledByNotice = { status: 200, code: -32_800, message: 'The request was cancelled' };

function toRefusal({ code, message, data }: JsonRpcErrorObject) {
  return { status: 400, code, message, data };
}
