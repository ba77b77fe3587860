import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { eventually } from '../../../helper/eventually.ts';
import { freePort } from '../../../helper/free-port.ts';
import { fixture, nodeEntry, programs } from '../../../helper/programs.ts';
import { connectBridge, endHub, hubListens, namesOf } from '../../../helper/running-hub.ts';
import { tempDir } from '../../../helper/temp-dir.ts';

/**
 * The activity worker stops 15 s after the last call. Work of a hub a second later once stopped it for good.
 */
const untilItRests = 18_000;

it('[PB-HEAD-1] [NFR-R1] a hub that was idle answers the next call, and stops when asked', async () => {
  await using folder = await tempDir();
  const mcpServers = { echo: nodeEntry(fixture('echo')) };
  await writeFile(join(folder.path, 'mcp.json'), JSON.stringify({ mcpServers }));
  const args = [programs.patchbay, 'serve', '--data-dir', folder.path, '--port', String(await freePort())];
  const hub = spawn(process.execPath, args, { stdio: 'ignore' });
  try {
    await hubListens(folder.path);
    await using client = await connectBridge(folder.path);
    await eventually(async () => expect(await namesOf(client)).toContain('echo__echo'));
    const call = () => client.callTool({ name: 'echo__echo', arguments: { text: 'here' } });
    await call();
    await delay(untilItRests);
    expect(await call()).toMatchObject({ content: [{ type: 'text' }] });
    expect(await endHub(hub, folder.path)).toEqual([0, null]);
  } finally {
    hub.kill('SIGKILL');
  }
});
