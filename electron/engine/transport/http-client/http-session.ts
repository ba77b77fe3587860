import type { Problem } from '../../../../shared/error/problem.ts';
import { listMethods, mcpErrorCodes } from '../../../../shared/model/mcp.ts';
import {
  type JsonRpcErrorObject,
  type JsonRpcFailure,
  type JsonRpcResult,
  rpcErrorCodes,
} from '../../jsonrpc/message.ts';
import type { RawMessage, RawRequest } from '../../jsonrpc/raw-message.ts';
import { toRaw } from '../../jsonrpc/read-message.ts';
import type { DiagnoseRefusal, NotSignedInError, TokenRefusedError } from '../oauth/authorized-fetch.ts';
import type { LinkContext } from './contract.ts';
import { DeclaredLists } from './declared-lists.ts';
import { type HttpStatusError, isTransient, problemBehind } from './http-problem.ts';
import { bodyOf, discard, headerOnce, request } from './http-request.ts';
import { openBody, readStart } from './response/body.ts';
import { answerIn } from './response/read-http-refusal.ts';
import { VersionHeader } from './version-header.ts';

/** Sends the requests of one session, and finds out whether the server still knows it. */
export class HttpSession {
  readonly #context: LinkContext;
  #id: string | undefined;
  /** True once the server has accepted something in this session, which shows that it knew the session. */
  #wasKnown = false;
  /** Harmless request that the server has answered in this session. */
  #answeredMethod: string | undefined;
  /** Harmless request that has returned a result in this session. */
  #provenMethod: string | undefined;
  #probing: Promise<ProbeResult> | undefined;
  readonly #refusedResponses = new WeakMap<Response, DiagnoseRefusal | undefined>();
  readonly #declared = new DeclaredLists();
  readonly #version: VersionHeader;
  /** Help for requests that were refused individually. */
  #remedy: Promise<Problem> | undefined;
  /** One probe shared by all messages that were refused. */
  #repeating: Promise<readonly number[]> | undefined;

  constructor(context: LinkContext) {
    this.#context = context;
    this.#version = new VersionHeader(() => context.protocolVersion());
  }

  /** Returns true if only this message was refused for its credentials, while others are answered. */
  isRefusedAlone(response: Response): boolean {
    return this.#refusedResponses.has(response);
  }

