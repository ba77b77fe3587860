import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eventually } from '../../../helper/eventually.ts';
import { freePort } from '../../../helper/free-port.ts';
import { fixture, nodeEntry } from '../../../helper/programs.ts';
import { startHub } from '../../../helper/running-hub.ts';

describe('REST while a hub opens', () => {
  it('[NFR-R4] answers the first request to the endpoint without waiting for servers', async () => {
    const port = await freePort();
    const opening = startHub({ slow: nodeEntry(fixture('never-answers')) }, { port });
    const statuses: number[] = [];
    await eventually(async () => {
      statuses.push((await fetch(`http://127.0.0.1:${port}/api/v1/aggregator/servers`)).status);
    });
    expect(statuses).toEqual([401]);
    await using hub = await opening;
    const token = (await readFile(join(hub.dir, 'admin.token'), 'utf8')).trim();
    const headers = { authorization: `Bearer ${token}` };
    const listed = await fetch(`http://127.0.0.1:${port}/api/v1/aggregator/servers`, { headers });
    expect(await listed.json()).toMatchObject({ servers: [{ name: 'slow', status: 'CONNECTING' }] });
  });
});
