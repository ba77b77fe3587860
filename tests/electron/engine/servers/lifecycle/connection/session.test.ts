import { expect, it } from 'vitest';
import { toValue } from '../../../../../../electron/engine/jsonrpc/read-message.ts';
import { openSession } from '../../../../../../electron/engine/servers/lifecycle/connection/session.ts';
import { LinePipe } from '../../../transport/modern/line-pipe.ts';

it('[PB-DUAL-4] a server cannot claim that its messages belong to some request of a client', async () => {
  const pipe = new LinePipe('server');
  const received: unknown[] = [];
  const { peer } = openSession(pipe, {
    log: { append() {}, tail: () => [] },
    events: {
      started() {},
      connected() {},
      disconnected() {},
      lateAnswer() {},
      idle() {},
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
