import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { auditStore } from '../../../../../electron/engine/activity/audit/audit-store.ts';
import { systemClock } from '../../../../../electron/engine/base/clock.ts';
import { createStateDb } from '../../../../../electron/engine/store/db/state-db.ts';
import { httpWire } from '../../../../conformance/fidelity/http-wire.ts';
import { RawClient } from '../../../../conformance/fidelity/raw-client.ts';
import { eventually } from '../../../../helper/eventually.ts';
import { freePort } from '../../../../helper/free-port.ts';
import { fixture, nodeEntry, programs } from '../../../../helper/programs.ts';
import { tempDir } from '../../../../helper/temp-dir.ts';

/** A hub that is killed, by a test or at its end. */
interface Served extends AsyncDisposable {
  kill(): Promise<void>;
}

async function serve(folder: string, port: number): Promise<Served> {
  const args = [programs.patchbay, 'serve', '--data-dir', folder, '--port', String(port)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  child.stdout?.on('data', (chunk) => {
    printed += chunk;
  });
  await eventually(() => expect(printed).toContain('is running without a window'));
  const gone = once(child, 'exit');
  const kill = async () => {
    child.kill('SIGKILL');
    await gone;
  };
  return { kill, [Symbol.asyncDispose]: kill };
}

/** Reads the audit log of a folder without a hub. */
async function withLog<T>(
  folder: string,
  task: (log: ReturnType<typeof auditStore>) => Promise<T>,
): Promise<T> {
  const state = createStateDb({ file: join(folder, 'audit.db'), clock: systemClock, report: () => {} });
  try {
    return await task(auditStore({ state, clock: systemClock, bounds: { days: 90, bytes: 1e9 } }));
  } finally {
    await state.close();
  }
}

/** Returns the start times of a tool's calls in the log. */
const callsOf = (folder: string, tool: string) =>
  withLog(folder, async (log) => {
    const found: number[] = [];
    for (let after = 0, hasMore = true; hasMore; ) {
      const page = await log.after({ filter: { kinds: ['invocation'] }, after, limit: 500 });
      found.push(...page.rows.flatMap((row) => (row.tool === tool ? [row.at] : [])));
      after = page.rows.at(-1)?.seq ?? after;
      hasMore = page.hasMore;
    }
    return found;
  });

it('[REQ-MCP-OBS-002] [PB-LOAD-1] the log of a hub that is killed under load is intact, and the next hub adds every answered call', async () => {
  await using folder = await tempDir();
  const config = { mcpServers: { echo: nodeEntry(fixture('echo')), moody: nodeEntry(fixture('moody')) } };
  await writeFile(join(folder.path, 'mcp.json'), JSON.stringify(config));
  const port = await freePort();
  await using hub = await serve(folder.path, port);
  const token = (await readFile(join(folder.path, 'token'), 'utf8')).trim();
  const connect = async () => {
    const client = new RawClient(httpWire(`http://127.0.0.1:${port}/mcp`, token));
    await client.greet();
    return client;
  };
  const client = await connect();
  let answered = 0;
  let isOn = true;
  const load = (async () => {
    for (; isOn; answered += 1) await client.ask('tools/call', '{"name":"echo__pid"}');
  })().catch(() => undefined);
  const other = await connect();
  await eventually(() => expect(answered).toBeGreaterThan(500));
  const [count, then] = [answered, Date.now()];
  // The hub records what it answered earlier before this is answered, however slow it is.
  await other.ask('tools/call', '{"name":"moody__wait","arguments":{"milliseconds":100}}');
  await hub.kill();
  isOn = false;
  await load;
  expect(await withLog(folder.path, (log) => log.verify())).toMatchObject({ ok: true });

  // The next hub continues the log.
  await using next = await serve(folder.path, port);
  await (await connect()).ask('tools/call', '{"name":"echo__echo","arguments":{}}');
  await eventually(async () => expect(await callsOf(folder.path, 'echo')).toHaveLength(1));
  await next.kill();
  const begun = (await callsOf(folder.path, 'pid')).filter((at) => at <= then);
  expect(begun.length).toBeGreaterThanOrEqual(count);
  expect(await withLog(folder.path, (log) => log.verify())).toMatchObject({ ok: true });
});

it('[REQ-MCP-OBS-002] a call that was answered just before its hub was killed, before any worker started, is in the next log', async () => {
  await using folder = await tempDir();
  const config = { mcpServers: { echo: nodeEntry(fixture('echo')) } };
  await writeFile(join(folder.path, 'mcp.json'), JSON.stringify(config));
  const port = await freePort();
  const token = async () => (await readFile(join(folder.path, 'token'), 'utf8')).trim();
  const connect = async () => {
    const client = new RawClient(httpWire(`http://127.0.0.1:${port}/mcp`, await token()));
    await client.greet();
    return client;
  };
  await using hub = await serve(folder.path, port);
  const first = await connect();
  await first.ask('tools/call', '{"name":"echo__pid"}');
  // The call is written down as soon as it is known, long before a worker has started, unless the worker was
  // faster.
  const pending = join(folder.path, 'run', 'audit.journal.pending');
  const isPending = async () => (await readFile(pending, 'utf8').catch(() => '')).includes('"pid"');
  const isWritten = async () => (await isPending()) || (await callsOf(folder.path, 'pid')).length > 0;
  await eventually(async () => expect(await isWritten()).toBe(true));
  await hub.kill();

  await using next = await serve(folder.path, port);
  const second = await connect();
  await second.ask('tools/call', '{"name":"echo__echo","arguments":{}}');
  await eventually(() =>
    withLog(folder.path, async (log) => {
      const { rows } = await log.find({ kinds: ['invocation'], limit: 10 });
      expect(rows.map(({ tool }) => tool)).toEqual(['echo', 'pid']);
    }),
  );
  await next.kill();
  expect(await withLog(folder.path, (log) => log.verify())).toMatchObject({ ok: true });
});
