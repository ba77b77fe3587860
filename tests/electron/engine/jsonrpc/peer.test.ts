import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ConnectionClosedError,
  type JsonRpcMessage,
  type JsonRpcNotification,
  type JsonRpcRequest,
  RpcError,
} from '../../../../electron/engine/jsonrpc/message.ts';
import { createPeer } from '../../../../electron/engine/jsonrpc/peer.ts';
import type { Peer, PeerHandlers } from '../../../../electron/engine/jsonrpc/peer-contract.ts';
import { RawMessage } from '../../../../electron/engine/jsonrpc/raw-message.ts';
import {
  readMessage,
  readMessages,
  type WireMessage,
} from '../../../../electron/engine/jsonrpc/read-message.ts';
import type { Transport, TransportHandlers } from '../../../../electron/engine/jsonrpc/transport.ts';
import { createMemoryTransportPair } from '../../../../electron/engine/transport/memory-transport.ts';

/** A transport whose other side is the test. */
class Wire implements Transport {
  readonly sent: JsonRpcMessage[] = [];
  failWith: Error | undefined;
  congestion: Promise<void> | undefined;
  withdraw?: () => boolean;
  startWith: Error | undefined;
  #handlers: TransportHandlers | undefined;

  async start(handlers: TransportHandlers) {
    this.#handlers = handlers;
    if (this.startWith !== undefined) throw this.startWith;
  }

  async send(message: WireMessage): Promise<void> {
    if (this.failWith !== undefined) throw this.failWith;
    this.sent.push(JSON.parse(JSON.stringify(message)));
  }

  async close() {
    this.drop();
  }

  drop(reason?: Error) {
    this.#handlers?.closed(reason);
  }

  say(message: unknown) {
    this.#handlers?.message(message as JsonRpcMessage);
  }

  /** Delivers a line as a server writes it. */
  write(line: string, relatedTo?: number) {
    for (const message of readMessages(Buffer.from(line), 'server'))
      this.#handlers?.message(message, relatedTo);
  }

  lose(id: number, reason: Error) {
    this.#handlers?.requestLost?.(id, reason);
  }
}

async function connect(handlers: Partial<PeerHandlers> = {}) {
  const wire = new Wire();
  const events: unknown[] = [];
  const peer = createPeer(wire, {
    request: async () => ({}),
    notification: (notification: JsonRpcNotification) => events.push(['notification', notification]),
    noise: (text) => events.push(['noise', text]),
    closed: (reason) => events.push(['closed', reason]),
    ...handlers,
  });
  await peer.start();
  return { wire, peer, events };
}

const read = (text: string) => {
  const message = readMessage(Buffer.from(text));
  if (message === undefined) throw new Error('no message');
  return message;
};

const tick = () => new Promise<void>((resolve) => setImmediate(resolve));
const outcome = (promise: Promise<unknown>) =>
  promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );

