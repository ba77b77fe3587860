import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readMessage, toRaw } from '../../../../../electron/engine/jsonrpc/read-message.ts';
import { ClientEraTransport } from '../../../../../electron/engine/transport/modern/client/client-era-transport.ts';
import { memberOf, membersOf } from '../../../../conformance/fidelity/fixture/raw-json.mjs';
import { FakeClock } from '../../../../helper/fake-clock.ts';
import { anyJson, anyObject, anyText, mostly, objectOf, writeOut } from './any-json.ts';
import { LinePipe, partsOf } from './line-pipe.ts';
import { envelope } from './modern-peers.ts';

const initializeResult = JSON.stringify({
  protocolVersion: '2025-11-25',
  capabilities: { tools: { listChanged: true }, resources: { subscribe: true } },
  serverInfo: { name: 'hub', version: '1' },
});

const methods = [
  ...['tools/call', 'tools/call', 'tools/call', 'resources/read', 'tools/list', 'server/discover'],
  ...['subscriptions/listen', 'initialize', 'ping', 'no/such'],
];
const modernMeta = fc
  .array(
    fc.oneof(
      fc.tuple(fc.constant('progressToken'), anyJson),
      fc.tuple(fc.constant('io.modelcontextprotocol/logLevel'), mostly(fc.constant('"debug"'))),
      fc.tuple(fc.constant('io.modelcontextprotocol/clientInfo'), anyJson),
      fc.tuple(fc.constant('io.modelcontextprotocol/clientCapabilities'), mostly(anyObject)),
      fc.tuple(fc.constant('patchbay/relatedTo'), anyJson),
    ),
    { maxLength: 2 },
  )
  .map((members) =>
    objectOf([
      ...Object.entries(envelope()).map(([name, value]) => [name, JSON.stringify(value)] as const),
      ...members,
    ]),
  );
const params = fc
  .tuple(mostly(modernMeta), mostly(fc.constant('"a"')), anyJson, mostly(anyText), mostly(anyObject))
  .chain(([meta, name, args, requestState, responses]) =>
    fc.record({ hasState: fc.boolean(), isShort: fc.boolean() }).map(({ hasState, isShort }) =>
      objectOf([
        ['name', name],
        ['arguments', isShort ? undefined : args],
        ['notifications', isShort ? undefined : args],
        ['requestState', hasState ? requestState : undefined],
        ['inputResponses', hasState ? responses : undefined],
        ['_meta', meta],
      ]),
    ),
  );

const failure = fc
  .tuple(mostly(fc.constantFrom('-32601', '-32042', '-32002')), mostly(anyText), mostly(anyObject))
  .map(([code, message, data]) =>
    objectOf([
      ['code', code],
      ['message', message],
      ['data', data],
    ]),
  );
const answer = fc.oneof(
  anyJson.map((result) => `"result":${result}`),
  failure.map((error) => `"error":${error}`),
  anyJson.map((error) => `"error":${error}`),
);
const questionMethods = ['elicitation/create', 'sampling/createMessage', 'roots/list', 'other'];
const noticeMethods = [
  ...['progress', 'message', 'cancelled', 'tools/list_changed', 'resources/updated', 'other'],
].map((name) => `notifications/${name}`);

const pick = fc.nat({ max: 100 });
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      does: fc.constant('request' as const),
      method: fc.constantFrom(...methods),
      params: mostly(params),
    }),
  },
  { weight: 4, arbitrary: fc.record({ does: fc.constant('answer' as const), pick, answer }) },
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant('ask' as const),
      method: fc.constantFrom(...questionMethods),
      params: mostly(anyObject),
      related: fc.option(pick, { nil: undefined, freq: 4 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ does: fc.constant('retry' as const), pick, responses: mostly(anyObject) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant('say' as const),
      method: fc.constantFrom(...noticeMethods),
      params: mostly(anyObject),
      related: fc.option(pick, { nil: undefined, freq: 2 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('cancel' as const), pick, reason: anyJson }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('babble' as const), line: anyJson }) },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant('wait' as const),
      milliseconds: fc.constantFrom(0, 30, 700_000),
    }),
  },
);

type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

/** A call that waits for its client: its params and what was asked. */
interface Asked {
  readonly method: string;
  readonly params: string;
  readonly requestState: string;
  readonly keys: readonly string[];
}

/** A client before a session; both ends are the test, and every line is text. */
class Stage {
  readonly clock = new FakeClock();
  readonly pipe = new LinePipe('client');
  readonly transport = new ClientEraTransport(this.pipe, { clock: this.clock });
  /** Answers that each request of the client got. */
  readonly answers = new Map<string, string[]>();
  readonly cancelled = new Set<string>();
  /** Ids of the session's open requests. */
  readonly questions = new Set<string>();
  /** Ids of requests that the session has not answered. */
  readonly open = new Set<string>();
  readonly asked: Asked[] = [];
  /** Ids of requests that the client got, which only one with a session may get. */
  readonly toClient = new Set<string>();
  isGreeted = false;
  readonly #requests = new Map<string, { method: string; params: string }>();
  #lastId = 0;

  async start(): Promise<void> {
    this.pipe.onSend = (line) => this.#onClient(line);
    await this.transport.start({
      message: (wire) => {
        const message = toRaw(wire);
        if (message.kind !== 'invalid' && message.kind !== 'noise')
          this.#onSession(message.line().toString('utf8').trim());
      },
      closed() {},
    });
  }