  /** Finds help for a request that was refused individually, and offers it once. */
  async remedyFor(
    { method }: RawRequest,
    response: Response,
    refusal: HttpStatusError,
  ): Promise<Problem | undefined> {
    const isIdle = method === 'ping' || (idempotentMethods.has(method) && !this.#declared.includes(method));
    const judge = this.#refusedResponses.get(response);
    if (judge === undefined || isIdle) return undefined;
    this.#remedy ??= judge(refusal, true).then((judged) => problemBehind(this.#context.url, judged).problem);
    return this.#remedy;
  }

  get wasKnown(): boolean {
    return this.#wasKnown;
  }

  /** True if there is a request that {@link answers} can repeat. */
  get hasAnswered(): boolean {
    return this.#answeredMethod !== undefined;
  }

  post(message: RawMessage, signal: AbortSignal): Promise<Response> {
    return this.#version.send(message, () => this.#post(message, signal));
  }

  async #post(message: RawMessage, signal: AbortSignal): Promise<Response> {
    const isGreeting = message.method === 'initialize';
    const headers = this.#headers(!isGreeting);
    headers.set('content-type', 'application/json');
    headers.set('accept', 'application/json, text/event-stream');
    const { url } = this.#context;
    const init = { method: 'POST', headers, body: bodyOf(message), signal };
    const isQuestion = message.id === probeId;
    let isJudged = isQuestion || isGreeting;
    const isSession = async () => {
      isJudged = true;
      return isQuestion || (!isGreeting && (await this.isForgotten({ status: 401 })));
    };
    const isAlone = async (error: NotSignedInError | TokenRefusedError) => {
      isJudged = true;
      if (isGreeting || isQuestion) return isQuestion;
      const isOnlyThis = await this.#isRequestOnly(message);
      if (isOnlyThis) this.#refusedResponses.set(error.response, error.diagnose);
      return isOnlyThis;
    };
    const response = await request(this.#context, url, init, {
      isInitialize: isGreeting,
      isSession,
      isRequestOnly: isAlone,
    });
    // A key in the config that is not accepted for a call must be replaced, even if other requests are
    // answered.
    if (response.status === 401 && !isJudged && !isCall(message) && (await this.#isRequestOnly(message)))
      this.#refusedResponses.set(response, undefined);
    if (response.ok) this.#noteResponse(message, response);
    return response;
  }

  /**
   * Returns true if a 401 to this message says nothing about others. The main list of the server stands for
   * all of them.
   */
  async #isRequestOnly(message: RawMessage): Promise<boolean> {
    const { mainList } = this.#declared;
    if (message.kind !== 'request') return true;
    if (message.method === mainList) return false;
    if (await this.answers()) return true;
    if (this.#answeredMethod !== undefined) return false;
    const status = await this.#statusOf(mainList);
    return status === undefined ? !isCall(message) : isSuccess(status);
  }

  get(lastEventId: string | undefined, signal: AbortSignal): Promise<Response> {
    const headers = this.#headers();
    headers.set('accept', 'text/event-stream');
    // Headers hold bytes: these are the bytes of the id in UTF-8.
    if (lastEventId !== undefined) {
      headers.set('last-event-id', Buffer.from(lastEventId, 'utf8').toString('latin1'));
    }
    const init = { method: 'GET', headers, signal };
    return request(this.#context, this.#context.url, init, { isRequestOnly: async () => true });
  }

  async delete(signal: AbortSignal): Promise<void> {
    if (this.#id === undefined) return;
    const init = { method: 'DELETE', headers: this.#headers(), signal };
    await discard(await request(this.#context, this.#context.url, init, { isRequestOnly: async () => true }));
  }

  /**
   * Decides whether a refusal means that the server does not know the session, so that a new one would help.
   *
   * | status                       | of a call, in a first session          | of anything else                      |
   * | ---------------------------- | -------------------------------------- | ------------------------------------- |
   * | 404, 410                     | yes, by the protocol                   | if an earlier request is now refused  |
   * | 3xx, any other 4xx, or 500   | if an earlier request is now refused   | the same                              |
   * | 401                          | if an earlier request is now refused   | the same                              |
   * | 408, 429, 501, 502 and up    | no                                     | no                                    |
   *
   * A JSON-RPC error about the method or its params concerns only the request, unless it names the session. In a
   * session that follows a forgotten one, every refusal is verified, so that a server that always refuses one
   * message this way does not cause endless reconnects.
   */
  async isForgotten(
    { status, answer }: Pick<HttpStatusError, 'status'> & Partial<Pick<HttpStatusError, 'answer'>>,
    message?: RawMessage,
  ): Promise<boolean> {
    if (this.#id === undefined || message?.method === 'initialize') return false;
    const isAboutSession = answer !== undefined && 'error' in answer && namesSession(answer.error.message);
    if (answer !== undefined && isAboutRequest(answer) && !isAboutSession) return false;
    if (status === 401 && this.#answeredMethod === undefined) return false;
    const saysSo = status === 404 || status === 410;
    const isPlain = answer === undefined || !isAboutRequest(answer);
    if (saysSo && isPlain && isCall(message) && !this.#context.isReconnect) return true;
    if (!saysSo && !(this.#wasKnown && mayConcernSession(status))) return false;
    // A ping that was never answered proves little, so it is relied on once.
    const isDoubtful = this.#answeredMethod === undefined && this.#wasKnown && this.#context.isReconnect;
    if (isDoubtful) return saysSo && isCall(message);
    return (await this.#repeat()).some((again) => again === status || again === 404 || again === 410);
  }

  /** Notifications with which the server announces changes of its lists. */
  get listChanges(): readonly string[] {
    return this.#declared.changes;
  }

  /** Records a request that returned a result. */
  noteResult(method: string, message: RawMessage): void {
    if (method === 'initialize') this.#declared.read(message.result);
    if (idempotentMethods.has(method) && this.#provenMethod !== 'ping') this.#provenMethod = method;
  }

  /** Returns true if this error justifies {@link isForgottenAfter}. */
  mayMeanForgotten({ code, message }: JsonRpcErrorObject): boolean {
    return this.#provenMethod !== undefined && (sessionCodes.has(code) || namesSession(message));
  }

  /**
   * Decides whether HTTP 200 with an error of this code, or with no answer, means that the server has
   * forgotten the session: a request that returned a result in it now ends the same way.
   */
  async isForgottenAfter(code: number | 'no answer'): Promise<boolean> {
    const method = this.#provenMethod;
    if (this.#id === undefined || method === undefined) return false;
    this.#probing ??= this.#probe(method).finally(() => {
      this.#probing = undefined;
    });
    const proof = await this.#probing;
    return proof === code || proof === 'forgotten';
  }

  async #probe(method: string): Promise<ProbeResult> {
    const question = toRaw({ jsonrpc: '2.0', id: probeId, method }) as RawRequest;
    const signal = AbortSignal.any([this.#context.signal, AbortSignal.timeout(probeTimeoutMs)]);
    try {
      const response = await this.post(question, signal);
      const { status } = response;
      const body = await openBody(response, signal);
      const said = await answerIn(body.form, await readStart(body), question);
      if (status === 404 || status === 410) return 'forgotten';
      if (said !== undefined) return 'error' in said.answer ? said.answer.error.code : 'other';
      return isSuccess(status) && !signal.aborted ? 'no answer' : 'other';
    } catch {
      return 'other';
    }
  }

  /** Returns true if the server responds to a harmless request in this time, in milliseconds. */
  async respondsWithin(milliseconds: number): Promise<boolean> {
    const late = new AbortController();
    const timer = this.#context.clock.after(milliseconds, () => late.abort());
    const status = await this.#statusOf(this.#answeredMethod ?? 'ping', late.signal);
    timer.dispose();
    return status !== undefined;
  }

  /** Returns true if the server still answers a request that it has answered before. */
  async answers(): Promise<boolean> {
    return (await this.#repeat()).some(isSuccess);
  }

  #noteResponse({ method, kind }: RawMessage, response: Response): void {
    this.#wasKnown ||= this.#id !== undefined;
    this.#id = headerOnce(response, 'mcp-session-id') || this.#id;
    if (
      kind === 'request' &&
      method !== undefined &&
      idempotentMethods.has(method) &&
      this.#answeredMethod !== 'ping'
    ) {
      this.#answeredMethod = method;
    }
  }

  /**
   * Returns the statuses of a request that the server should answer; it is sent twice if the server never
   * answered, because replicas take turns.
   */
  #repeat(): Promise<readonly number[]> {
    this.#repeating ??= this.#statuses().finally(() => {
      this.#repeating = undefined;
    });
    return this.#repeating;
  }

  async #statuses(): Promise<readonly number[]> {
    const times = this.#answeredMethod === undefined && !this.#wasKnown ? 2 : 1;
    const method = this.#answeredMethod ?? 'ping';
    const statuses: number[] = [];
    for (let time = 0; time < times; time += 1) {
      const status = await this.#statusOf(method);
      if (status !== undefined) statuses.push(status);
    }
    return statuses;
  }

  async #statusOf(method: string, late = AbortSignal.timeout(requestTimeoutMs)): Promise<number | undefined> {
    const question = toRaw({ jsonrpc: '2.0', id: probeId, method });
    const signal = AbortSignal.any([this.#context.signal, late]);
    const response = await this.post(question, signal).catch(() => undefined);
    await discard(response);
    return response?.status;
  }

  #headers(inSession = true): Headers {
    const version = this.#version.value;
    const headers = new Headers({ ...this.#context.headers });
    if (inSession && this.#id !== undefined) headers.set('mcp-session-id', this.#id);
    if (inSession && version !== undefined) headers.set('mcp-protocol-version', version);
    return headers;
  }
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** Outcome of repeating a request that returned a result before: an error code, or how else it ended. */
type ProbeResult = number | 'no answer' | 'forgotten' | 'other';

/** Returns true if an error of any code may be about a session that the server does not know. */
export function namesSession(message: string): boolean {
  return aboutSession.test(message);
}

const aboutSession = /session|not (?:yet )?(?:been )?initiali[sz]ed/i;

/** Codes with which servers built on the SDKs refuse an unknown session; each has other meanings too. */
const sessionCodes: ReadonlySet<number> = new Set([
  mcpErrorCodes.sessionNotFound,
  -32000,
  rpcErrorCodes.invalidRequest,
]);
/** Requests that can be repeated at any time. */
export const idempotentMethods: ReadonlySet<string> = new Set(['ping', ...listMethods]);
/** Requests that many servers do not support, so that a refusal says little about the session. */
const optionalMethods: ReadonlySet<string> = new Set([
  ...idempotentMethods,
  'logging/setLevel',
  'completion/complete',
  'resources/subscribe',
  'resources/unsubscribe',
]);
/**
 * Unique, because the peer counts its requests from 1; a number, because some servers accept nothing else.
 */
const probeId = 2_000_000_000;
const requestTimeoutMs = 5000;
/** Shorter than the timeout of a proxy that waits for a silent server. */
const probeTimeoutMs = 2000;
function isAboutRequest(answer: JsonRpcFailure | JsonRpcResult): boolean {
  return !('error' in answer) || requestErrorCodes.has(answer.error.code);
}

const requestErrorCodes: ReadonlySet<number> = new Set([
  rpcErrorCodes.methodNotFound,
  rpcErrorCodes.invalidParams,
  mcpErrorCodes.resourceNotFound,
]);

function isCall(message: RawMessage | undefined): boolean {
  return message?.kind === 'request' && message.method !== undefined && !optionalMethods.has(message.method);
}

function mayConcernSession(status: number): boolean {
  return status === 500 || (status >= 300 && status < 500 && !isTransient(status));
}
