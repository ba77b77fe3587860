import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readMessage, toRaw } from '../../../../../electron/engine/jsonrpc/read-message.ts';
import { metaKeys } from '../../../../../electron/engine/transport/modern/protocol.ts';
import { StdioEraTransport } from '../../../../../electron/engine/transport/modern/stdio-era-transport.ts';
import { FakeClock } from '../../../../helper/fake-clock.ts';
import { anyJson, anyObject, anyText, mostly, objectOf, writeOut } from './any-json.ts';
import { LinePipe, partsOf } from './line-pipe.ts';

const discover = JSON.stringify({
  supportedVersions: ['2026-07-28'],
  capabilities: { tools: { listChanged: true }, resources: { subscribe: true } },
  _meta: { [metaKeys.serverInfo]: { name: 's', version: '1' } },
});

const methods = ['tools/call', 'tools/call', 'tools/list', 'prompts/get', 'ping', 'initialize'];
const hubMethods = [...methods, 'logging/setLevel', 'resources/subscribe', 'resources/unsubscribe'];
const questionMethods = ['elicitation/create', 'sampling/createMessage', 'roots/list'].map((method) =>
  JSON.stringify(method),
);

const question = fc
  .tuple(mostly(fc.constantFrom(...questionMethods)), mostly(anyObject))
  .map(([method, params]) =>
    objectOf([
      ['method', method],
      ['params', params],
    ]),
  );
const inputRequests = fc
  .array(fc.tuple(fc.constantFrom('a', 'b', 'q1', '__proto__', ''), fc.oneof(question, anyJson)), {
    maxLength: 3,
  })
  .map(objectOf);
const askingResult = fc
  .tuple(mostly(fc.constant('"input_required"')), mostly(inputRequests), mostly(anyText))
  .map(([resultType, requests, requestState]) =>
    objectOf([
      ['resultType', resultType],
      ['inputRequests', requests],
      ['requestState', requestState],
    ]),
  );
const failure = fc
  .tuple(mostly(fc.constantFrom('-32601', '-32042', '7')), mostly(anyText), mostly(anyJson))
  .map(([code, message, data]) =>
    objectOf([
      ['code', code],
      ['message', message],
      ['data', data],
    ]),
  );
const answer = fc.oneof(
  { weight: 4, arbitrary: askingResult.map((result) => `"result":${result}`) },
  { weight: 2, arbitrary: anyJson.map((result) => `"result":${result}`) },
  { weight: 2, arbitrary: failure.map((error) => `"error":${error}`) },
  { weight: 1, arbitrary: anyJson.map((error) => `"error":${error}`) },
  { weight: 1, arbitrary: fc.tuple(anyJson, anyJson).map(([a, b]) => `"result":${a},"error":${b}`) },
);

const noticeMethods = [
  ...['subscriptions/acknowledged', 'cancelled', 'progress', 'message', 'resources/updated'],
  ...['tools/list_changed', 'elicitation/complete', 'unknown'],
].map((name) => `"notifications/${name}"`);

const pick = fc.nat({ max: 100 });
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant('request' as const),
      method: fc.oneof(fc.constantFrom(...hubMethods), fc.string({ maxLength: 4 })),
      params: fc.option(anyObject, { nil: undefined }),
    }),
  },
  { weight: 5, arbitrary: fc.record({ does: fc.constant('answer' as const), pick, answer }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('again' as const), pick, answer }) },
  { weight: 4, arbitrary: fc.record({ does: fc.constant('reply' as const), pick, answer }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('cancel' as const), pick, reason: anyJson }) },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant('say' as const),
      method: mostly(fc.constantFrom(...noticeMethods, '"ping"')),
      params: mostly(anyObject),
      id: fc.option(anyJson, { nil: undefined, freq: 4 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('babble' as const), line: anyJson }) },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant('wait' as const),
      milliseconds: fc.constantFrom(0, 300, 9_000),
    }),
  },
);

/** The hub before a stateless server; both ends are the test, and every line is text. */
class Stage {
  readonly clock = new FakeClock();
  readonly pipe = new LinePipe('server');
  readonly transport = new StdioEraTransport(this.pipe, {
    clock: this.clock,
    known: undefined,
    clientInfo: { name: 'patchbay' },
  });
  /** Number of outcomes of each request of the hub. */
  readonly outcomes = new Map<string, number>();
  readonly cancelled = new Set<string>();
  /** Ids of the server's requests that the hub has not answered. */
  readonly questions = new Set<string>();
  /** Ids of requests that the server has not answered. */
  readonly open = new Set<string>();
  readonly everAsked = new Set<string>();
  readonly heard: string[] = [];
  #lastId = 0;

  async start(probeAnswer = `"result":${discover}`): Promise<void> {
    this.pipe.onSend = (line) => this.#onServer(line);
    const started = this.transport.start({
      message: (wire) => {
        const message = toRaw(wire);
        // Invalid messages are for the hub to judge, and get no answer from this test.
        if (message.kind !== 'invalid' && message.kind !== 'noise')
          this.#onHub(message.line().toString('utf8').trim());
      },
      requestLost: (id) => this.#count(String(id)),
      closed() {},
    });
    await this.clock.advance(0);
    this.pipe.receive(`{"jsonrpc":"2.0","id":0,${probeAnswer}}`);
    await this.clock.advance(10_000);
    await started;
  }

