import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { devNull } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openHubChannel } from '../../../../../electron/engine/gateway/socket/hub-channel.ts';
import type { AuditRow } from '../../../../../shared/model/activity/audit.ts';
import { settingsSchema } from '../../../../../shared/schema/settings.ts';
import { eventually } from '../../../../helper/eventually.ts';
import { permissions } from '../../../../helper/permissions.ts';
import { fixture, nodeEntry } from '../../../../helper/programs.ts';
import { restOf } from '../../../../helper/rest.ts';
import { type Hub, isConnected, startHub } from '../../../../helper/running-hub.ts';

const servers = { echo: nodeEntry(fixture('echo')) };
const audited = { audit: true } as const;
const switchedOn = { ...settingsSchema.parse({}), ...audited };
const switchedOff = { ...switchedOn, audit: false };

async function rows(hub: Hub, filter = {}): Promise<readonly AuditRow[]> {
  const { rows: found } = await hub.engine.run('audit.query', { ...filter, limit: 500 });
  return found.toReversed();
}

const invocations = (hub: Hub) => rows(hub, { kinds: ['invocation'] });
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** Reads everything in a folder as text. */
function textOf(folder: string): string {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && !/^(?:token|admin\.token|mcp(?:\.good)?\.json)$/.test(entry.name))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');
}