describe('peer: requests of its own', () => {
  it('[FR-008] resolves with the raw result and rejects with the raw error', async () => {
    const { wire, peer } = await connect();
    const first = peer.request('a', { x: 1 });
    const second = peer.request('b');
    expect(wire.sent).toEqual([
      { jsonrpc: '2.0', id: 1, method: 'a', params: { x: 1 } },
      { jsonrpc: '2.0', id: 2, method: 'b' },
    ]);
    wire.say({ jsonrpc: '2.0', id: 2, error: { code: -7, message: 'no', data: { why: [1] } } });
    wire.say({ jsonrpc: '2.0', id: 1, result: { unknown: { kept: true } } });
    expect(await first.result).toEqual({ unknown: { kept: true } });
    const error = (await outcome(second.result)) as { error: RpcError };
    expect(error.error).toBeInstanceOf(RpcError);
    expect(error.error.toObject()).toEqual({ code: -7, message: 'no', data: { why: [1] } });
  });

  it.each(['"1"', '"1.0"', '1.0', '1e0', '" 1"', '"1 "'])(
    '[PB-ISO-1] takes %s for the id of its request 1, since all ids of its own are numbers',
    async (id) => {
      const { wire, peer } = await connect();
      const pending = peer.request('a');
      const other = peer.request('b');
      wire.write(`{"jsonrpc":"2.0","id":${id},"result":{"right":true}}`);
      expect(await pending.result).toEqual({ right: true });
      wire.write(`{"jsonrpc":"2.0","id":${id},"result":{"late":true}}`);
      wire.write('{"jsonrpc":"2.0","id":2,"result":{}}');
      expect(await other.result).toEqual({});
    },
  );

  it.each(['[1]', '["1"]', '{"value":1}', '{"Num":1,"Str":"","IsString":false}', '{"id":{"value":"1"}}'])(
    '[PB-ISO-1] takes %s for the id of its request 1, since one number is in it',
    async (id) => {
      const { wire, peer } = await connect();
      const pending = peer.requestRaw('a');
      const other = peer.requestRaw('b');
      wire.write(`{"jsonrpc":"2.0","id":${id},"result":{"big":9007199254740993}}`);
      expect((await pending.result).resultBytes?.toString()).toBe('{"big":9007199254740993}');
      wire.write(`{"jsonrpc":"2.0","id":${id.replace('1', '2')},"error":{"code":5,"message":"no"}}`);
      expect(await outcome(other.result)).toMatchObject({ error: { code: 5, message: 'no' } });
    },
  );

  describe.each(['', '"id":null,', '"id":{},', '"id":true,', '"id":[1,2],'])(
    'a result with %s for an id',
    (id) => {
      const methodOf = (result: unknown) => (Object.hasOwn(result as object, 'content') ? 'call' : undefined);
      const answer = (content: string) => `{"jsonrpc":"2.0",${id}"result":{"content":"${content}"}}`;
      const unclear = { error: { name: 'RpcError', message: expect.stringContaining('without an id') } };

      it('[PB-ISO-1] [NFR-R4] answers the one request that has such results', async () => {
        const { wire, peer } = await connect({ methodOf });
        const other = peer.request('list');
        const call = peer.requestRaw('call');
        await peer.notify('notifications/initialized');
        wire.write(answer('right'));
        expect(JSON.parse((await call.result).line().toString())).toMatchObject({
          result: { content: 'right' },
        });
        wire.write('{"jsonrpc":"2.0","id":1,"result":{"listed":true}}');
        expect(await other.result).toEqual({ listed: true });
      });

      it('[PB-ISO-1] [NFR-R4] of any form answers the only request in progress', async () => {
        const { wire, peer } = await connect({ methodOf });
        const only = peer.request('list');
        wire.write(`{"jsonrpc":"2.0",${id}"result":{}}`);
        expect(await only.result).toEqual({});
      });

      it('[PB-ISO-1] [NFR-R4] fails all candidates at once, and no other request', async () => {
        const { wire, peer } = await connect({ methodOf });
        const other = peer.request('list');
        const calls = [peer.request('call'), peer.request('call')];
        wire.write(answer('whose?'));
        for (const { result } of calls) expect(await outcome(result)).toMatchObject(unclear);
        const later = peer.request('call');
        wire.write(answer('that of the second call before'));
        expect(await outcome(later.result)).toMatchObject(unclear);
        wire.write(answer('the last one'));
        const sure = peer.request('call');
        wire.write(answer('right'));
        expect(await sure.result).toEqual({ content: 'right' });
        wire.write('{"jsonrpc":"2.0","id":1,"result":{"listed":true}}');
        expect(await other.result).toEqual({ listed: true });
      });

      it('[PB-ISO-1] is never given to a request other than the cancelled one', async () => {
        const { wire, peer } = await connect({ methodOf });
        peer.request('call').abandon(new Error('cancelled'));
        const next = peer.request('call');
        wire.write(answer('of the cancelled one'));
        expect(await outcome(next.result)).toMatchObject(unclear);
      });
    },
  );

  it('[PB-ISO-1] an id that is not its own answers nothing, however similar', async () => {
    const { wire, peer, events } = await connect();
    const pending = peer.request('a');
    const other = peer.request('b');
    const strangers = [
      '99',
      '"x"',
      '"1x"',
      '"0x1"',
      '"1,0"',
      '""',
      '-1',
      '9007199254740993',
      '"9007199254740993"',
    ];
    for (const id of strangers) wire.write(`{"jsonrpc":"2.0","id":${id},"result":{"wrong":true}}`);
    for (const id of ['1.5', 'true', '[1,2]', '{"a":"x"}', 'null'])
      wire.write(`{"jsonrpc":"2.0","id":${id},"result":{"wrong":true}}`);
    wire.write('{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"whose?"}}');
    wire.write('{"jsonrpc":"2.0","result":{"wrong":true}}');
    for (const id of [1, 2]) wire.write(`{"jsonrpc":"2.0","id":${id},"result":{"right":${id}}}`);
    expect(await pending.result).toEqual({ right: 1 });
    expect(await other.result).toEqual({ right: 2 });
    expect(events.map((event) => (event as string[])[0])).toEqual(Array(strangers.length + 7).fill('noise'));
    expect(events[0]).toEqual(['noise', 'Response with the unknown id 99']);
  });

  it.each(['"id":null,', ''])(
    '[NFR-R4] an error without an id (%s) answers the only request in progress, if it can mean nothing else',
    async (id) => {
      const { wire, peer } = await connect();
      const error = `{"jsonrpc":"2.0",${id}"error":{"code":-32700,"message":"Parse error"}}`;
      const alone = peer.request('initialize');
      wire.write(error);
      expect(await outcome(alone.result)).toMatchObject({ error: { code: -32700, message: 'Parse error' } });

      const two = [peer.request('a'), peer.request('b')];
      wire.write(error);
      await peer.notify('notifications/initialized');
      wire.write('{"jsonrpc":"2.0","id":2,"result":{"a":1}}');
      // The error may mean the notification.
      wire.write(error);
      wire.write('{"jsonrpc":"2.0","id":3,"result":{"b":1}}');
      expect(await Promise.all(two.map(({ result }) => result))).toEqual([{ a: 1 }, { b: 1 }]);

      const answered = peer.request('c');
      wire.write('{"jsonrpc":"2.0","id":4,"result":{}}');
      await answered.result;
      const certain = peer.request('d');
      wire.write(error);
      expect(await outcome(certain.result)).toMatchObject({ error: { code: -32700 } });

      peer.request('e').abandon(new Error('enough'));
      const doubtful = peer.request('f');
      wire.write(error);
      wire.write('{"jsonrpc":"2.0","id":7,"result":{"f":1}}');
      expect(await doubtful.result).toEqual({ f: 1 });
    },
  );

  it('[NFR-R4] an error without an id on the stream of one request is its answer', async () => {
    const { wire, peer } = await connect();
    const first = peer.request('a');
    const second = peer.request('b');
    wire.write('{"jsonrpc":"2.0","id":null,"error":{"code":-32602,"message":"no"}}', 2);
    expect(await outcome(second.result)).toMatchObject({ error: { code: -32602 } });
    wire.write('{"jsonrpc":"2.0","id":1,"result":{}}');
    expect(await first.result).toEqual({});
  });

  it('[NFR-R4] drops the late answer of an abandoned request', async () => {
    const { wire, peer } = await connect();
    const pending = peer.request('slow');
    pending.abandon(new Error('enough'));
    wire.say({ jsonrpc: '2.0', id: 1, result: {} });
    expect(await outcome(pending.result)).toEqual({ error: new Error('enough') });
  });

  it('[NFR-R4] reports whether a request that failed to send may have been sent', async () => {
    const { wire, peer } = await connect();
    wire.failWith = new ConnectionClosedError('full stop', false);
    const unsent = await outcome(peer.request('a').result);
    wire.failWith = new Error('who knows');
    const unclear = await outcome(peer.request('b').result);
    expect(unsent).toMatchObject({ error: { name: 'ConnectionClosedError', sent: false } });
    expect(unclear).toMatchObject({ error: { name: 'ConnectionClosedError', sent: true } });
  });

  it('[NFR-R4] rejects what is pending, and says once that the connection has closed', async () => {
    const order: string[] = [];
    const { wire, peer } = await connect({ closed: () => order.push('closed') });
    const pending = peer.request('a').result.catch((error: unknown) => {
      order.push('rejected');
      return error;
    });
    wire.drop(new Error('gone'));
    wire.drop(new Error('again'));
    const error = await pending;
    expect(error).toBeInstanceOf(ConnectionClosedError);
    expect(error).toMatchObject({ sent: true, cause: new Error('gone') });
    expect(order.toSorted()).toEqual(['closed', 'rejected']);
    expect(await outcome(peer.request('late').result)).toMatchObject({ error: { sent: false } });
    await expect(peer.notify('late')).rejects.toMatchObject({ sent: false });
  });

  it('counts forwarded requests without an outcome, not its own requests', async () => {
    const quiet: number[] = [];
    const { wire, peer } = await connect({ idle: () => quiet.push(peer.forwardedCount) });
    const call = read('{"jsonrpc":"2.0","id":"c","method":"tools/call"}');
    const [answered, refused, abandoned] = [peer.forward(call), peer.forward(call), peer.forward(call)];
    peer.request('ping');
    peer.requestRaw('tools/list');
    expect(peer.forwardedCount).toBe(3);
    wire.say({ jsonrpc: '2.0', id: answered.id, result: {} });
    wire.say({ jsonrpc: '2.0', id: answered.id, result: {} });
    wire.say({ jsonrpc: '2.0', id: refused.id, error: { code: 1, message: 'no' } });
    expect([peer.forwardedCount, quiet.length]).toEqual([1, 0]);
    abandoned.abandon(new Error('enough'));
    expect(quiet).toEqual([0]);
    wire.failWith = new Error('full stop');
    await outcome(peer.forward(call).result);
    wire.failWith = undefined;
    peer.forward(call);
    peer.forward(call);
    wire.drop();
    peer.forward(call);
    expect(quiet).toEqual([0, 0, 0]);
    expect(peer.forwardedCount).toBe(0);
  });

  it('[NFR-R4] rejects a request whose own exchange broke, and stays open', async () => {
    const { wire, peer } = await connect();
    const lost = peer.request('a');
    const kept = peer.request('b');
    wire.lose(1, new Error('stream ended'));
    wire.say({ jsonrpc: '2.0', id: 2, result: {} });
    expect(await outcome(lost.result)).toMatchObject({
      error: { sent: true, cause: new Error('stream ended') },
    });
    expect(await kept.result).toEqual({});
  });

  it('[NFR-R4] rejects the start, and reports nothing else, when the transport cannot start', async () => {
    const wire = new Wire();
    wire.startWith = new Error('no such command');
    const events: unknown[] = [];
    const peer = createPeer(wire, {
      request: async () => ({}),
      notification: () => {},
      closed: () => events.push('closed'),
    });
    await expect(peer.start()).rejects.toThrow('no such command');
    wire.drop();
    expect(events).toEqual([]);
    await expect(peer.request('a').result).rejects.toMatchObject({ sent: false });
    await peer.close();
  });

  it('[NFR-R4] rejects the start when the connection ends while it begins', async () => {
    const wire = new Wire();
    wire.start = async (handlers) => handlers.closed(new Error('hung up'));
    const peer = createPeer(wire, { request: async () => ({}), notification: () => {}, closed: () => {} });
    await expect(peer.start()).rejects.toThrow('hung up');
  });
});

