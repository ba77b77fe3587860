import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { describe, expect, it } from 'vitest';
import type { Identity } from '../../../../shared/model/access/access.ts';
import { eventually } from '../../../helper/eventually.ts';
import { fixture, nodeEntry, programs } from '../../../helper/programs.ts';
import { type Hub, identityNamed, isConnected, namesOf, startHub } from '../../../helper/running-hub.ts';
import { tempDir } from '../../../helper/temp-dir.ts';

async function access(dir: string, ...args: string[]) {
  const argv = [programs.patchbay, 'access', ...args, '--data-dir', dir];
  const child = spawn(process.execPath, argv, {
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, err, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { out, err, code };
}

/** Reads the entries that wait for the next hub's audit log. */
function journal(dir: string): readonly unknown[] {
  const lines = readFileSync(join(dir, 'run', 'audit.journal'), 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line));
}

/** Connects over HTTP with a token and returns the identity that it stands for. */
async function holderOf({ engine }: Hub, token: string): Promise<Identity | undefined> {
  const client = new Client({ name: 'holder', version: '1' });
  const headers = { authorization: `Bearer ${token}` };
  const url = new URL(engine.connection().url);
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }) as Transport);
  const session = engine.clients().find(({ name }) => name === 'holder');
  await client.close();
  return engine.access().identities.find(({ id }) => id === session?.identityId);
}

