import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { toValue } from '../../../../../../electron/engine/jsonrpc/read-message.ts';
import { openSession } from '../../../../../../electron/engine/servers/lifecycle/connection/session.ts';
import { createStreamTransport } from '../../../../../../electron/engine/transport/stdio/stream-transport.ts';
import { LinePipe } from '../../../transport/modern/line-pipe.ts';

const noEvents = {
  started() {},
  connected() {},
  disconnected() {},
  lateAnswer() {},
  idle() {},
  notification() {},
  request: async () => {},
};

it('[PB-DUAL-4] a server cannot claim that its messages belong to some request of a client', async () => {
  const pipe = new LinePipe('server');
  const received: unknown[] = [];
  const { peer } = openSession(pipe, {
    log: { append() {}, tail: () => [] },
    events: {
      ...noEvents,
      notification: (notification) => void received.push(toValue(notification)),
      async request({ message }) {
        received.push(toValue(message));
      },
    },
  });
  await peer.start();
  const claim = '"patchbay\\/relatedTo":4503599627370497';
  for (const head of ['"id":"r","method":"roots/list"', '"method":"notifications/message"'])
    pipe.receive(`{"jsonrpc":"2.0",${head},"params":{"n":1,"_meta":{"own":1,${claim}}}}`);
  const params = { n: 1, _meta: { own: 1 } };
  expect(received).toEqual([
    { jsonrpc: '2.0', id: 'r', method: 'roots/list', params },
    { jsonrpc: '2.0', method: 'notifications/message', params },
  ]);
});

it('[FR-009] of a flood of stray output the newest lines are logged, and how much is missing', async () => {
  const stdout = new PassThrough();
  const transport = createStreamTransport({
    readable: stdout,
    writable: new PassThrough(),
    speaker: 'server',
  });
  const lines: string[] = [];
  const log = { append: (_: string, text: string) => void lines.push(text), tail: () => [] };
  const { peer, closed } = openSession(transport, { log, events: noEvents });
  await peer.start();
  stdout.end(Array.from({ length: 40_000 }, (_, at) => `stray line ${at} ${'.'.repeat(80)}\n`).join(''));
  await closed;
  expect(lines.at(-1)).toMatch(/^stray line 39999 /);
  expect(lines.length).toBeLessThan(20_000);
  expect(lines.filter((line) => / MB left out: /.test(line))).not.toEqual([]);
});
