import { isOwnQuestion, judgeNotice, parseText } from './judge.mjs';

/**
 * One client: joins, asks, notes every answer, and joins again when its connection has gone. `connect` opens a way to
 * the hub (see connections.mjs). It trusts nothing that arrives: what is not its own is a violation.
 */
export class ChaosClient {
  name;
  /** By kind, what arrived besides answers. */
  seen = new Map();
  #requests;
  #random;
  #connect;
  #usesText;
  #life;
  #lives = 0;
  #calls = 0;
  #isLeaving = false;
  #whenUp = [];

  constructor({ name, requests, random, connect, usesText }) {
    Object.assign(this, { name });
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
  ask(action) {
    const life = this.#life;
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
    const over = this.ask({
      method: 'initialize',
      kind: 'greeting',
      params: () => ({
        protocolVersion: '2025-11-25',
        capabilities: { sampling: {}, elicitation: { form: {} } },
        clientInfo: { name: this.name, version: '1.0.0' },
      }),
    });
    const end = await over;
    if (this.#life !== life || life.state === 'lost') return;
    if (end?.kind !== 'result') return this.#lost(life, { why: 'not greeted' });
    life.connection.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    await life.connection.listen?.();
    if (life.state !== 'greeting') return;
    life.state = 'up';
    for (const resolve of this.#whenUp.splice(0)) resolve();
  }

  #open(life, { params, ...facts }) {
    life.lastId += 1;
    this.#calls += 1;
    const call = `${this.name} ${this.#calls}`;
    const id = this.#usesText ? `r${life.lastId}` : life.lastId;
    const request = this.#requests.open({ ...facts, client: this.name, call, id, life: life.number });
    life.asked.set(id, request);
    const filled = params?.({ client: this.name, call, id });
    if (facts.method === 'resources/subscribe') life.subscribed.add(filled.uri);
    return { request, message: { jsonrpc: '2.0', id, method: facts.method, params: filled } };
  }

  #cancel(life, request) {
    if (request.ends.length > 0 || life.state !== 'up') return;
    this.#requests.cancel(request);
    life.connection.send({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: request.id },
    });
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

  /** The server's question names the client that it is for. */
  #question(life, { id, method, params }) {
    this.#count(method);
    if (method === 'ping') return life.connection.send({ jsonrpc: '2.0', id, result: {} });
    const asked = parseText(params.message ?? params.messages?.[0]?.content?.text);
    if (!isOwnQuestion(asked, this.name))
      this.#violate('nothing reaches a wrong client', `a question of ${asked?.client}`, asked?.call);
    const result =
      method === 'sampling/createMessage'
        ? { role: 'assistant', model: 'none', content: { type: 'text', text: this.name } }
        : { action: 'accept', content: { who: this.name } };
    life.connection.send({ jsonrpc: '2.0', id, result });
  }

  #notice(life, message) {
    this.#count(message.method);
    const fault = judgeNotice(message, this.name, life);
    if (fault !== undefined) this.#violate(fault.rule, fault.detail, fault.call);
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
