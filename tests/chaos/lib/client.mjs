import { isOwnQuestion, judgeNotice, parseText } from './judge.mjs';
import { acknowledged, enveloped, listenFor, listenOf, statelessForm } from './stateless.mjs';

const capabilities = { sampling: {}, elicitation: { form: {} } };
const listChanges = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true };
/** Listens of one life at a time, besides that for lists. */
const LISTENS = 3;

/**
 * One client: joins, asks, notes every answer, and joins again when its connection has gone. `connect` opens a way to
 * the hub (see connections.mjs); `isModern` is a client without sessions, `level` that of the log messages it wants, and
 * `principal` whom the hub takes it for. It trusts nothing that arrives: what is not its own is a violation.
 */
export class ChaosClient {
  name;
  isModern;
  level;
  /** By kind, what arrived besides answers. */
  seen = new Map();
  #requests;
  #random;
  #connect;
  #usesText;
  #principal;
  #life;
  #lives = 0;
  #calls = 0;
  #isLeaving = false;
  #whenUp = [];

  constructor({ name, requests, random, connect, usesText, isModern = false, level, principal = name }) {
    Object.assign(this, { name, isModern, level });
    this.#principal = principal;
    this.#requests = requests;
    this.#random = random;
    this.#connect = connect;
    this.#usesText = usesText;
  }

  get isUp() {
    return this.#life?.state === 'up';
  }

  /** The program this client is connected through, if it has one. */
  get bridge() {
    return this.#life?.connection.bridge;
  }