describe('peer: requests of the other side', () => {
  it('[US3.2] answers with a thrown RpcError as it stands, and with an internal error for anything else', async () => {
    const { wire } = await connect({
      async request({ method }) {
        if (method === 'rpc') throw new RpcError({ code: -32002, message: 'not here', data: { uri: 'x' } });
        if (method === 'bug') throw new TypeError('oops');
        return method === 'nothing' ? undefined : { method };
      },
    });
    for (const [id, method] of [
      ['a', 'rpc'],
      [2, 'bug'],
      ['2', 'fine'],
      [0, 'nothing'],
    ]) {
      wire.say({ jsonrpc: '2.0', id, method });
    }
    await tick();
    expect(wire.sent).toEqual([
      { jsonrpc: '2.0', id: 'a', error: { code: -32002, message: 'not here', data: { uri: 'x' } } },
      { jsonrpc: '2.0', id: 2, error: { code: -32603, message: 'oops' } },
      { jsonrpc: '2.0', id: '2', result: { method: 'fine' } },
      { jsonrpc: '2.0', id: 0, result: {} },
    ]);
  });

  it('[NFR-R4] answers with an error where the answer cannot be written', async () => {
    const { wire } = await connect();
    const write = wire.send.bind(wire);
    wire.send = async (message) => {
      if ('result' in message) throw new ConnectionClosedError('a cycle', false);
      await write(message);
    };
    wire.say({ jsonrpc: '2.0', id: 1, method: 'a' });
    await tick();
    expect(wire.sent).toEqual([{ jsonrpc: '2.0', id: 1, error: { code: -32603, message: 'a cycle' } }]);
  });

  it('[FR-009] refuses invalid requests by id, and counts what has no id as noise', async () => {
    const { wire, events } = await connect();
    wire.say({ id: 1, method: 'no version' });
    wire.say({ jsonrpc: '2.0', id: 2, method: 5 });
    wire.say({ jsonrpc: '2.0', id: 'x', method: 'positional', params: [1] });
    wire.say([
      { jsonrpc: '2.0', id: 3, method: 'batched' },
      { jsonrpc: '2.0', method: 'batched' },
    ]);
    wire.write('{"jsonrpc":"2.0","id":1e400,"method":"infinite"}');
    wire.say({ jsonrpc: '2.0' });
    wire.say({ level: 'info', msg: 'listening' });
    await tick();
    expect(wire.sent.map((message) => ('id' in message ? message.id : undefined))).toEqual([
      1,
      2,
      'x',
      3,
      null,
    ]);
    expect(wire.sent[0]).toMatchObject({ error: { code: -32600 } });
    expect(events.map((event) => (event as string[])[0])).toEqual(['noise', 'noise']);
  });

  it('[NFR-R4] settles the request that a malformed answer belongs to', async () => {
    const { wire, peer } = await connect();
    const empty = peer.request('a');
    const textual = peer.request('b');
    wire.say({ jsonrpc: '2.0', id: 1 });
    wire.say({ jsonrpc: '2.0', id: '2' });
    for (const { result } of [empty, textual]) {
      expect(await outcome(result)).toMatchObject({
        error: { name: 'RpcError', code: -32600, data: { answer: expect.stringContaining('"id"') } },
      });
    }
    expect(wire.sent.length).toBe(2);
  });

  it('reports a notification handler that throws, and goes on', async () => {
    const { wire, events } = await connect({
      notification() {
        throw new Error('bug');
      },
    });
    wire.say({ jsonrpc: '2.0', method: 'n' });
    expect(events).toEqual([['noise', 'The handler of n failed: bug']]);
  });
});

