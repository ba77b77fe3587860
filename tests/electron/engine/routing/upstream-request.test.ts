import { expect, it } from 'vitest';
import { systemClock } from '../../../../electron/engine/base/clock.ts';
import { ActiveCalls } from '../../../../electron/engine/routing/active-calls.ts';
import { UpstreamRequest } from '../../../../electron/engine/routing/upstream-request.ts';
import type { Connection, SupervisedServer } from '../../../../electron/engine/servers/contract.ts';
import { requestOf } from '../../../helper/raw-messages.ts';

it('[PB-PASS-1] the cancellation of a call overtakes messages queued for its server', () => {
  const told: unknown[] = [];
  const pending = { id: 7, result: new Promise<never>(() => {}), abandon: () => true };
  const connection: Pick<Connection, 'forward' | 'notify'> = {
    forward: () => pending,
    notify: async (...notice) => void told.push(notice),
  };
  const call = new ActiveCalls().begin({
    sessionId: 'one',
    message: requestOf('tools/call', { name: 't' }),
    view: {} as never,
    onProgress: () => {},
  });
  new UpstreamRequest({
    server: { key: 's' } as SupervisedServer,
    connection: connection as Connection,
    call,
    changes: {},
    clock: systemClock,
    limit: undefined,
  });
  call.abort('enough', undefined);
  expect(told).toEqual([['notifications/cancelled', { requestId: 7, reason: 'enough' }, true]]);
});
