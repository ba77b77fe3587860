import { expect, it } from 'vitest';
import type { AccessEvent } from '../../../../../electron/engine/hub/access/contract.ts';
import { fixture, nodeEntry } from '../../../../helper/programs.ts';
import { isConnected, startHub } from '../../../../helper/running-hub.ts';

it('[REQ-MCP-AUTH-003] a running hub continues with salvaged access data when told to in the window', async () => {
  const files = {
    'state.db': 'no database '.repeat(500),
    'open-clients.json': JSON.stringify({ version: 1, others: true, names: ['bad'] }),
  };
  await using hub = await startHub({ a: nodeEntry(fixture('moody')) }, { files });
  await isConnected(hub, 'a');
  const { access } = hub.engine;
  const events: AccessEvent[] = [];
  access.onEvent((event) => events.push(event));
  expect(hub.engine.view().problems).toMatchObject([{ code: 'access.lost' }]);
  await expect(access.create({ kind: 'agent', name: 'night' })).rejects.toThrow();

  await access.beginAnew('the window');
  expect(hub.engine.view().problems).toEqual([]);
  expect(access.byName('client', 'bad')).toBeDefined();
  expect(access.grants()).toEqual([]);
  await access.create({ kind: 'agent', name: 'night' });
  expect(events).toContainEqual(expect.objectContaining({ kind: 'access.begun_anew', by: 'the window' }));
});
