import { expect, it } from 'vitest';
import { eventually } from '../../../helper/eventually.ts';
import { fixture, nodeEntry } from '../../../helper/programs.ts';
import { identityNamed, isConnected, startHub } from '../../../helper/running-hub.ts';

it('[REQ-MCP-AUTH-003] a running hub continues with salvaged access data when told to in the window', async () => {
  const files = {
    'state.db': 'no database '.repeat(500),
    'open-clients.json': JSON.stringify({ version: 1, others: true, names: ['bad'] }),
  };
  await using hub = await startHub({ a: nodeEntry(fixture('moody')) }, { files, audit: true });
  await isConnected(hub, 'a');
  const { engine } = hub;
  await eventually(() => expect(engine.view().problems).toMatchObject([{ code: 'access.lost' }]));
  await expect(engine.run('access.create', { kind: 'agent', name: 'night' })).rejects.toThrow();

  await engine.run('access.beginAnew', undefined);
  expect(engine.view().problems).toEqual([]);
  expect(identityNamed(hub, 'client', 'bad')).toBeDefined();
  expect(engine.access().grants).toEqual([]);
  await engine.run('access.create', { kind: 'agent', name: 'night' });
  const { rows } = await engine.run('audit.query', { kinds: ['hub'], limit: 10 });
  expect(rows).toContainEqual(expect.objectContaining({ action: 'begun_anew', actor: 'the window' }));
});