describe('peer: messages of others', () => {
  const text = (message: unknown) => (message instanceof RawMessage ? message.line().toString() : undefined);

  async function connectRaw(handlers: Partial<PeerHandlers> = {}) {
    const { wire, peer, events } = await connect(handlers);
    const raw: unknown[] = [];
    wire.send = async (message: WireMessage) => void raw.push(message);
    return { wire, peer, events, raw };
  }

  it('[FR-008] [PB-PASS-1] are forwarded byte for byte except for the id, in both directions', async () => {
    const { wire, peer, raw } = await connectRaw();
    const request = (id: string) =>
      `{"id":${id}, "params" :{"a":-0,"a":1e400,"name":"x"},"method":"m","jsonrpc":"2.0","n":12345678901234567890}`;
    const pending = peer.forward(read(request('"c"')), { name: '"y"' });
    expect(text(raw[0])).toBe(`${request('1').replace('"x"', '"y"')}\n`);
    const answer = '{"jsonrpc":"2.0","result":{"x":0.10000000000000000555},"id":1}\n';
    wire.say(read(answer));
    expect(text(await pending.result)).toBe(answer);
  });

  it('[FR-008] answers with the received result or error under exactly the id of the request', async () => {
    const result = '{"jsonrpc":"2.0","id":7,"result":{"\\u0041":1e400} }';
    const failure = '{"jsonrpc":"2.0","id":8,"error":{"code":-1,"message":"","x-trace":9007199254740993}}';
    const { wire, raw } = await connectRaw({
      async request({ method }) {
        if (method === 'result') return read(result);
        if (method === 'value') return { own: true };
        throw new RpcError({ code: -1, message: '' }, read(failure));
      },
    });
    for (const [id, method] of [
      ['9007199254740993', 'result'],
      ['"\\u0063"', 'failure'],
      ['12345678901234567890', 'value'],
    ])
      wire.say(read(`{"jsonrpc":"2.0","id":${id},"method":"${method}"}`));
    await tick();
    expect(raw.map(text).sort()).toEqual(
      [
        `${result.replace('7', '9007199254740993')}\n`,
        `${failure.replace('8', '"\\u0063"')}\n`,
        '{"jsonrpc":"2.0","id":12345678901234567890,"result":{"own":true}}\n',
      ].sort(),
    );
  });

  it('[NFR-R4] pauses a source that sends too much, in both directions', async () => {
    const held: unknown[] = [];
    const source = { pauseUntil: (until: Promise<void>) => void held.push(until) };
    const line = (content: string) => readMessage(Buffer.from(`{"jsonrpc":"2.0","id":1,${content}}`), source);
    const { wire, peer } = await connect({ request: async () => line('"result":{}') });
    const request = line('"method":"m"');
    if (request === undefined) throw new Error('no message');
    peer.forward(request);
    wire.say(read('{"jsonrpc":"2.0","id":1,"method":"m"}'));
    await tick();
    expect(held).toEqual([]);
    const congestion = new Promise<void>(() => {});
    wire.congestion = congestion;
    peer.forward(request);
    wire.say(read('{"jsonrpc":"2.0","id":1,"method":"m"}'));
    await tick();
    expect(held).toEqual([congestion, congestion]);
  });

  it('[PB-PASS-1] reports whether an abandoned request needs a cancellation', async () => {
    const { wire, peer } = await connectRaw();
    const request = read('{"jsonrpc":"2.0","id":1,"method":"m"}');
    const [sent, unsent, answered] = [peer.forward(request), peer.forward(request), peer.request('own')];
    wire.say({ jsonrpc: '2.0', id: answered.id, result: {} });
    expect(sent.abandon(new Error('enough'))).toBe(true);
    wire.withdraw = () => true;
    expect(unsent.abandon(new Error('enough'))).toBe(false);
    expect(answered.abandon(new Error('enough'))).toBe(false);
    await expect(unsent.result).rejects.toThrow('enough');
  });
});

