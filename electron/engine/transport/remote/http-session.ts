import type { Problem } from '../../../../shared/error/problem.ts';
import { type JsonRpcFailure, type JsonRpcResult, rpcErrorCodes } from '../../rpc/message.ts';
import type { RawMessage, RawRequest } from '../../rpc/raw-message.ts';
import { toRaw } from '../../rpc/read-message.ts';
import { type HttpStatusError, isPassing, problemBehind } from '../http-problem.ts';
import type { Judge, NotSignedInError, TokenRefusedError } from '../oauth/authorized-fetch.ts';
import { openBody, readStart } from './body.ts';
import type { LinkContext } from './contract.ts';
import { Declared } from './declared.ts';
import { bodyOf, discard, headerOnce, request } from './http-request.ts';
import { answerIn } from './refused.ts';
import { StatedVersion } from './stated-version.ts';

/** Sends the requests of one session, and finds out whether the server still knows it. */
export class HttpSession {
  readonly #context: LinkContext;
  #id: string | undefined;
  /** True once the server has accepted something in this session, which shows that it knew the session. */
  #wasKnown = false;
  /** Harmless request that the server has answered in this session. */
  #answered: string | undefined;
  /** Harmless request that has returned a result in this session. */
  #proven: string | undefined;
  #proving: Promise<Proof> | undefined;
  readonly #refusedAlone = new WeakMap<Response, Judge | undefined>();
  readonly #declared = new Declared();
  readonly #version: StatedVersion;
  /** Help for requests that were refused individually. */
  #wanted: Promise<Problem> | undefined;
  /** One probe shared by all messages that were refused. */
  #asking: Promise<readonly number[]> | undefined;

  constructor(context: LinkContext) {
    this.#context = context;
    this.#version = new StatedVersion(() => context.protocolVersion());
  }

  /** Returns true if only this message was refused for its credentials, while others are answered. */
  refusedAlone(response: Response): boolean {
    return this.#refusedAlone.has(response);
  }

