import { isRecord } from '../../../../shared/json.ts';
import { modernVersion } from '../../../../shared/model/mcp.ts';
import { delay } from '../../base/clock.ts';
import type { Disposable } from '../../base/emitter.ts';
import { TransientMap, TransientSet } from '../../base/transient-map.ts';
import { ConnectionClosedError } from '../../jsonrpc/message.ts';
import { toOwnId } from '../../jsonrpc/message-kind.ts';
import type { RawMessage, RawRequest } from '../../jsonrpc/raw-message.ts';
import { toRaw } from '../../jsonrpc/read-message.ts';
import { type LinkContext, maxMessageLength, type RemoteLink } from '../http-client/contract.ts';
import {
  type HttpStatusError,
  problemBehind,
  refusesAccess,
  unreachable,
} from '../http-client/http-problem.ts';
import { bodyOf, request as sendRequest } from '../http-client/http-request.ts';
import { openBody } from '../http-client/response/body.ts';
import { readEvents, type StreamEvent } from '../http-client/response/event-stream.ts';
import { readMessages, readWhole } from '../http-client/response/read-body.ts';
import { answerFromRefusal, readHttpRefusal } from '../http-client/response/read-http-refusal.ts';
import { discoverRequest, type ProbeVerdict, probeId, readProbe } from './discover.ts';
import { type EraRefusal, isBeforeActing } from './era-watch.ts';
import { encodeHeader, paramHeaderValues, ToolHeaders } from './param-headers.ts';
import { modernErrorCodes, namedBy } from './protocol.ts';
import { ServerTranslator } from './server/server-translator.ts';

type HttpContext = Pick<LinkContext, 'url' | 'headers' | 'fetch' | 'clock' | 'signal'>;

/**
 * Asks a remote server for its era. Resolves with undefined if nothing was learnt: it could not be reached, or
 * did not answer in time. Rejects if a sign-in is needed first.
 */
export async function probeHttp(
  context: HttpContext,
  clientInfo: Readonly<Record<string, unknown>>,
): Promise<ProbeVerdict | undefined> {
  const first = await probeOnce(context, clientInfo, modernVersion);
  return first?.era === 'other' ? probeOnce(context, clientInfo, first.version) : first;
}

async function probeOnce(
  context: HttpContext,
  clientInfo: Readonly<Record<string, unknown>>,
  version: string,
): Promise<ProbeVerdict | undefined> {
  const ended = new AbortController();
  const probe = toRaw(discoverRequest(probeId, clientInfo, version)) as RawRequest;
  const signal = AbortSignal.any([context.signal, ended.signal]);
  const answered = (async () => {
    const response = await post(context, probe, version, [], signal);
    if (response.status === 401 || response.status === 403 || response.status >= 500) return undefined;
    if (!response.ok) {
      const { answer } = await readHttpRefusal(context, response, probe);
      return answer === undefined ? legacyByStatus(response.status) : readProbe(toRaw(answer));
    }
    for await (const message of messagesOf(response, context)) {
      if (message.kind === 'result' || message.kind === 'failure') return readProbe(message);
    }
    return legacyByStatus(response.status);
  })().catch((error: unknown) => {
    // A sign-in comes first, and then the question again; anything else is left to `initialize`.
    if (refusesAccess(problemBehind(context.url, error).problem)) throw error;
    return undefined;
  });
  const late = delay(context.clock, probeTimeoutMs, signal).then(() => undefined);
  try {
    return await Promise.race([answered, late]);
  } finally {
    ended.abort();
  }
}

function legacyByStatus(status: number): ProbeVerdict {
  return { era: 'legacy', reason: `it answered server/discover with HTTP ${status}` };
}

/** Streamable HTTP of the stateless protocol: each request is a POST by itself. */
export class ModernLink implements RemoteLink {
  readonly #context: LinkContext;
  readonly #version: string;
  readonly #translator: ServerTranslator;
  readonly #open = new TransientMap<number, AbortController>();
  /** Streams that have not ended although the answer has come. */
  readonly #answered = new TransientSet<AbortController>();
  readonly #tools = new ToolHeaders();
  readonly #lists = new Set<number>();