describe('peer: any order of events', () => {
  const step = fc.oneof(
    { weight: 5, arbitrary: fc.constant('request' as const) },
    { weight: 2, arbitrary: fc.record({ answer: fc.nat(30) }) },
    { weight: 1, arbitrary: fc.record({ refuse: fc.nat(30) }) },
    { weight: 1, arbitrary: fc.record({ abandon: fc.nat(30) }) },
    { weight: 1, arbitrary: fc.record({ lose: fc.nat(30) }) },
    { weight: 1, arbitrary: fc.record({ malformed: fc.nat(30) }) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('wait' as const, 'break' as const, 'mend' as const, 'drop' as const),
    },
  );

  it('[NFR-R4] [PB-ISO-1] gives each request exactly one outcome', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const { wire, peer } = await connect();
        const requests: ReturnType<Peer['request']>[] = [];
        const outcomes: number[] = [];
        for (const each of steps) {
          if (each === 'request') {
            const place = requests.length;
            const request = peer.request('m', { place });
            requests.push(request);
            outcomes.push(0);
            const settled = () => {
              outcomes[place] = (outcomes[place] ?? 0) + 1;
            };
            request.result.then((value) => {
              expect(value).toEqual({ place });
              settled();
            }, settled);
          } else if (each === 'wait') await tick();
          else if (each === 'break') wire.failWith = new Error('broken pipe');
          else if (each === 'mend') wire.failWith = undefined;
          else if (each === 'drop') wire.drop();
          else if ('answer' in each)
            wire.say({ jsonrpc: '2.0', id: each.answer, result: { place: each.answer - 1 } });
          else if ('refuse' in each)
            wire.say({ jsonrpc: '2.0', id: each.refuse, error: { code: 1, message: 'n' } });
          else if ('abandon' in each) requests[each.abandon]?.abandon(new Error('enough'));
          else if ('lose' in each) wire.lose(each.lose, new Error('lost'));
          else wire.say({ jsonrpc: '2.0', id: each.malformed, result: 1, error: 2 });
        }
        await peer.close();
        await tick();
        expect(outcomes).toEqual(requests.map(() => 1));
      }),
    );
  });
});

