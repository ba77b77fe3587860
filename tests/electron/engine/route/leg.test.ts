import { expect, it } from 'vitest';
import { systemClock } from '../../../../electron/engine/base/clock.ts';
import { startUpstreamRequest } from '../../../../electron/engine/route/leg.ts';
import type { Connection, SupervisedServer } from '../../../../electron/engine/supervise/contract.ts';
import { requestOf } from '../../../helper/raw-messages.ts';

it('[PB-PASS-1] the cancellation of a call overtakes messages queued for its server', () => {
  const told: unknown[] = [];
  const pending = { id: 7, result: new Promise<never>(() => {}), abandon: () => true };
  const connection: Pick<Connection, 'forward' | 'notify'> = {
    forward: () => pending,
    notify: async (...notice) => void told.push(notice),
  };
  const client = new AbortController();
  startUpstreamRequest({
    server: { key: 's' } as SupervisedServer,
    connection: connection as Connection,
    request: {
      sessionId: 'one',
      message: requestOf('tools/call', { name: 't' }),
      view: {} as never,
      signal: client.signal,
      onProgress: () => {},
    },
    changes: {},
    clock: systemClock,
    limit: undefined,
  });
  client.abort('enough');
  expect(told).toEqual([['notifications/cancelled', { requestId: 7, reason: 'enough' }, true]]);
});