describe('[REQ-MCP-OBS-002] the audit log has', () => {
  it('a call: who, what, the decision, the outcome, the digest of its arguments, the start of its result', async () => {
    await using hub = await startHub(servers, audited);
    await using client = await hub.bridge('cursor');
    const text = 'some words '.repeat(200);
    await client.callTool({ name: 'echo__echo', arguments: { text, b: 1.0, a: [true, null] } });
    const [row] = await invocations(hub);
    expect(row).toMatchObject({
      kind: 'invocation',
      action: 'call',
      serverKey: 'echo',
      tool: 'echo',
      method: 'tools/call',
      outcome: 'ok',
      attempts: 1,
      milliseconds: expect.any(Number),
      decision: 'ALLOW',
      paramsHash: sha256(`{"a":[true,null],"b":1,"text":"${text}"}`),
    });
    expect(row?.actor).toMatch(/cursor/i);
    expect(row?.resultSummary).toHaveLength(500);
    expect(row?.resultSummary).toMatch(/^\{"content":\[/);
  });

  it('the digest of long arguments as they were written', async () => {
    await using hub = await startHub(servers, { ...audited, recordActivity: true });
    await using client = await hub.bridge('cursor');
    const args = { text: 'some words '.repeat(20_000), a: 1 };
    await client.callTool({ name: 'echo__echo', arguments: args, _meta: { 'patchbay/correlationId': 'r1' } });
    const [row] = await invocations(hub);
    expect(row).toMatchObject({ outcome: 'ok', paramsHash: sha256(JSON.stringify(args)) });
    expect(row?.resultSummary).toHaveLength(500);
  });

  it('[REQ-MCP-OBS-002] the caller of a first call that ended with its client', async () => {
    const moody = { ...nodeEntry(fixture('fails-on-command')), env: { RUNS: devNull } };
    await using hub = await startHub({ moody }, { ...audited, recordActivity: true });
    await isConnected(hub, 'moody');
    const client = await hub.bridge('cursor');
    const call = client.callTool({ name: 'moody__act', arguments: { mark: 'x', end: 'hang' } });
    call.catch(() => {});
    await eventually(() => expect(hub.engine.activeCalls()).toHaveLength(1));
    await client.close();
    await eventually(async () => expect(await invocations(hub)).toHaveLength(1));
    expect((await invocations(hub))[0]).toMatchObject({ actor: 'cursor', outcome: 'cancelled' });
    const { rows: kept } = await hub.engine.run('activity.query', { filter: {}, limit: 50 });
    expect(kept.find(({ kind }) => kind === 'call')).toMatchObject({ clientName: 'Cursor' });
  });

  it('a call with the id of its caller', async () => {
    await using hub = await startHub(servers, audited);
    await using client = await hub.bridge();
    await client.callTool({ name: 'echo__pid', _meta: { 'patchbay/correlationId': 'req-12345' } });
    expect(await rows(hub, { text: 'req-12345' })).toHaveLength(1);
  });

  it('each of many calls, though activity counts them together', async () => {
    await using hub = await startHub(servers, { ...audited, recordActivity: true });
    await using client = await hub.bridge();
    await Promise.all(Array.from({ length: 700 }, () => client.callTool({ name: 'echo__pid' })));
    await eventually(async () =>
      expect((await hub.engine.run('audit.verify', undefined)).rows).toBeGreaterThanOrEqual(700),
    );
    const summary = await hub.engine.run('metrics.summary', { serverKey: 'echo', until: Date.now() + 1 });
    expect(summary.total).toMatchObject({ calls: 700, errors: 0 });
    expect(await hub.engine.run('audit.verify', undefined)).toMatchObject({ ok: true });
  });

  it('[NFR-SEC4] every operation on a server with its actor, failed ones included, and status changes of servers', async () => {
    await using hub = await startHub(servers, audited);
    const { engine } = hub;
    await isConnected(hub, 'echo');
    const other = nodeEntry(fixture('echo'));
    await engine.run('server.add', { servers: [{ key: 'b', entry: other }] }, 'admin');
    await engine.run('server.update', { key: 'b', entry: { ...other, env: { NAME: 'b' } } });
    await engine.run('server.update', { key: 'b', entry: { ...other, env: { NAME: 'b' } }, newKey: 'c' });
    await engine.run('server.setEnabled', { key: 'c', enabled: false });
    await engine.run('server.setEnabled', { key: 'c', enabled: true });
    await engine.run('tool.setEnabled', { serverKey: 'c', names: ['pid'], enabled: false });
    await isConnected(hub, 'c');
    await engine.run('server.restart', { key: 'c' });
    await expect(engine.run('server.restart', { key: 'nobody' })).rejects.toThrow();
    await expect(engine.run('server.signIn', { key: 'c' })).rejects.toThrow();
    await engine.run('server.undoRemove', await engine.run('server.remove', { key: 'c' }));
    await eventually(async () => {
      const told = (await rows(hub, { kinds: ['server'] })).filter(({ actor }) => actor !== 'hub');
      expect(
        told.map(({ action, actor, serverKey, outcome }) => [action, actor, serverKey, outcome]),
      ).toEqual([
        ['add', 'admin', 'b', 'ok'],
        ['edit', 'window', 'b', 'ok'],
        ['rename', 'window', 'b', 'ok'],
        ['disable', 'window', 'c', 'ok'],
        ['enable', 'window', 'c', 'ok'],
        ['disable-tool', 'window', 'c', 'ok'],
        ['restart', 'window', 'c', 'ok'],
        ['restart', 'window', 'nobody', 'failed'],
        ['sign-in', 'window', 'c', 'failed'],
        ['delete', 'window', 'c', 'ok'],
        ['restore', 'window', undefined, 'ok'],
      ]);
    });
    await eventually(async () => {
      const observed = await rows(hub, { identity: 'hub', kinds: ['server'] });
      expect(observed.map(({ text }) => text).join()).toMatch(/Connected/);
    });
  });

  it('changes of who may call what', async () => {
    await using hub = await startHub(servers, audited);
    const { engine } = hub;
    const { id } = await engine.run('access.create', { kind: 'agent', name: 'agent-007' });
    const { token } = await engine.run('access.rotate', { id });
    await engine.run('access.revoke', { id });
    const told = await rows(hub, { kinds: ['identity', 'token', 'grant'] });
    expect(told.map(({ kind }) => kind)).toContain('identity');
    expect(told.length).toBeGreaterThanOrEqual(3);
    expect(JSON.stringify(told)).toContain('agent-007');
    expect(JSON.stringify(told)).not.toContain(token);
  });

  it('changes of secrets by name, profiles, skills, definitions, breakers, client configs and imports, with their actors', async () => {
    await using hub = await startHub(servers, audited);
    const { engine } = hub;
    await isConnected(hub, 'echo');
    const value = 'a-value-that-nobody-sees';
    await engine.run('secret.set', { name: 'GITHUB_TOKEN', value, replace: false }, 'admin');
    await engine.run('secret.set', { name: 'GITHUB_TOKEN', value, replace: true });
    await engine.run('secret.delete', { name: 'GITHUB_TOKEN', force: false });
    await expect(engine.run('secret.delete', { name: 'GITHUB_TOKEN', force: false })).rejects.toThrow();
    await engine.run('profile.create', { name: 'work' });
    await engine.run('profile.select', { name: 'work', servers: { echo: 'all' } });
    await engine.run('profile.setTools', { name: 'work', serverKey: 'echo', names: ['pid'], on: false });
    await engine.run('profile.assign', { client: 'cursor', profile: 'work' });
    await engine.run('profile.assign', { client: 'cursor' });
    await engine.run('profile.undo', await engine.run('profile.delete', { name: 'work', force: false }));
    await expect(
      engine.run('guard.decide', {
        serverKey: 'echo',
        tools: [{ name: 'pid', digest: 'another one' }],
        decision: 'approve',
      }),
    ).rejects.toThrow();
    await engine.run('breaker.reset', { serverKey: 'echo', tool: 'pid' });
    await expect(engine.run('connect.apply', { id: 'cursor', previewId: 'never shown' })).rejects.toThrow();
    await expect(engine.run('connect.undo', { id: 'cursor' })).rejects.toThrow();
    const { session, entries } = await engine.run('import.parse', {
      text: JSON.stringify({ mcpServers: { fresh: nodeEntry(fixture('echo')) } }),
    });
    const chosen = entries.map(({ id, key }) => ({ id, key, secrets: [] }));
    await engine.run('import.add', { session, entries: chosen, inputs: [] });
    const [skill = { id: '' }] = (await engine.run('skill.view', undefined)).skills;
    await engine.run('skill.correct', { serverKey: 'echo', name: 'pid', skills: [skill.id] });
    await engine.run('skill.release', { serverKey: 'echo', name: 'pid' });
    await expect(engine.run('skill.decide', { suggestion: 'none', decision: 'accept' })).rejects.toThrow();
    await engine.run('skill.reclassify', { servers: ['echo'] });
    await engine.run('search.configure', await engine.run('search.settings', undefined));
    await engine.applySettings(switchedOn, switchedOff);
    await engine.applySettings(switchedOff, switchedOn);
    const told = (await rows(hub, { kinds: ['hub', 'server'] })).filter(({ actor }) => actor !== 'hub');
    expect(
      told.map(({ action, actor, outcome, serverKey, tool, text }) =>
        [action, actor, outcome, serverKey, tool, text].filter((part) => part !== undefined).join(' '),
      ),
    ).toEqual([
      'set-secret admin ok GITHUB_TOKEN',
      'replace-secret window ok GITHUB_TOKEN',
      'delete-secret window ok GITHUB_TOKEN',
      'delete-secret window failed There is no secret called GITHUB_TOKEN.',
      'create-profile window ok work',
      'edit-profile window ok work: echo',
      'edit-profile window ok echo work: without pid',
      'assign-profile window ok cursor: work',
      'assign-profile window ok cursor: none',
      'delete-profile window ok work',
      'restore-profile window ok',
      expect.stringMatching(/^approve-definition window failed echo pid /),
      'reset-breaker window ok echo pid',
      expect.stringMatching(/^connect-client window failed /),
      expect.stringMatching(/^disconnect-client window failed /),
      'add window ok fresh Imported.',
      `set-skills window ok echo pid ${skill.id}`,
      'release-skills window ok echo pid',
      expect.stringMatching(/^accept-skill window failed /),
      'find-skills-anew window ok echo',
      'configure-search window ok skills by rules, semantic search by off',
      'audit-off window ok',
      'audit-on window ok',
    ]);
    expect(JSON.stringify(told)).not.toContain(value);
  });

  it('start and stop of a hub; events alone start no worker and wait in the journal', async () => {
    await using hub = await startHub(servers, audited);
    await isConnected(hub, 'echo');
    const journal = join(hub.dir, 'run', 'audit.journal');
    await eventually(() => expect(existsSync(journal)).toBe(true));
    expect(existsSync(join(hub.dir, 'audit.db'))).toBe(false);
    expect(statSync(journal).mode & 0o777).toBe(permissions(0o600));
    await hub.restart();
    const told = await rows(hub, { kinds: ['hub'] });
    expect(told.map(({ action }) => action)).toEqual(['started', 'stopped', 'started']);
    expect(readFileSync(journal, 'utf8')).toBe('');
    expect(await hub.engine.run('audit.verify', undefined)).toMatchObject({ ok: true });
  });

  it('[PB-CFG-2] a note that the log itself was damaged and set aside with what can be read', async () => {
    await using hub = await startHub(servers, audited);
    {
      await using client = await hub.bridge();
      for (let count = 0; count < 50; count += 1) await client.callTool({ name: 'echo__pid' });
    }
    expect((await invocations(hub)).length).toBe(50);
    await hub.engine.stop();
    const file = join(hub.dir, 'audit.db');
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.fill(0xa5, 0, 100));
    await hub.restart();
    await using client = await hub.bridge();
    await client.callTool({ name: 'echo__pid' });
    await eventually(async () =>
      expect((await rows(hub)).map(({ action }) => action)).toEqual(
        expect.arrayContaining(['begun-anew', 'call']),
      ),
    );
    expect(await hub.engine.run('audit.verify', undefined)).toMatchObject({ ok: true });
    expect(readdirSync(hub.dir).join()).toMatch(/audit\.db\.damaged-/);
    expect(hub.engine.view().problems.map(({ code }) => code)).toContain('hub.database_unreadable');
  });

  it('nothing while it is turned off', async () => {
    await using hub = await startHub(servers, audited);
    await using client = await hub.bridge();
    await hub.engine.applySettings(switchedOn, switchedOff);
    await client.callTool({ name: 'echo__pid' });
    expect(await invocations(hub)).toEqual([]);
    await hub.engine.applySettings(switchedOff, switchedOn);
    await client.callTool({ name: 'echo__pid' });
    expect(await invocations(hub)).toHaveLength(1);
  });
});

it('[NFR-SEC4] what commands request from a running hub is in its audit log', async () => {
  await using hub = await startHub(servers, audited);
  await isConnected(hub, 'echo');
  const channel = await openHubChannel(hub.dir);
  await channel.ask('server.restart', { key: 'echo' });
  await expect(channel.ask('server.signOut', { key: 'echo' })).rejects.toThrow();
  await channel.ask('audit.note', {
    kind: 'server',
    action: 'sign-in',
    outcome: 'ok',
    serverKey: 'echo',
  });
  await channel.close();
  const told = await rows(hub, { identity: 'the command line' });
  expect(told.map(({ action, outcome, serverKey }) => [action, outcome, serverKey])).toEqual([
    ['restart', 'ok', 'echo'],
    ['sign-out', 'failed', 'echo'],
    ['sign-in', 'ok', 'echo'],
  ]);
});

describe('a secret', () => {
  it('[REQ-MCP-OBS-002] is stored nowhere, whether known by name, by form, from the config or from the vault', async () => {
    const canary = (name: string) => `Zq7${name}9xK2mW4vB8tR6pL3`;
    const entry = { ...nodeEntry(fixture('echo')), env: { DATABASE: canary('env') } };
    await using hub = await startHub({ echo: entry }, { ...audited, recordActivity: true });
    await hub.engine.run('secret.set', { name: 'MINE', value: canary('vault'), replace: false });
    await using client = await hub.bridge();
    await client.callTool({
      name: 'echo__echo',
      arguments: {
        password: 'hunter2-plain',
        text: `of the env: ${canary('env')}`,
        vault: [canary('vault')],
        note: 'ghp_0123456789abcdefghijABCDEFGHIJ456789',
        inside: JSON.stringify({ api_key: 'plain-but-named' }),
      },
    });
    await client.callTool({ name: `echo__${canary('env')}` }).catch(() => undefined);
    await client.callTool({ name: 'echo__echo', arguments: { text: canary('vault') } });
    expect((await invocations(hub)).length).toBeGreaterThanOrEqual(2);
    const rest = await restOf(hub);
    const found = JSON.stringify(await rows(hub)) + (await rest('GET', '/metrics')).text;
    await hub.engine.stop();
    for (const text of [found, textOf(hub.dir)])
      for (const secret of [
        canary('env'),
        canary('vault'),
        'hunter2-plain',
        'ghp_0123456789',
        'plain-but-named',
      ])
        expect(text).not.toContain(secret);
  });
});