  /** Finds help for a request that was refused individually, and offers it once. */
  async wantedFor(
    { method }: RawRequest,
    response: Response,
    refusal: HttpStatusError,
  ): Promise<Problem | undefined> {
    const isIdle = method === 'ping' || (harmless.has(method) && !this.#declared.includes(method));
    const judge = this.#refusedAlone.get(response);
    if (judge === undefined || isIdle) return undefined;
    this.#wanted ??= judge(refusal, true).then((judged) => problemBehind(this.#context.url, judged).problem);
    return this.#wanted;
  }

  get wasKnown(): boolean {
    return this.#wasKnown;
  }

  /** True if there is a request that {@link answers} can repeat. */
  get hasAnswered(): boolean {
    return this.#answered !== undefined;
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
    const isQuestion = message.id === questionId;
    let isJudged = isQuestion || isGreeting;
    const isSession = async () => {
      isJudged = true;
      return isQuestion || (!isGreeting && (await this.isForgotten({ status: 401 })));
    };
    const isAlone = async (error: NotSignedInError | TokenRefusedError) => {
      isJudged = true;
      if (isGreeting || isQuestion) return isQuestion;
      const isOnlyThis = await this.#isAlone(message);
      if (isOnlyThis) this.#refusedAlone.set(error.response, error.judge);
      return isOnlyThis;
    };
    const response = await request(this.#context, url, init, { isGreeting, isSession, isAlone });
    // A key in the config that is not accepted for a call must be replaced, even if other requests are
    // answered.
    if (response.status === 401 && !isJudged && !isCall(message) && (await this.#isAlone(message)))
      this.#refusedAlone.set(response, undefined);
    if (response.ok) this.#learn(message, response);
    return response;
  }

  /**
   * Returns true if a 401 to this message says nothing about others. The main list of the server stands for
   * all of them.
   */
  async #isAlone(message: RawMessage): Promise<boolean> {
    const { mainList } = this.#declared;
    if (message.kind !== 'request') return true;
    if (message.method === mainList) return false;
    if (await this.answers()) return true;
    if (this.#answered !== undefined) return false;
    const status = await this.#statusOf(mainList);
    return status === undefined ? !isCall(message) : isFine(status);
  }

  get(lastEventId: string | undefined, signal: AbortSignal): Promise<Response> {
    const headers = this.#headers();
    headers.set('accept', 'text/event-stream');
    // Headers hold bytes: these are the bytes of the id in UTF-8.
    if (lastEventId !== undefined) {
      headers.set('last-event-id', Buffer.from(lastEventId, 'utf8').toString('latin1'));
    }
    const init = { method: 'GET', headers, signal };
    return request(this.#context, this.#context.url, init, { isAlone: async () => true });
  }

  async delete(signal: AbortSignal): Promise<void> {
    if (this.#id === undefined) return;
    const init = { method: 'DELETE', headers: this.#headers(), signal };
    await discard(await request(this.#context, this.#context.url, init, { isAlone: async () => true }));
  }

  /**
   * Decides whether a refusal means that the server does not know the session, so that a new one would help.
   *
   * | status                       | of a call, in a first session          | of anything else                      |
   * | ---------------------------- | -------------------------------------- | ------------------------------------- |
   * | 404, 410                     | yes, by the protocol                   | if an earlier request is now refused  |
   * | 400, any other 4xx, or 500   | if an earlier request is now refused   | the same                              |
   * | 401                          | if an earlier request is now refused   | the same                              |
   * | 408, 429, 501, 502 and up    | no                                     | no                                    |
   *
   * A JSON-RPC error about the method or its params concerns only the request. In a session that follows a
   * forgotten one, every refusal is verified, so that a server that always refuses one message this way does
   * not cause endless reconnects.
   */
  async isForgotten(
    { status, answer }: Pick<HttpStatusError, 'status'> & Partial<Pick<HttpStatusError, 'answer'>>,
    message?: RawMessage,
  ): Promise<boolean> {
    if (this.#id === undefined || message?.method === 'initialize') return false;
    if (answer !== undefined && isAboutRequest(answer)) return false;
    if (status === 401 && this.#answered === undefined) return false;
    const saysSo = status === 404 || status === 410;
    if (saysSo && isCall(message) && !this.#context.isRenewed) return true;
    if (!saysSo && !(this.#wasKnown && mayMeanSession(status))) return false;
    // A ping that was never answered proves little, so it is relied on once.
    const isDoubtful = this.#answered === undefined && this.#wasKnown && this.#context.isRenewed;
    if (isDoubtful) return saysSo && isCall(message);
    return (await this.#askAgain()).some((again) => again === status || again === 404 || again === 410);
  }

  /** Records a request that returned a result. */
  proved(method: string, message: RawMessage): void {
    if (method === 'initialize') this.#declared.learn(message.result);
    if (harmless.has(method) && this.#proven !== 'ping') this.#proven = method;
  }

  /** Returns true if an error with this code justifies {@link isForgottenAfter}. */
  mayForget(code: number): boolean {
    return this.#proven !== undefined && sessionCodes.has(code);
  }

  /**
   * Decides whether HTTP 200 with an error of this code, or with no answer, means that the server has
   * forgotten the session: a request that returned a result in it now ends the same way.
   */
  async isForgottenAfter(code: number | 'no answer'): Promise<boolean> {
    const method = this.#proven;
    if (this.#id === undefined || method === undefined) return false;
    this.#proving ??= this.#prove(method).finally(() => {
      this.#proving = undefined;
    });
    const proof = await this.#proving;
    return proof === code || proof === 'forgotten';
  }

  async #prove(method: string): Promise<Proof> {
    const question = toRaw({ jsonrpc: '2.0', id: questionId, method }) as RawRequest;
    const signal = AbortSignal.any([this.#context.signal, AbortSignal.timeout(proofPatience)]);
    try {
      const response = await this.post(question, signal);
      const { status } = response;
      const body = await openBody(response, signal);
      const said = await answerIn(body.form, await readStart(body), question);
      if (status === 404 || status === 410) return 'forgotten';
      if (said !== undefined) return 'error' in said.answer ? said.answer.error.code : 'other';
      const isNone = body.form === 'empty' || body.form === 'other';
      return status === 200 && isNone && !signal.aborted ? 'no answer' : 'other';
    } catch {
      return 'other';
    }
  }

  /** Returns true if the server still answers a request that it has answered before. */
  async answers(): Promise<boolean> {
    return (await this.#askAgain()).some(isFine);
  }

  #learn({ method, kind }: RawMessage, response: Response): void {
    this.#wasKnown ||= this.#id !== undefined;
    this.#id = headerOnce(response, 'mcp-session-id') || this.#id;
    if (kind === 'request' && method !== undefined && harmless.has(method) && this.#answered !== 'ping') {
      this.#answered = method;
    }
  }

  /**
   * Returns the statuses of a request that the server should answer; it is sent twice if the server never
   * answered, because replicas take turns.
   */
  #askAgain(): Promise<readonly number[]> {
    this.#asking ??= this.#statuses().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  async #statuses(): Promise<readonly number[]> {
    const times = this.#answered === undefined && !this.#wasKnown ? 2 : 1;
    const method = this.#answered ?? 'ping';
    const statuses: number[] = [];
    for (let time = 0; time < times; time += 1) {
      const status = await this.#statusOf(method);
      if (status !== undefined) statuses.push(status);
    }
    return statuses;
  }

  async #statusOf(method: string): Promise<number | undefined> {
    const question = toRaw({ jsonrpc: '2.0', id: questionId, method });
    const signal = AbortSignal.any([this.#context.signal, AbortSignal.timeout(patience)]);
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

function isFine(status: number): boolean {
  return status >= 200 && status < 300;
}

/** Outcome of repeating a request that returned a result before: an error code, or how else it ended. */
type Proof = number | 'no answer' | 'forgotten' | 'other';

/** Codes with which servers built on the SDKs refuse an unknown session; each has other meanings too. */
const sessionCodes: ReadonlySet<number> = new Set([-32001, -32000, rpcErrorCodes.invalidRequest]);
/** Requests that can be repeated at any time. */
export const harmless: ReadonlySet<string> = new Set([
  'ping',
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
]);
/** Requests that many servers do not support, so that a refusal says little about the session. */
const optional: ReadonlySet<string> = new Set([
  ...harmless,
  'logging/setLevel',
  'completion/complete',
  'resources/subscribe',
  'resources/unsubscribe',
]);
/**
 * Unique, because the peer counts its requests from 1; a number, because some servers accept nothing else.
 */
const questionId = 2_000_000_000;
const patience = 5000;
/** Shorter than the timeout of a proxy that waits for a silent server. */
const proofPatience = 2000;
function isAboutRequest(answer: JsonRpcFailure | JsonRpcResult): boolean {
  return !('error' in answer) || aboutRequest.has(answer.error.code);
}

/** Method not found, invalid params, resource not found. */
const aboutRequest: ReadonlySet<number> = new Set([
  rpcErrorCodes.methodNotFound,
  rpcErrorCodes.invalidParams,
  -32002,
]);

function isCall(message: RawMessage | undefined): boolean {
  return message?.kind === 'request' && message.method !== undefined && !optional.has(message.method);
}

function mayMeanSession(status: number): boolean {
  return status === 500 || (status >= 400 && status < 500 && !isPassing(status));
}