  /** Sends a request of the hub; resolves once it has been handed over or refused. */
  async request(method: string, params: string | undefined): Promise<string> {
    this.#lastId += 1;
    const id = String(this.#lastId);
    const rest = params === undefined ? '' : `,"params":${params}`;
    const line = `{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(method)}${rest}}`;
    // The hub sends nothing else on.
    if (readMessage(Buffer.from(writeOut(line)))?.kind !== 'request') return id;
    this.outcomes.set(id, 0);
    await this.#send(line).catch(() => this.#count(id));
    return id;
  }

  async reply(id: string, said: string): Promise<void> {
    this.questions.delete(id);
    await this.#send(`{"jsonrpc":"2.0","id":${id},${said}}`);
  }

  async cancel(id: string, reason: string): Promise<void> {
    this.cancelled.add(id);
    const params = `{"requestId":${id},"reason":${reason}}`;
    await this.#send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":${params}}`);
  }

  answer(id: string, said: string): void {
    this.open.delete(id);
    this.pipe.receive(`{"jsonrpc":"2.0","id":${id},${said}}`);
  }

  /** Answers everything that is open, until nothing is. */
  async finish(): Promise<void> {
    for (let round = 0; round < 14; round += 1) {
      for (const id of [...this.questions]) await this.reply(id, '"result":{"action":"accept"}');
      for (const id of [...this.open]) this.answer(id, `"result":{"content":[]}`);
      await this.clock.advance(9_000);
    }
  }

  async #send(line: string): Promise<void> {
    const message = readMessage(Buffer.from(writeOut(line)));
    if (message !== undefined) await this.transport.send(message);
  }

  #onServer(line: string): void {
    const { id, method, params } = partsOf(line);
    if (id !== undefined && method !== undefined) {
      this.open.add(id);
      this.everAsked.add(id);
    }
    if (method === 'notifications/cancelled')
      this.open.delete(String((JSON.parse(params ?? '{}') as { requestId: unknown }).requestId));
  }

  #onHub(line: string): void {
    const { id, method, params } = partsOf(line);
    this.heard.push(line);
    if (method === undefined) {
      if (id !== undefined) this.#count(id);
    } else if (id !== undefined) this.questions.add(id);
    else if (method === 'notifications/cancelled')
      this.questions.delete(JSON.stringify((JSON.parse(params ?? '{}') as { requestId: unknown }).requestId));
  }

  #count(id: string): void {
    const before = this.outcomes.get(id);
    if (before !== undefined) this.outcomes.set(id, before + 1);
  }
}

type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

async function act(stage: Stage, one: Step): Promise<void> {
  const chosen = (ids: Iterable<string>, at: number) => {
    const list = [...ids];
    return list.length === 0 ? undefined : list[at % list.length];
  };
  switch (one.does) {
    case 'request':
      await stage.request(one.method, one.params);
      return;
    case 'answer': {
      const id = chosen(stage.open, one.pick);
      if (id !== undefined) stage.answer(id, one.answer);
      return;
    }
    case 'again': {
      const id = chosen(stage.everAsked, one.pick);
      if (id !== undefined) stage.answer(id, one.answer);
      return;
    }
    case 'reply': {
      const id = chosen(stage.questions, one.pick);
      if (id !== undefined) await stage.reply(id, one.answer);
      return;
    }
    case 'cancel': {
      const id = chosen(stage.outcomes.keys(), one.pick);
      if (id !== undefined) await stage.cancel(id, one.reason);
      return;
    }
    case 'say':
      stage.pipe.receive(
        objectOf([
          ['jsonrpc', '"2.0"'],
          ['id', one.id],
          ['method', one.method],
          ['params', one.params],
        ]),
      );
      return;
    case 'babble':
      stage.pipe.receive(one.line);
      return;
    case 'wait':
      await stage.clock.advance(one.milliseconds);
  }
}

describe('[PB-DUAL-3] [PB-DUAL-4] whatever a stateless server says', () => {
  it('the hub throws nothing, each request has one outcome, and the next call works', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
        const stage = new Stage();
        await stage.start();
        await stage.request('initialize', '{"capabilities":{"elicitation":{}},"clientInfo":{"name":"hub"}}');
        for (const one of steps) await act(stage, one);
        await stage.finish();
        const last = await stage.request('tools/call', '{"name":"last"}');
        await stage.finish();
        for (const [id, count] of stage.outcomes) {
          if (stage.cancelled.has(id)) expect(count, `request ${id}`).toBeLessThanOrEqual(1);
          else expect(count, `request ${id}`).toBe(1);
        }
        expect(stage.heard).toContainEqual(`{"jsonrpc":"2.0","id":${last},"result":{"content":[]}}`);
        expect([...stage.questions]).toEqual([]);
      }),
      { numRuns: Number(process.env.FUZZ_RUNS ?? 200) },
    );
  });

  it('a probe with any answer gives a verdict', async () => {
    await fc.assert(
      fc.asyncProperty(answer, async (probeAnswer) => {
        const stage = new Stage();
        await stage.start(probeAnswer);
        expect(stage.transport.era?.reason.length).toBeGreaterThan(0);
      }),
      { numRuns: Number(process.env.FUZZ_RUNS ?? 200) },
    );
  });
});
