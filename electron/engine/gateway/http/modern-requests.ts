import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/emitter.ts';
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
import { type ClientRequestHandle, ClientTranslator } from '../../transport/modern/client-translator.ts';
import { isEnveloped, readEnvelope } from '../../transport/modern/envelope.ts';
import {
  eraOfPost,
  headerMismatch,
  nameMismatch,
  paramMismatch,
} from '../../transport/modern/http-client-headers.ts';
import { modernMethods } from '../../transport/modern/protocol.ts';
import type { SessionRegistry } from '../session/session-registry.ts';
import type { HttpSessionOptions } from './http-guard.ts';
import { failed, tooMany } from './http-refusals.ts';
import { ModernResponse } from './modern-response.ts';

export interface ModernRequestsOptions {
  readonly sessions: Pick<SessionRegistry, 'open'>;
  readonly clock: Clock;
}

/** The session behind the requests of one token at one URL. */
interface ModernSession {
  readonly translator: ClientTranslator;
  readonly unread: UnreadResponses;
  /** Requests in flight by the id in their body, which several clients with one token may share. */
  readonly requests: Map<string, Set<ClientRequestHandle>>;
  readonly inputSchemaOf: (tool: string) => Promise<unknown>;
  readonly close: () => Promise<void>;
  idle: Disposable | undefined;
  isClosed: boolean;
}

/**
 * Serves clients of the stateless protocol over HTTP. Each request is complete in itself; behind them is one
 * session for each token and URL, which ends some time after the last request.
 */
export class ModernRequests {
  readonly #options: ModernRequestsOptions;
  readonly #sessions = new Map<string, Promise<ModernSession>>();

  constructor(options: ModernRequestsOptions) {
    this.#options = options;
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
  ): (HttpRefusal & { readonly data?: unknown }) | undefined {
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
    const refusal = refusalOf(request, message);
    if (refusal !== undefined) return refusal;
    this.#answer(request, message, response, accepted, target).catch(() => {
      if (response.headersSent) response.destroy();
      else refuse(response, failed, message.idText);
    });
    return undefined;
  }

  async close(): Promise<void> {
    const sessions = [...this.#sessions.values()];
    this.#sessions.clear();
    await Promise.allSettled(sessions.map(async (session) => (await session).close()));
  }

  async #answer(
    { headers }: IncomingMessage,
    message: RawMessage,
    response: ServerResponse,
    accepted: AcceptedForms,
    target: HttpSessionOptions,
  ): Promise<void> {
    const session = await this.#sessionFor(target).catch(() => undefined);
    if (session === undefined) {
      refuse(response, tooMany, message.idText);
      return;
    }
    session.idle?.dispose();
    try {
      const mismatch =
        message.method === 'tools/call' ? await this.#paramMismatch(session, headers, message) : undefined;
      if (mismatch === undefined) this.#request(session, message, response, accepted);
      else {
        refuse(response, toRefusal(mismatch), message.idText);
        this.#waitForNext(session);
      }
    } catch (error) {
      this.#waitForNext(session);
      throw error;
    }
  }

  #request(
    session: ModernSession,
    message: RawMessage,
    response: ServerResponse,
    accepted: AcceptedForms,
  ): void {
    const { clock } = this.#options;
    const channel = new ModernResponse(response, { accepted, unread: session.unread, clock });
    const handle = response.closed ? undefined : session.translator.request(message, channel);
    const handles = session.requests.get(message.idText) ?? new Set();
    const told = {
      cancel(reason: unknown) {
        handle?.cancel(reason);
        endCancelled(response, message.idText);
      },
    };
    if (handle !== undefined) session.requests.set(message.idText, handles.add(told));
    const over = () => {
      handles.delete(told);
      if (handles.size === 0) session.requests.delete(message.idText);
      // Closing the response is how a modern client cancels; after the answer it means nothing.
      if (!response.writableFinished) handle?.cancel('The client closed the response');
      this.#waitForNext(session);
    };
    if (response.closed) over();
    else response.on('close', over);
  }

  /** Compares headers with arguments; the session knows the schemas of its client once it is initialized. */
  async #paramMismatch(
    { translator, inputSchemaOf }: ModernSession,
    headers: IncomingHttpHeaders,
    message: RawMessage,
  ): Promise<JsonRpcErrorObject | undefined> {
    await translator.prepare(message);
    return paramMismatch(headers, message, await inputSchemaOf(String(message.param('name'))));
  }

  /** Takes notifications; wrappers send cancellations that way although closing the response is enough. */
  #notify(message: RawMessage, response: ServerResponse, target: HttpSessionOptions): undefined {
    if (message.method === 'notifications/cancelled') {
      const id = readMember(message.line(), ['params', 'requestId'])?.toString('utf8') ?? '';
      const session = this.#sessions.get(keyOf(target));
      session?.then(
        ({ requests }) => {
          const [only, ...others] = requests.get(id) ?? [];
          if (others.length === 0) only?.cancel(message.params?.reason);
        },
        () => undefined,
      );
    }
    response.writeHead(202).end();
    return undefined;
  }

  #sessionFor(target: HttpSessionOptions): Promise<ModernSession> {
    const key = keyOf(target);
    const known = this.#sessions.get(key);
    if (known !== undefined) return known;
    if (this.#sessions.size >= maxSessions) return Promise.reject(new Error('Too many sessions are open'));
    const opening = this.#open(key, target);
    this.#sessions.set(key, opening);
    opening.catch(() => this.#sessions.delete(key));
    return opening;
  }

  async #open(key: string, target: HttpSessionOptions): Promise<ModernSession> {
    const unread = new UnreadResponses();
    const congestion = () => unread.congestion;
    const translator = new ClientTranslator({ clock: this.#options.clock, congestion });
    const session = await this.#options.sessions.open({ ...target, transport: translator, via: 'http' });
    const opened: ModernSession = {
      translator,
      unread,
      requests: new Map(),
      inputSchemaOf: (tool) => session.inputSchemaOf(tool),
      close: () => session.close(),
      idle: undefined,
      isClosed: false,
    };
    session.onClosed(() => {
      this.#sessions.delete(key);
      opened.isClosed = true;
      opened.idle?.dispose();
    });
    return opened;
  }

  /** Nobody closes such a session, so it ends by itself once nothing is open. */
  #waitForNext(session: ModernSession): void {
    session.idle?.dispose();
    if (session.isClosed) return;
    session.idle = this.#options.clock.after(idleMs, () => {
      if (session.translator.isIdle) void session.close();
      else this.#waitForNext(session);
    });
  }
}

const idleMs = 5 * 60_000;
const maxSessions = 256;

/** Everything that makes lists differ; with another token come other grants. */
function keyOf({ identityId, only, profile, askedStyle, compact }: HttpSessionOptions): string {
  return JSON.stringify([identityId, only, profile, askedStyle, compact]);
}

/** Checks a request in the order that the protocol asks for. */
function refusalOf(
  { headers }: IncomingMessage,
  message: RawMessage,
): (HttpRefusal & { readonly data?: unknown }) | undefined {
  const mismatch = headerMismatch(headers, message);
  if (mismatch !== undefined) return toRefusal(mismatch);
  const envelope = readEnvelope(message);
  if ('error' in envelope) return toRefusal(envelope.error);
  const misnamed = nameMismatch(headers, message);
  if (misnamed !== undefined) return toRefusal(misnamed);
  return modernMethods.has(message.method ?? '')
    ? undefined
    : {
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
