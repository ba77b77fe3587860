import { describe, expect, it } from 'vitest';
import { processIdentity } from '../../../electron/engine/store/process-identity.ts';
import { startAggregator } from '../../helper/aggregator.ts';
import { eventually } from '../../helper/eventually.ts';
import { fixture, nodeEntry } from '../../helper/programs.ts';

const pidIn = (result: unknown) => Number(/"text":"(\d+)"/.exec(JSON.stringify(result))?.[1]);

describe.runIf(process.platform === 'linux')('mcp-simple-aggregator that was killed with -9', () => {
  it('[PB-PROC-1] has its stubborn children ended by the next one that starts, whatever its config', async () => {
    const killed = await startAggregator({ mcpServers: { a: nodeEntry(fixture('stubborn')) } });
    const child = pidIn(await killed.client.callTool({ name: 'a:pid' }));
    process.kill(killed.pid, 'SIGKILL');
    await eventually(async () => expect(await processIdentity(killed.pid)).toBeUndefined());
    await killed[Symbol.asyncDispose]();
    await using next = await startAggregator({ mcpServers: { b: nodeEntry(fixture('echo')) } });
    expect(pidIn(await next.client.callTool({ name: 'b:pid' }))).toBeGreaterThan(0);
    expect(await processIdentity(child)).toBeUndefined();
  });
});
