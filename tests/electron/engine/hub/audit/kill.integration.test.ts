import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { systemClock } from '../../../../../electron/engine/base/clock.ts';
import { auditStore } from '../../../../../electron/engine/store/state/audit/audit-store.ts';
import { createStateDb } from '../../../../../electron/engine/store/state/state-db.ts';
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
  await eventually(() => expect(printed).toContain('is running without a display'));
  const gone = once(child, 'exit');
  const kill = async () => {
    child.kill('SIGKILL');
    await gone;
  };
  return { kill, [Symbol.asyncDispose]: kill };
}

/** The audit log of a folder, read without a hub. */
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

/** Correlation ids of the calls that are in it. */
const known = (folder: string) =>
  withLog(folder, async (log) => {
    const found: string[] = [];
    for (let after = 0, hasMore = true; hasMore; ) {
      const page = await log.after({ filter: { kinds: ['invocation'] }, after, limit: 500 });
      found.push(...page.rows.map(({ correlationId = '' }) => correlationId));
      after = page.rows.at(-1)?.seq ?? after;
      hasMore = page.hasMore;
    }
    return new Set(found);
  });

/** Milliseconds before the kill from which on a call may be missing: 50 on an idle machine, see ADR 0035. */
const patience = Number(process.env.AUDIT_PATIENCE ?? 1_500);

it('[REQ-MCP-OBS-002] the log of a hub that is killed in the middle of a load is whole, and lacks its last moments at most', async () => {
  await using folder = await tempDir();
  const config = { mcpServers: { echo: nodeEntry(fixture('echo')) } };
  await writeFile(join(folder.path, 'mcp.json'), JSON.stringify(config));
  const port = await freePort();
  await using hub = await serve(folder.path, port);
  const token = (await readFile(join(folder.path, 'token'), 'utf8')).trim();
  const client = new RawClient(httpWire(`http://127.0.0.1:${port}/mcp`, token));
  await client.greet();
  const answered = new Map<string, number>();
  let isOn = true;
  const load = (async () => {
    for (let count = 0; isOn; count += 1) {
      const id = `call ${count}`;
      const params = { name: 'echo__pid', _meta: { 'patchbay/correlationId': id } };
      await client.ask('tools/call', JSON.stringify(params));
      answered.set(id, Date.now());
    }
  })().catch(() => undefined);
  await eventually(() => expect(answered.size).toBeGreaterThan(500));
  const killedAt = Date.now();
  await hub.kill();
  isOn = false;
  await load;

  const left = await known(folder.path);
  const missing = [...answered].filter(([id]) => !left.has(id));
  expect(missing.filter(([, at]) => at < killedAt - patience)).toEqual([]);
  expect(await withLog(folder.path, (log) => log.verify())).toMatchObject({ ok: true });

  // The next hub goes on with it.
  await using next = await serve(folder.path, port);
  await next.kill();
  expect(await withLog(folder.path, (log) => log.verify())).toMatchObject({ ok: true });
});

it('[REQ-MCP-OBS-002] a call that was answered just before its hub was killed, with no desk there yet, is in the log of the next one', async () => {
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
  // Written down as soon as it is known, long before a desk has begun; unless that was faster.
  const pending = join(folder.path, 'run', 'audit.journal.pending');
  const isWritten = async () => existsSync(pending) || (await known(folder.path)).size > 0;
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