describe('patchbay access', () => {
  it('[REQ-MCP-AUTH-001] [PB-HEAD-1] grants, revokes and creates tokens with a running hub, and offline', async () => {
    await using hub = await startHub({ a: nodeEntry(fixture('moody')) });
    await isConnected(hub, 'a');
    await using client = await hub.bridge('cursor');
    expect(await namesOf(client)).toContain('a__pid');
    expect((await access(hub.dir, 'list')).out).toBe(
      'cursor  (client)\n  allow  all  (by first connection)\nNew clients may call everything.\n',
    );
    expect(await access(hub.dir, 'grant', 'cursor', 'a:w*', '--deny')).toMatchObject({ code: 0, err: '' });
    await eventually(async () => expect(await namesOf(client)).not.toContain('a__wait'));
    expect((await access(hub.dir, 'ask-destructive', 'on')).out).toBe(
      'Patchbay asks before destructive tools, for all clients.\n',
    );
    const made = await access(hub.dir, 'token', 'night job');
    expect(await holderOf(hub, made.out.trim())).toMatchObject({ kind: 'agent', name: 'night job' });
    const slip = await access(hub.dir, 'grant', 'night job', 'a:pidd');
    expect([slip.code, slip.err]).toEqual([1, expect.stringContaining('There is no tool a:pidd.')]);
    const missed = await access(hub.dir, 'revoke', 'cursor', 'b');
    expect([missed.code, missed.err]).toEqual([1, expect.stringContaining('[access.unknown_grant]')]);
    await hub.engine.stop();

    // Without a hub the setting is written to the settings file, beside all others.
    const settings = join(hub.dir, 'settings.json');
    writeFileSync(settings, '{ "version": 1, "port": 7999, "mine": [1] }');
    expect((await access(hub.dir, 'ask-destructive', 'on')).code).toBe(0);
    expect((await access(hub.dir, 'list')).out).toContain('Patchbay asks before destructive tools');
    expect((await access(hub.dir, 'ask-destructive', 'off')).out).toContain('Patchbay does not ask');
    expect(JSON.parse(readFileSync(settings, 'utf8'))).toEqual({
      version: 1,
      port: 7999,
      mine: [1],
      askDestructive: false,
    });
    rmSync(settings);
    expect((await access(hub.dir, 'grant', 'night job', 'risk=high', '--ask', '--minutes', '5')).code).toBe(
      0,
    );
    expect((await access(hub.dir, 'revoke', 'cursor')).code).toBe(0);
    const slips = await access(hub.dir, 'grant', 'night job', 'b:pid');
    expect([slips.code, slips.err]).toEqual([
      1,
      expect.stringMatching(/There is no server called "b".*\n.*Servers: a\./s),
    ]);
    const meant = await access(hub.dir, 'grant', 'night job', 'b:pid', '--yes');
    expect([meant.code, meant.err]).toEqual([0, expect.stringContaining('the rule applies once it exists')]);
    const strange = await access(hub.dir, 'grant', 'nobody', 'all');
    expect([strange.code, strange.err]).toEqual([1, expect.stringContaining('patchbay access token nobody')]);
    const { out } = await access(hub.dir, 'list');
    expect(out).toContain('cursor  (client, revoked)\n  allow  all');
    expect(out).toMatch(/night job {2}\(agent, has its own token\)\n {2}ask {4}risk=high {2}\(until 2\d{3}-/);
    expect((await access(hub.dir, 'restore', 'cursor')).out).toContain('cursor  (client)\n');
    // The next hub writes it to its audit log [REQ-MCP-OBS-002].
    expect(journal(hub.dir)).toMatchObject([
      {
        kind: 'grant',
        action: 'made',
        actor: 'the command line',
        text: expect.stringContaining('night job: asks'),
      },
      { kind: 'identity', action: 'revoked', text: 'cursor lost all access.' },
      { kind: 'grant', action: 'made', text: 'night job: may call b:pid.' },
      { kind: 'identity', action: 'restored' },
    ]);
  });

  it('[PB-HEAD-1] [REQ-MCP-AUTH-001] lists and answers calls waiting for approval, as status does', async () => {
    await using hub = await startHub({ a: nodeEntry(fixture('moody')) });
    await isConnected(hub, 'a');
    await using client = await hub.bridge('cursor');
    await namesOf(client);
    expect((await access(hub.dir, 'waiting')).out).toBe('No calls are waiting for approval.\n');
    await access(hub.dir, 'grant', 'cursor', 'a:pid', '--ask');
    const called = client.callTool({ name: 'a__pid', arguments: {} });
    await eventually(() => expect(hub.engine.approvals()).toHaveLength(1));
    const { out } = await access(hub.dir, 'waiting');
    const [, id = ''] = /^ {2}([0-9a-f]{8}) {2}cursor {2}a:pid {2}\(/m.exec(out) ?? [];
    const status = spawn(process.execPath, [programs.patchbay, 'status', '--data-dir', hub.dir]);
    expect(await text(status.stdout)).toContain(`  ${id}  cursor  a:pid`);
    const missed = await access(hub.dir, 'answer', 'nothing', 'once');
    expect([missed.code, missed.err]).toEqual([1, expect.stringContaining('[access.approval_gone]')]);
    expect((await access(hub.dir, 'answer', id, 'once')).code).toBe(0);
    expect((await called).isError ?? false).toBe(false);
  });

  it('[REQ-MCP-AUTH-002] [REQ-MCP-OBS-002] prints a new token even if it could not be recorded', async () => {
    await using folder = await tempDir();
    mkdirSync(join(folder.path, 'run', 'audit.journal'), { recursive: true });
    expect(await access(folder.path, 'token', 'night job')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^pb_/),
      err: expect.stringContaining('could not be recorded in the audit log'),
    });
    const { code, err } = await access(folder.path, 'grant', 'night job', 'all');
    expect([code, err]).toEqual([1, expect.stringContaining('[hub.audit_incomplete]')]);
    expect((await access(folder.path, 'list')).out).toContain(
      'night job  (agent, has its own token)\n  allow  all',
    );
  });

  it('[PB-HEAD-1] waits for another command on the same folder, where no hub runs', async () => {
    await using folder = await tempDir();
    const names = ['one', 'two', 'three'];
    const made = await Promise.all(names.map((name) => access(folder.path, 'token', name)));
    expect(made.map(({ code, err }) => [code, err])).toEqual(names.map(() => [0, '']));
    const { out } = await access(folder.path, 'list');
    expect(names.filter((name) => out.includes(`${name}  (agent,`))).toEqual(names);
  });

  it.each([
    ['garbage', 'no database '.repeat(500)],
    ['nothing', ''],
  ])('[REQ-MCP-AUTH-003] a database of %s restores no access that was revoked', async (_what, database) => {
    const files = {
      'state.db': database,
      'open-clients.json': JSON.stringify({ version: 1, others: true, names: ['bad'] }),
    };
    await using hub = await startHub({ a: nodeEntry(fixture('moody')) }, { files });
    await isConnected(hub, 'a');
    await using bad = await hub.bridge('bad');
    await using cursor = await hub.bridge('cursor');
    await Promise.all([namesOf(bad), namesOf(cursor)]);
    const may = (name: string) => identityNamed(hub, 'client', name) !== undefined;
    await eventually(() => expect([may('bad'), may('cursor')]).toEqual([false, true]));
    expect(hub.server('a').heldTools).toMatchObject({ blocked: 0 });
    expect(hub.engine.view().problems).toMatchObject([{ fix: expect.stringContaining('access continue') }]);
    expect((await access(hub.dir, 'list')).code).toBe(1);

    await hub.engine.stop();
    const closed = await access(hub.dir, 'list');
    expect([closed.code, closed.err]).toEqual([1, expect.stringContaining('access continue')]);
    const { out, code } = await access(hub.dir, 'continue');
    expect([code, out]).toEqual([0, expect.stringContaining('bad  (client)\n  no rules\n')]);
    expect(journal(hub.dir)[0]).toMatchObject({
      kind: 'hub',
      action: 'begun_anew',
      actor: 'the command line',
      outcome: 'ok',
    });
    expect((await access(hub.dir, 'list')).code).toBe(0);
  });

  it.each([
    [['grant', 'cursor']],
    [['grant', 'cursor', 'all', '--minutes', 'soon']],
    [['grant', 'cursor', 'all', '--kind', 'robot']],
    [['token', '']],
    [['answer', 'x', 'perhaps']],
  ])('[CLI-1] %j is a usage error', async (args) => {
    const { code, err } = await access('/nowhere', ...args);
    expect([code, err]).toEqual([2, expect.stringContaining('error:')]);
  });
});
