import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RawMessage } from '../../../../../electron/engine/jsonrpc/raw-message.ts';
import { readMessage } from '../../../../../electron/engine/jsonrpc/read-message.ts';
import { newStreamMemory } from '../../../../../electron/engine/transport/http-client/session-stream.ts';
import { ModernLink, probeHttp } from '../../../../../electron/engine/transport/modern/modern-link.ts';
import { FakeClock } from '../../../../helper/fake-clock.ts';
import { anyJson, mostly, objectOf, writeOut } from './any-json.ts';

type Read = typeof read extends fc.Arbitrary<infer One> ? One : never;

/** How a remote server responds to a POST; `<id>` in it is the id that was asked with. */
const message = fc
  .tuple(
    mostly(fc.constant('<id>')),
    fc.constantFrom('result', 'error', 'method', 'params'),
    anyJson,
    anyJson,
  )
  .map(([id, member, value, tools]) =>
    objectOf([
      ['jsonrpc', '"2.0"'],
      ['id', id],
      [
        member,
        member === 'result'
          ? objectOf([
              ['tools', tools],
              ['x', value],
            ])
          : value,
      ],
    ]),
  );
const read = fc.record({
  status: fc.constantFrom(200, 200, 200, 200, 202, 204, 400, 404, 500),
  type: fc.constantFrom('application/json', 'text/event-stream', 'text/html', ''),
  messages: fc.array(fc.oneof(message, anyJson), { maxLength: 3 }),
  end: fc.constantFrom('whole', 'whole', 'cut', 'never sent'),
});
const params = fc.option(
  fc.tuple(mostly(fc.constant('"ü"')), anyJson).map(([name, args]) =>
    objectOf([
      ['name', name],
      ['arguments', args],
    ]),
  ),
  { nil: undefined },
);
const request = fc.record({
  method: fc.oneof(
    fc.constantFrom('tools/call', 'tools/list', 'resources/read', 'ping'),
    fc.string({ unit: 'binary', maxLength: 5 }),
  ),
  params,
  responses: fc.array(read, { minLength: 1, maxLength: 4 }),
});

function responseOf({ status, type, messages, end }: Read, id: string): Response {
  if (end === 'never sent') throw new TypeError('fetch failed');
  const written = messages.map((text) => writeOut(text.replaceAll('<id>', id)));
  const body = type.includes('event') ? written.map((text) => `data: ${text}\n\n`) : [written.join('\n')];
  const stream = new ReadableStream({
    start(controller) {
      for (const part of body) controller.enqueue(Buffer.from(part));
      if (end === 'cut') controller.error(new Error('cut'));
      else controller.close();
    },
  });
  const headers = type === '' ? {} : { 'content-type': type };
  return new Response(status === 204 ? null : stream, { status, headers });
}

/** A link to a remote server that responds as told, and with an empty result once nothing is told. */
function stage() {
  const clock = new FakeClock();
  const outcomes = new Map<number, number>();
  let responses: Read[] = [];
  const count = (id: unknown) => {
    if (typeof id === 'number' && outcomes.has(id)) outcomes.set(id, (outcomes.get(id) ?? 0) + 1);
  };
  const whole: Read = {
    status: 200,
    type: 'application/json',
    messages: ['{"jsonrpc":"2.0","id":<id>,"result":{"content":[]}}'],
    end: 'whole',
  };
  const context = {
    url: new URL('http://127.0.0.1:1/mcp'),
    headers: {},
    clock,
    signal: new AbortController().signal,
    isReconnect: false,
    sessionStream: newStreamMemory(),
    separateConnections: () => undefined,
    async fetch(_url: unknown, init?: RequestInit) {
      const body = readMessage(Buffer.from(init?.body as Uint8Array));
      return responseOf(responses.shift() ?? whole, body?.idText ?? 'null');
    },
    protocolVersion: () => undefined,
    message(received: RawMessage) {
      if (received.method === undefined && received.kind !== 'invalid') count(received.id);
    },
    unanswered: count,
    noise() {},
    closed() {},
    acceptsErrorAnswers: () => true,
    eraChange: async () => undefined,
  };
  const link = new ModernLink(context, {
    era: 'modern',
    version: '2026-07-28',
    discover: { capabilities: {}, serverInfo: {} },
  });
  const ask = async (id: number, method: string, given: string | undefined, told: readonly Read[]) => {
    const rest = given === undefined ? '' : `,"params":${given}`;
    const line = writeOut(`{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(method)}${rest}}`);
    const asked = readMessage(Buffer.from(line));
    if (asked?.kind !== 'request') return;
    outcomes.set(id, 0);
    responses = [...told];
    await link.send(asked).catch(() => count(id));
    // Responses are read in turns of their own; a call that needs time is sent again later.
    for (let turn = 0; turn < 8; turn += 1) await clock.advance(3_000);
    responses = [];
  };
  const tell = (told: readonly Read[]) => {
    responses = [...told];
  };
  return { clock, context, outcomes, ask, tell };
}

describe('[PB-DUAL-3] [PB-DUAL-4] whatever a remote stateless server responds', () => {
  it('nothing is thrown, each request has one outcome, and the next one works', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(request, { minLength: 1, maxLength: 5 }), async (requests) => {
        const { outcomes, ask } = stage();
        for (const [at, { method, params: given, responses }] of requests.entries())
          await ask(at + 1, method, given, responses);
        await ask(100, 'tools/call', '{"name":"last"}', []);
        for (const [id, times] of outcomes) expect(times, `request ${id}`).toBe(1);
        expect(outcomes.has(100)).toBe(true);
      }),
      { numRuns: Number(process.env.FUZZ_RUNS ?? 200) },
    );
  });

  it('a probe ends with a verdict or with nothing', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(read, { minLength: 1, maxLength: 2 }), async (responses) => {
        const { clock, context, tell } = stage();
        tell(responses);
        const probe = probeHttp(context, { name: 'patchbay' });
        await clock.advance(10_000);
        expect(['modern', 'legacy', 'other', undefined]).toContain((await probe)?.era);
      }),
      { numRuns: Number(process.env.FUZZ_RUNS ?? 200) },
    );
  });
});
