import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { fixture, nodeEntry, programs } from '../../../helper/programs.ts';
import { startHub } from '../../../helper/running-hub.ts';
import { withSqlite } from '../../../helper/state-db.ts';
import { tempDir } from '../../../helper/temp-dir.ts';

const run = promisify(execFile);

const patchbayErr = (dir: string, ...args: string[]) =>
  run(process.execPath, [programs.patchbay, ...args, '--data-dir', dir]);

async function patchbay(dir: string, ...args: string[]): Promise<string> {
  const { stdout } = await run(process.execPath, [programs.patchbay, ...args, '--data-dir', dir]);
  return stdout;
}

it('[REQ-MCP-OBS-002] the audit log is listed, exported and verified without a display, while the hub runs and after', async () => {
  await using hub = await startHub({ echo: nodeEntry(fixture('echo')) }, { audit: true });
  expect(await patchbay(hub.dir, 'audit', 'verify')).toBe('0 rows, none changed.\n');
  await using client = await hub.bridge('cursor');
  for (let count = 0; count < 3; count += 1)
    await client.callTool({ name: 'echo__echo', arguments: { count } });
  // Waits until everything is written.
  await hub.engine.run('audit.query', { limit: 1 });
  const lines = (await patchbay(hub.dir, 'audit', 'export')).trim().split('\n');
  const rows = lines.map((line) => JSON.parse(line));
  expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, index) => index + 1));
  expect(rows.filter(({ kind }) => kind === 'invocation')).toHaveLength(3);
  expect((await patchbay(hub.dir, 'audit', 'list', '--last', '2')).trim().split('\n')).toHaveLength(2);
  const call = /^\d{4}-.*ok .*Tool call {2}echo:echo {2}by cursor$/gm;
  const shown = await patchbay(hub.dir, 'audit', 'list');
  expect(shown.match(call)).toHaveLength(3);
  expect(shown).toMatch(/^\d{4}-\S+ {2}status {6}Server {2}echo {2}Connected$/m);
  expect(shown).toMatch(/^\d{4}-\S+ {2}ok {10}Patchbay: started {2}by Patchbay$/m);
  await client.close();
  await hub.engine.stop();
  const verified = await patchbay(hub.dir, 'audit', 'verify');
  const [, head = ''] = /^head ([0-9a-f]{64})$/m.exec(verified) ?? [];
  expect(await patchbay(hub.dir, 'audit', 'verify', '--head', head)).toBe(verified);
  await expect(patchbay(hub.dir, 'audit', 'verify', '--head', 'f'.repeat(64))).rejects.toMatchObject({
    code: 1,
  });
  await withSqlite(join(hub.dir, 'audit.db'), (db) =>
    db.exec(
      "update mcp_invocations set outcome = 'error' where seq = (select max(seq) from mcp_invocations)",
    ),
  );
  await expect(patchbay(hub.dir, 'audit', 'verify')).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/changed or is damaged.*Row \d+ or the one before it has been changed/),
  });
});

describe('a changed audit log', () => {
  it('[REQ-MCP-OBS-002] stays in place and fails verification, whatever was changed; the next log says so', async () => {
    await using hub = await startHub({ echo: nodeEntry(fixture('echo')) }, { audit: true });
    {
      await using client = await hub.bridge('cursor');
      for (let count = 0; count < 3; count += 1)
        await client.callTool({ name: 'echo__echo', arguments: { count } });
    }
    await hub.engine.stop();
    const file = join(hub.dir, 'audit.db');
    const sound = await readFile(file);
    const fails = async (stderr: string) => {
      for (const verb of ['verify', 'list', 'export'])
        await expect(patchbay(hub.dir, 'audit', verb)).rejects.toMatchObject({
          code: 1,
          stderr: expect.stringContaining(stderr),
        });
    };
    await writeFile(file, 'garbage '.repeat(1_000));
    await fails('[hub.database_unreadable]');
    expect(await readFile(file, 'utf8')).toBe('garbage '.repeat(1_000));
    await writeFile(file, '');
    await fails('is missing now');
    await rm(file);
    await fails('is missing now');
    await writeFile(file, sound);
    await patchbay(hub.dir, 'audit', 'verify');
    await withSqlite(file, (db) =>
      db.exec('delete from mcp_invocations; delete from audit_event; delete from audit_anchor'),
    );
    await fails('is missing now');

    await hub.restart();
    const { rows } = await hub.engine.run('audit.query', { limit: 100 });
    expect(rows.at(-1)).toMatchObject({ seq: 1, action: 'rows-missing', outcome: 'failed' });
    await hub.engine.stop();
    const known = await patchbay(hub.dir, 'audit', 'verify').catch((error) => error);
    expect(known).toMatchObject({ code: 1, stderr: expect.stringContaining('Earlier rows are missing.') });
    const [, head = ''] = /^head ([0-9a-f]{64})$/m.exec(known.stdout) ?? [];
    await patchbay(hub.dir, 'audit', 'verify', '--head', head);
    await writeFile(`${file}.damaged-2026`, '');
    await fails('A damaged log was set aside');
  });

  it('[REQ-MCP-OBS-002] reports entries that are not in the log yet', async () => {
    await using folder = await tempDir();
    const run = join(folder.path, 'run');
    await mkdir(run);
    const entry = { id: 'x-1', at: 1, kind: 'hub', action: 'stopped', actor: 'hub', outcome: 'ok' };
    await writeFile(join(run, 'audit.journal'), `${JSON.stringify(entry)}\nhalf a li`);
    const { stderr } = await patchbayErr(folder.path, 'audit', 'verify');
    expect(stderr).toContain('1 more entry in run/audit.journal');
  });
});

describe('[REQ-MCP-CONFIG] a number that cannot be used', () => {
  it.each([
    [{ MCP_RETRY_BASE_MS: 'soon' }, '{}', 'MCP_RETRY_BASE_MS'],
    [{}, '{"limits":{"circuitCooldown":0}}', 'limits.circuitCooldown in settings.json'],
  ])('keeps patchbay serve from starting, by its name: %j %s', async (env, settings, name) => {
    await using folder = await tempDir();
    await writeFile(join(folder.path, 'settings.json'), settings);
    const serving = run(process.execPath, [programs.patchbay, 'serve', '--data-dir', folder.path], {
      env: { ...process.env, ...env },
      timeout: 100_000,
    });
    await expect(serving).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining(name) });
  });
});