describe('peer over linked memory transports', () => {
  it('[PB-PASS-1] carries requests and notifications both ways, in order', async () => {
    const [left, right] = createMemoryTransportPair();
    const heard: string[] = [];
    const handlers = (name: string): PeerHandlers => ({
      request: async (request: JsonRpcRequest) => ({ name, method: request.method }),
      notification: ({ method }) => heard.push(`${name}:${method}`),
      closed: () => heard.push(`${name}:closed`),
    });
    const one = createPeer(left, handlers('one'));
    const two = createPeer(right, handlers('two'));
    await one.start();
    await one.notify('early');
    await two.start();
    await one.notify('later');
    expect(await one.request('a').result).toEqual({ name: 'two', method: 'a' });
    expect(await two.request('b').result).toEqual({ name: 'one', method: 'b' });
    void one.notify('last');
    await one.close();
    await one.close();
    await tick();
    expect(heard).toEqual(['two:early', 'two:later', 'one:closed', 'two:last', 'two:closed']);
    await expect(two.notify('after')).rejects.toMatchObject({ sent: false });
  });
});

describe('peer: a sign of life', () => {
  it('[AG-US5-AC3] counts incoming messages, and nothing that is not a message', async () => {
    const { wire, peer } = await connect();
    const { result } = peer.request('ask');
    expect(peer.receivedCount).toBe(0);
    wire.say({ jsonrpc: '2.0', id: 1, result: {} });
    await result;
    wire.say({ jsonrpc: '2.0', method: 'notifications/progress' });
    wire.say({ jsonrpc: '2.0', id: 9, method: 'ping' });
    wire.say({ level: 'info', text: 'a log line' });
    wire.say({ jsonrpc: '2.0', id: 1 });
    expect(peer.receivedCount).toBe(3);
  });
});
