import { expect, it } from 'vitest';
import { watchConfigs } from '../../../../electron/main/attention/watch-configs.ts';
import { FakeHub, runOf } from '../../../helper/fake-hub.ts';
import { connectClient } from '../../../helper/views.ts';

it('[PB-APP-1] the clients on this computer are known from the first list of the hub on, until disposal', async () => {
  const hub = new FakeHub();
  const run = runOf(hub);
  const configs = watchConfigs(run);
  expect(configs.current).toEqual([]);
  run.start();
  await run.settled();
  hub.fire('connect.changed', { clients: [connectClient('cursor')] });
  expect(configs.current).toMatchObject([{ id: 'cursor' }]);
  configs.dispose();
  expect(hub.heard).toEqual([]);
});
