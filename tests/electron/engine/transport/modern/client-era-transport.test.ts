import { expect, it } from 'vitest';
import type { RawMessage } from '../../../../../electron/engine/jsonrpc/raw-message.ts';
import { toRaw } from '../../../../../electron/engine/jsonrpc/read-message.ts';
import { ClientEraTransport } from '../../../../../electron/engine/transport/modern/client/client-era-transport.ts';
import { FakeClock } from '../../../../helper/fake-clock.ts';
import { LinePipe } from './line-pipe.ts';
import { envelope, type Json } from './modern-peers.ts';

/** A stateless client on one side of a pipe, with the session on the other. */
async function piped() {
  const clock = new FakeClock();
  const pipe = new LinePipe('client');
  const transport = new ClientEraTransport(pipe, { clock });
  const inner: RawMessage[] = [];
  await transport.start({
    message(wire) {
      const message = toRaw(wire);
      inner.push(message);
      const result = { capabilities: {}, serverInfo: { name: 'hub', version: '1' } };
      if (message.method === 'initialize')
        void transport.send(toRaw({ jsonrpc: '2.0', id: message.id ?? 0, result }));
    },
    closed() {},
  });
  const write = (message: Json) => pipe.receive(JSON.stringify({ jsonrpc: '2.0', ...message }));
  const call = async (id: number, params: Json = {}) => {
    write({ id, method: 'tools/call', params: { name: 'a', ...params, _meta: envelope() } });
    await clock.advance(0);
    return Number(inner.findLast(({ method }) => method === 'tools/call')?.id);
  };
  const say = (message: Json, relatedTo?: number) =>
    transport.send(toRaw({ jsonrpc: '2.0', ...message }), relatedTo);
  const received = (): Json => JSON.parse(pipe.sent.at(-1) ?? '{}');
  return { clock, pipe, inner, write, call, say, received };
}

it('[PB-DUAL-1] [PB-PASS-1] a client may write its envelope with escapes, as PHP does: no digit is lost', async () => {
  const { clock, pipe, inner } = await piped();
  const args = '{"id":9007199254740995,"share":1.0}';
  const meta = JSON.stringify(envelope({}, { own: 1, progressToken: 5 })).replaceAll('/', '\\/');
  const params = `{"name":"a","arguments":${args},"_meta":${meta}}`;
  pipe.receive(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`);
  await clock.advance(0);
  const [first, , call] = inner;
  expect(first?.method).toBe('initialize');
  expect(String(call?.line())).toContain(args);
  expect(call?.params?._meta).toEqual({
    own: 1,
    progressToken: call?.id,
    'patchbay/clientCapabilities': {},
  });
});

it('[PB-DUAL-1] a call is cancelled by its id, though one before it had the same and was answered at once', async () => {
  const { clock, inner, write, call, say, received } = await piped();
  const innerId = await call(1);
  const params = { message: 'Name?', requestedSchema: { type: 'object' } };
  await say({ id: 's', method: 'elicitation/create', params }, innerId);
  await clock.advance(50);
  const { requestState } = received().result;
  await say({ id: innerId, result: { content: [] } });
  await call(2, { requestState });
  expect(received()).toMatchObject({ id: 2, result: { content: [] } });
  const again = await call(2);
  write({ method: 'notifications/cancelled', params: { requestId: 2 } });
  expect(inner.at(-1)).toMatchObject({ method: 'notifications/cancelled', params: { requestId: again } });
});