  request(method: string, given: string | undefined): string {
    this.#lastId += 1;
    const number = this.#lastId;
    const forms = [`${number}`, `"x${number}"`, `-${number}`, `"${number}"`, `"id ${number}"`];
    const id = forms[number % forms.length] ?? '';
    this.answers.set(id, []);
    this.#requests.set(id, { method, params: given ?? '{}' });
    const rest = given === undefined ? '' : `,"params":${given}`;
    const line = `{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(method)}${rest}}`;
    // The peer behind answers what is no request.
    if (readMessage(Buffer.from(writeOut(line)))?.kind !== 'request') this.answers.delete(id);
    this.pipe.receive(line);
    return id;
  }

  retry({ method, params: given, requestState }: Asked, responses: string | undefined): void {
    const kept = membersOf(given).filter(([name]) => !['"requestState"', '"inputResponses"'].includes(name));
    const members = [...kept, ['"requestState"', requestState], ['"inputResponses"', responses ?? '{}']];
    this.request(method, `{${members.map((member) => member.join(':')).join(',')}}`);
  }

  cancel(id: string, reason: string): void {
    this.cancelled.add(id);
    const notice = `"params":{"requestId":${id},"reason":${reason}}`;
    this.pipe.receive(`{"jsonrpc":"2.0","method":"notifications/cancelled",${notice}}`);
  }

  async answer(id: string, said: string): Promise<void> {
    const line = `{"jsonrpc":"2.0","id":${id},${said}}`;
    if (readMessage(Buffer.from(writeOut(line)))?.kind === 'invalid') return;
    this.open.delete(id);
    await this.say(line);
  }

  async say(line: string, related?: string): Promise<void> {
    const message = readMessage(Buffer.from(writeOut(line)));
    // A session says nothing that is no message.
    if (message === undefined || message.kind === 'invalid') return;
    if (message.kind === 'request') this.questions.add(JSON.stringify(message.id));
    await this.transport.send(message, related === undefined ? undefined : JSON.parse(related));
  }

  /** Answers everything that is open, until nothing is. */
  async finish(): Promise<void> {
    for (let round = 0; round < 8; round += 1) {
      await this.clock.advance(30);
      for (const id of this.toClient) this.pipe.receive(`{"jsonrpc":"2.0","id":${id},"result":{}}`);
      this.toClient.clear();
      for (const one of this.asked.splice(0))
        this.retry(one, `{${one.keys.map((key) => `${key}:{"action":"accept"}`).join(',')}}`);
      await this.clock.advance(0);
      for (const id of [...this.open]) await this.answer(id, '"result":{"content":[]}');
    }
    await this.clock.advance(700_000);
  }

  #onSession(line: string): void {
    const { id, method } = partsOf(line);
    if (id === undefined) return;
    if (method === undefined) this.questions.delete(id);
    else if (method === 'initialize') {
      this.isGreeted = true;
      queueMicrotask(() => void this.answer(id, `"result":${initializeResult}`));
    } else this.open.add(id);
  }

  #onClient(line: string): void {
    const { id, method, result } = partsOf(line);
    if (id === undefined) return;
    if (method !== undefined) {
      this.toClient.add(id);
      return;
    }
    this.answers.get(id)?.push(line);
    if (result === undefined || !result.startsWith('{')) return;
    const requestState = memberOf(result, 'requestState');
    const request = this.#requests.get(id);
    if (memberOf(result, 'resultType') !== '"input_required"' || request === undefined) return;
    const keys = membersOf(memberOf(result, 'inputRequests') ?? '{}').map(([key]) => key);
    this.asked.push({ ...request, requestState: requestState ?? '""', keys });
  }
}

const chosen = (ids: Iterable<string>, at: number) => {
  const list = [...ids];
  return list.length === 0 ? undefined : list[at % list.length];
};

async function act(stage: Stage, one: Step, number: number): Promise<void> {
  const related = 'related' in one && one.related !== undefined ? chosen(stage.open, one.related) : undefined;
  switch (one.does) {
    case 'request':
      stage.request(one.method, one.params);
      return;
    case 'answer': {
      const id = chosen(stage.open, one.pick);
      if (id !== undefined) await stage.answer(id, one.answer);
      return;
    }
    case 'ask':
    case 'say': {
      if (!stage.isGreeted) return;
      const members = [
        ['jsonrpc', '"2.0"'],
        ['id', one.does === 'ask' ? `"s${number}"` : undefined],
        ['method', JSON.stringify(one.method)],
        ['params', one.params],
      ] as const;
      await stage.say(objectOf(members), related);
      return;
    }
    case 'retry': {
      const asked = stage.asked[one.pick % Math.max(stage.asked.length, 1)];
      if (asked !== undefined) stage.retry(asked, one.responses);
      return;
    }
    case 'cancel': {
      const id = chosen(stage.answers.keys(), one.pick);
      if (id !== undefined) stage.cancel(id, one.reason);
      return;
    }
    case 'babble':
      stage.pipe.receive(one.line);
      return;
    case 'wait':
      await stage.clock.advance(one.milliseconds);
  }
}

describe('[PB-DUAL-2] [PB-DUAL-4] whatever a client of either era and its session say', () => {
  it('nothing is thrown, each request has one answer, and the next call works', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
        const stage = new Stage();
        await stage.start();
        for (const [number, one] of steps.entries()) {
          await act(stage, one, number);
          await stage.clock.advance(0);
        }
        await stage.finish();
        const last = stage.request('tools/call', `{"name":"last","_meta":${JSON.stringify(envelope())}}`);
        await stage.finish();
        await stage.transport.close();
        for (const [id, answers] of stage.answers) {
          if (stage.cancelled.has(id)) expect(answers.length, `request ${id}`).toBeLessThanOrEqual(1);
          else expect(answers, `request ${id}`).toHaveLength(1);
        }
        expect(stage.answers.get(last)?.[0]).toContain('{"content":[]');
        expect([...stage.questions]).toEqual([]);
      }),
      { numRuns: Number(process.env.FUZZ_RUNS ?? 200) },
    );
  });
});