  /** Resolves once it is connected. */
  up() {
    return this.isUp ? Promise.resolve() : new Promise((resolve) => this.#whenUp.push(resolve));
  }

  join() {
    this.#lives += 1;
    const life = {
      number: this.#lives,
      state: 'greeting',
      asked: new Map(),
      subscribed: new Set(),
      listens: [],
      lastId: 0,
    };
    this.#life = life;
    life.connection = this.#connect({
      message: (message) => this.#receive(life, message),
      stray: (line) => this.#violate('only messages', `stray output: ${line.slice(0, 100)}`),
      closed: (why) => this.#lost(life, why),
      over: (request, end) => this.#over(life, request, end),
    });
    return this.#greet(life);
  }

  /** Sends a request; resolves when it has ended, or when it was taken back. */
  ask(asked) {
    const life = this.#life;
    const action = this.isModern ? statelessForm(asked) : asked;
    const { request, message } = this.#open(life, action);
    const over = new Promise((resolve) => {
      request.settle = resolve;
    });
    life.connection.send(message, request);
    if (action.cancelAfter !== undefined) setTimeout(() => this.#cancel(life, request), action.cancelAfter);
    return over;
  }

  /** Ends the connection as a client does that closes. */
  async leave() {
    this.#isLeaving = true;
    await this.#life?.connection.leave();
  }

  async #greet(life) {
    const end = await (this.isModern
      ? this.ask({ method: 'server/discover', kind: 'greeting' })
      : this.#initialize());
    if (this.#life !== life || life.state === 'lost') return;
    if (end?.kind !== 'result') return this.#lost(life, { why: 'not greeted' });
    const entered = await (this.isModern ? this.ask(listenFor(listChanges)) : this.#enter(life));
    if (entered?.kind !== 'result') return this.#lost(life, { why: 'not listening' });
    if (life.state !== 'greeting') return;
    life.state = 'up';
    for (const resolve of this.#whenUp.splice(0)) resolve();
  }

  #initialize() {
    const clientInfo = { name: this.name, version: '1.0.0' };
    const params = () => ({ protocolVersion: '2025-11-25', capabilities, clientInfo });
    return this.ask({ method: 'initialize', kind: 'greeting', params });
  }

  /** Opens what a session has besides its requests. */
  async #enter(life) {
    life.connection.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    await life.connection.listen?.();
    const { level } = this;
    if (level !== undefined && life.state === 'greeting')
      return this.ask({ method: 'logging/setLevel', kind: 'level', params: () => ({ level }) });
    return { kind: 'result' };
  }

  #open(life, { params, ...facts }) {
    life.lastId += 1;
    this.#calls += 1;
    const call = `${this.name} ${this.#calls}`;
    const id = this.#usesText ? `r${life.lastId}` : life.lastId;
    const who = { client: this.name, principal: this.#principal };
    const request = this.#requests.open({ ...facts, ...who, call, id, life: life.number });
    life.asked.set(id, request);
    const filled = params?.({ client: this.name, call, id });
    if (facts.method === 'resources/subscribe') life.subscribed.add(filled.uri);
    if (facts.isListen) this.#remember(life, request);
    request.params = filled;
    return { request, message: this.#message(id, facts.method, filled) };
  }

  #message(id, method, params) {
    const { name, level } = this;
    const whole = this.isModern ? enveloped(params, { name, level, capabilities }) : params;
    return { jsonrpc: '2.0', id, method, params: whole };
  }

  /** Ends the oldest of too many listens. */
  #remember(life, request) {
    if (request.uri === undefined) return;
    life.subscribed.add(request.uri);
    life.listens.push(request);
    if (life.listens.length <= LISTENS) return;
    const oldest = life.listens.shift();
    oldest.isOver = true;
    life.connection.cancel(oldest);
  }

  #cancel(life, request) {
    if (request.ends.length > 0 || life.state !== 'up') return;
    this.#requests.cancel(request);
    life.connection.cancel(request);
    request.settle(undefined);
  }

  #receive(life, message) {
    if (life.state === 'lost') return;
    if (message.method === undefined) this.#answered(life, message);
    else if (message.id !== undefined) this.#question(life, message);
    else this.#notice(life, message);
  }

  #answered(life, message) {
    const request = life.asked.get(message.id);
    if (request === undefined)
      return this.#violate('answers match', `answer to nothing: ${JSON.stringify(message).slice(0, 300)}`);
    const { error, result } = message;
    if (result?.resultType === 'input_required') return this.#askedWithin(life, request, result);
    // The request was answered when it was acknowledged; this ends it.
    if (request.isListen && request.ends.length > 0) return;
    const end =
      error === undefined
        ? { kind: 'result' }
        : {
            kind: 'error',
            code: error.code,
            reason: error.data?.code,
            hasFix: error.data?.fix !== undefined,
          };
    if (request.ends.length > 0) this.#violate('exactly one answer', 'answered twice', request.call);
    this.#requests.end(request, end);
    const fault = error === undefined ? request.judge?.(result, request) : undefined;
    if (fault !== undefined) this.#violate(fault.rule, fault.detail, request.call);
    if (request.cancelledAt === undefined) request.settle(end);
  }

  /** Sends the request again with the answers to what was asked. */
  #askedWithin(life, request, { inputRequests = {}, requestState }) {
    this.#count('input_required');
    const questions = Object.entries(inputRequests);
    const inputResponses = Object.fromEntries(questions.map(([key, asked]) => [key, this.#answerTo(asked)]));
    if (request.ends.length > 0)
      return this.#violate('exactly one answer', 'asked after the answer', request.call);
    if (request.cancelledAt !== undefined) return;
    life.lastId += 1;
    request.id = this.#usesText ? `r${life.lastId}` : life.lastId;
    life.asked.set(request.id, request);
    const params = { ...request.params, inputResponses, requestState };
    life.connection.send(this.#message(request.id, request.method, params), request);
  }

  #question(life, { id, method, params }) {
    if (this.isModern) this.#violate('only messages', `a request for a client without sessions: ${method}`);
    if (method !== 'ping')
      return life.connection.send({ jsonrpc: '2.0', id, result: this.#answerTo({ method, params }) });
    this.#count(method);
    life.connection.send({ jsonrpc: '2.0', id, result: {} });
  }

  /** The server's question names the client that it is for. */
  #answerTo({ method, params }) {
    this.#count(method);
    const asked = parseText(params.message ?? params.messages?.[0]?.content?.text);
    if (!isOwnQuestion(asked, this.name))
      this.#violate('nothing reaches a wrong client', `a question of ${asked?.client}`, asked?.call);
    return method === 'sampling/createMessage'
      ? { role: 'assistant', model: 'none', content: { type: 'text', text: this.name } }
      : { action: 'accept', content: { who: this.name } };
  }

  #notice(life, message) {
    this.#count(message.method);
    const listen = listenOf(message);
    if (listen !== undefined) this.#heard(message, life.asked.get(listen));
    const fault = judgeNotice(message, this, life);
    if (fault !== undefined) this.#violate(fault.rule, fault.detail, fault.call);
  }

  /** Takes what came on a listen. */
  #heard({ method }, request) {
    if (request?.isListen !== true)
      return this.#violate('nothing reaches a wrong client', `${method} of a listen that it never opened`);
    if (method !== acknowledged || request.ends.length > 0) return;
    this.#requests.end(request, { kind: 'result' });
    request.settle({ kind: 'result' });
  }

  /** A request's own exchange is over, answered or not. */
  #over(life, request, end) {
    if (end.kind === 'session-over') this.#lost(life, end);
    if (request.ends.length > 0 || request.cancelledAt !== undefined) return;
    this.#requests.end(request, end);
    request.settle(end);
  }

  #lost(life, why) {
    if (life.state === 'lost') return;
    life.state = 'lost';
    this.#count('connection lost');
    for (const request of life.asked.values()) {
      if (request.ends.length === 0 && request.cancelledAt === undefined) {
        const end = { kind: 'cut', why: why.why ?? 'connection lost' };
        this.#requests.end(request, end);
        request.settle(end);
      }
    }
    life.connection.close();
    if (!this.#isLeaving) setTimeout(() => !this.#isLeaving && this.join(), this.#random.between(50, 400));
  }

  #count(kind) {
    this.seen.set(kind, (this.seen.get(kind) ?? 0) + 1);
  }

  #violate(rule, detail, call) {
    this.#requests.violate(rule, `${this.name}: ${detail}`, call);
  }
}