  constructor(context: LinkContext, { version, discover }: Extract<ProbeVerdict, { era: 'modern' }>) {
    this.#context = context;
    this.#version = version;
    this.#translator = new ServerTranslator({
      clock: context.clock,
      version,
      discover,
      send: (message) => this.#send(message),
      deliver: (message, relatedTo) => context.message(toRaw(message), relatedTo),
      lost: (id, reason) => context.unanswered(id, reason),
    });
    context.signal.addEventListener('abort', () => this.close(), { once: true });
  }

  send(message: RawMessage): Promise<void> {
    return this.#translator.send(message);
  }

  async endSession(): Promise<void> {}

  close(): void {
    this.#translator.close();
    for (const controller of [...this.#open.values(), ...this.#answered.values()]) controller.abort();
    this.#open.clear();
  }

  /** A cancellation closes the stream of its request, which is how a modern server learns of it. */
  async #send(message: RawMessage): Promise<void> {
    if (message.kind === 'request') return this.#request(message as RawRequest, true);
    if (message.method !== 'notifications/cancelled') return;
    const id = toOwnId(message.params?.requestId);
    if (id === undefined) return;
    const controller = this.#open.get(id);
    this.#open.delete(id);
    controller?.abort();
  }

  async #request(message: RawRequest, mayRepeat: boolean): Promise<void> {
    const id = toOwnId(message.id) ?? 0;
    const controller = new AbortController();
    this.#open.set(id, controller);
    if (message.method === 'tools/list') this.#lists.add(id);
    const { signal } = controller;
    try {
      const response = await post(this.#context, message, this.#version, this.#paramHeaders(message), signal);
      if (response.ok) return await this.#takeResponse(response, message.method, id, controller);
      const refusal = await readHttpRefusal(this.#context, response, message);
      const isOurFault = refusal.error?.code === modernErrorCodes.headerMismatch;
      if (isOurFault && mayRepeat && message.method === 'tools/call') {
        await this.#listAgain(signal);
        return await this.#request(message, false);
      }
      const { status, error } = refusal;
      if (await this.#endsOver({ method: message.method, status, error }, id)) return;
      this.#takeRefusal(refusal, message, id);
    } catch (error) {
      // Cancelled or closed in the meantime; nobody waits.
      if (!this.#open.delete(id)) return;
      throw error;
    }
  }

  /**
   * Ends the connection if a refusal shows that the server has sessions by now. True if that is the outcome of the
   * request, which the server has not acted on; otherwise the refusal is its answer.
   */
  async #endsOver(refusal: EraRefusal, id: number): Promise<boolean> {
    const cause = await this.#context.eraChange(refusal);
    if (cause === undefined) return false;
    // The request gets its own outcome first.
    setImmediate(() => this.#context.closed(cause));
    if (!isBeforeActing('modern', refusal)) return false;
    if (this.#open.delete(id))
      this.#translator.lost(id, new ConnectionClosedError(cause.message, false, { cause }));
    return true;
  }

  #takeRefusal(refusal: HttpStatusError, message: RawRequest, id: number): void {
    const answer = answerFromRefusal(refusal, message, true);
    if (answer === undefined) throw refusal;
    this.#open.delete(id);
    this.#translator.receive(toRaw(answer), id);
  }

  async #takeResponse(
    response: Response,
    method: string,
    id: number,
    controller: AbortController,
  ): Promise<void> {
    const read = this.#read(response, method, id, controller);
    if (isStream(response)) read.catch(() => undefined);
    else await read;
  }

  async #read(response: Response, method: string, id: number, controller: AbortController): Promise<void> {
    let reason: Error | undefined;
    let ending: Disposable | undefined;
    try {
      for await (const message of messagesOf(response, this.#context)) {
        if (controller.signal.aborted) return;
        const refusal = refusalIn(message, method);
        if (refusal !== undefined && (await this.#endsOver(refusal, id))) return;
        this.#receive(message, id);
        if (isStream(response) && !this.#open.has(id)) ending ??= this.#endLater(controller);
      }
    } catch (error) {
      reason = error instanceof Error ? error : new Error(String(error));
    } finally {
      ending?.dispose();
    }
    if (!this.#open.delete(id)) return;
    const { url } = this.#context;
    const cause = reason === undefined ? unreachable(url, noAnswer, {}) : problemBehind(url, reason);
    this.#translator.lost(id, cause);
  }

  /** Ends a stream that its server leaves open after the answer, as many do. */
  #endLater(controller: AbortController): Disposable {
    const timer = this.#context.clock.after(answeredMs, () => controller.abort());
    this.#answered.add(controller);
    return {
      dispose: () => {
        timer.dispose();
        this.#answered.delete(controller);
      },
    };
  }

  #receive(message: RawMessage, id: number): void {
    const named = toOwnId(message.id);
    const isAnswer = message.method === undefined && (message.kind !== 'invalid' || named !== undefined);
    if (!isAnswer) {
      this.#translator.receive(message, id);
      return;
    }
    // An answer to another request than that of its response may be another client's.
    if (named !== undefined && named !== id) return;
    this.#open.delete(id);
    const answer = named === id ? message : message.with({ id: String(id) });
    const isList = this.#lists.delete(id) && answer.kind === 'result';
    this.#translator.receive(isList ? this.#tools.readList(answer) : answer, id);
  }

  /** Lists the tools only to learn their headers, after the server has missed one. */
  async #listAgain(signal: AbortSignal): Promise<void> {
    let cursor = await this.#listPage(undefined, signal);
    for (let page = 1; cursor !== undefined && page < maxPages; page += 1)
      cursor = await this.#listPage(cursor, signal);
  }

  /** Returns the cursor of the next page. */
  async #listPage(cursor: string | undefined, signal: AbortSignal): Promise<string | undefined> {
    const { params, ...rest } = discoverRequest(probeId, {}, this.#version);
    const page = { ...params, ...(cursor === undefined ? {} : { cursor }) };
    const list = toRaw({ ...rest, method: 'tools/list', params: page }) as RawRequest;
    const ended = new AbortController();
    try {
      const both = AbortSignal.any([signal, ended.signal]);
      const response = await post(this.#context, list, this.#version, [], both);
      for await (const message of messagesOf(response, this.#context)) {
        if (message.method !== undefined) continue;
        const { result } = this.#tools.readList(message);
        return isRecord(result) && typeof result.nextCursor === 'string' ? result.nextCursor : undefined;
      }
    } finally {
      ended.abort();
    }
    return undefined;
  }

  #paramHeaders(message: RawRequest): readonly (readonly [string, string])[] {
    if (message.method !== 'tools/call') return [];
    const name = message.param('name');
    const headers = typeof name === 'string' ? this.#tools.headersOf(name) : [];
    return headers.length === 0 ? [] : paramHeaderValues(headers, message.params?.arguments);
  }
}

/** Returns the refusal in an answer that may show the era of its server; undefined for any other message. */
function refusalIn(message: RawMessage, method: string): EraRefusal | undefined {
  if (message.method !== undefined) return undefined;
  if (message.kind === 'failure') return { method, status: 200, error: message.error };
  const isRefused = method === 'server/discover' && readProbe(message).era === 'legacy';
  return isRefused ? { method, status: 200, error: undefined } : undefined;
}

function isStream(response: Response): boolean {
  return (response.headers.get('content-type') ?? '').toLowerCase().includes('event-stream');
}

/** Milliseconds that a server has to end a stream after the answer. */
const answeredMs = 5_000;
const maxPages = 100;
const noAnswer = 'The server ended its response without an answer.';
/** Milliseconds in which a remote server answers the question for its era. */
const probeTimeoutMs = 4_000;

function post(
  context: HttpContext,
  message: RawRequest,
  version: string,
  paramHeaders: readonly (readonly [string, string])[],
  signal: AbortSignal,
): Promise<Response> {
  const headers = new Headers(context.headers);
  for (const name of [...headers.keys()]) if (name.startsWith('mcp-')) headers.delete(name);
  headers.set('content-type', 'application/json');
  headers.set('accept', 'application/json, text/event-stream');
  headers.set('mcp-protocol-version', version);
  headers.set('mcp-method', encodeHeader(message.method));
  const member = namedBy.get(message.method);
  const name = member === 'taskId' ? message.params?.taskId : member && message.param(member);
  if (typeof name === 'string') headers.set('mcp-name', encodeHeader(name));
  for (const [header, value] of paramHeaders) headers.set(header, value);
  const init = { method: 'POST', headers, body: bodyOf(message), signal };
  const isRepeatable = message.method === 'server/discover';
  return sendRequest(context, context.url, init, { isRepeatable, isRequestOnly: async () => false });
}

/** Reads the messages of a response, whatever form it has. */
async function* messagesOf(
  response: Response,
  { clock }: Pick<LinkContext, 'clock'>,
): AsyncGenerator<RawMessage> {
  const body = await openBody(response);
  if (body.form !== 'events') {
    yield* readMessages(await readWhole(body, maxMessageLength, clock));
    return;
  }
  const queue: RawMessage[] = [];
  let wake = () => {};
  let isOver = false;
  let failure: unknown;
  const event = ({ data }: StreamEvent) => {
    if (data !== '') queue.push(...readMessages(Buffer.from(data)));
    wake();
  };
  readEvents(body.chunks, { event, retry: () => {} }, clock)
    .catch((error: unknown) => {
      failure = error;
    })
    .finally(() => {
      isOver = true;
      wake();
    });
  for (;;) {
    while (queue.length > 0) yield queue.shift() as RawMessage;
    if (isOver) break;
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  }
  if (failure !== undefined) throw failure;
}
