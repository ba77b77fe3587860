import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { processIdentity } from '../../../../electron/engine/store/files/process-identity.ts';
import { processesWhere } from '../../../chaos/lib/processes.mjs';
import { startAggregator } from '../../../helper/aggregator.ts';
import { type ContainerEngine, containerEngine } from '../../../helper/container-engine.ts';
import { eventually } from '../../../helper/eventually.ts';
import { fixture, nodeEntry } from '../../../helper/programs.ts';

/** Starts the stand-in for the tool as one process with its name, as the real tools are. */
async function namedTool(engine: ContainerEngine, name: string): Promise<string> {
  const inner = await engine.tool(`inner-${name}`);
  const file = join(engine.folder, name);
  await writeFile(file, `#!/bin/sh\n'${inner}' "$@"\nexit $?\n`);
  await chmod(file, 0o755);
  return file;
}

/** Returns processes with a file of this folder in their command line. */
const runningIn = (folder: string) => processesWhere(({ command }) => command.includes(folder));

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

  it.each([
    ['docker', [], 'sh'],
    ['docker', [], 'script that has ended'],
    ['nerdctl', ['-n', 'tools'], 'script'],
    ['podman', ['--log-level', 'debug'], 'script'],
    ['docker', ['--name', 'mine'], 'script'],
  ])(
    '[PB-PROC-1] has the container of its %s %j removed by the next one that starts, behind a %s',
    async (name, options, how) => {
      await using engine = await containerEngine();
      const tool = await namedTool(engine, name);
      const isName = options[0] === '--name';
      const args = [
        ...(isName ? [] : options),
        'run',
        ...(isName ? options : []),
        '-i',
        '--rm',
        'server:latest',
      ];
      const entry =
        how === 'sh'
          ? { command: 'sh', args: ['-c', `cd / && ${tool} ${args.join(' ')}`] }
          : { command: tool, args };
      const killed = await startAggregator({ mcpServers: { a: entry } });
      await killed.client.callTool({ name: 'a:pid' });
      await engine.start('theirs');
      // After this point, a hub of another test that starts may remove it.
      expect(await engine.running()).toHaveLength(2);
      process.kill(killed.pid, 'SIGKILL');
      await eventually(async () => expect(await processIdentity(killed.pid)).toBeUndefined());
      await killed[Symbol.asyncDispose]();
      if (how === 'script that has ended') {
        await engine.hangUp();
        await eventually(() => expect(runningIn(engine.folder)).toEqual([]));
      }
      await using next = await startAggregator({ mcpServers: { b: nodeEntry(fixture('echo')) } });
      expect(pidIn(await next.client.callTool({ name: 'b:pid' }))).toBeGreaterThan(0);
      await eventually(async () => expect(await engine.running()).toEqual(['theirs']));
    },
  );
});
