import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { processIdentity } from '../../../../electron/engine/store/files/process-identity.ts';
import { eventually } from '../../../helper/eventually.ts';
import { fixture, nodeEntry } from '../../../helper/programs.ts';
import { configText, type Hub, isConnected, namesOf, startHub, textOf } from '../../../helper/running-hub.ts';

/** Lists new tools without review. */
const unguarded = { patchbay: { guard: 'off' } };

const moody = (tools = '', more: object = {}) => ({
  ...nodeEntry(fixture('moody')),
  env: { TOOLS: tools },
  ...more,
});

const isGone = (pid: number | undefined) =>
  eventually(async () => expect(await processIdentity(pid ?? 0)).toBeUndefined());

const isAsleep = (hub: Hub, key: string) =>
  eventually(() => expect(hub.server(key).asleep).toMatchObject({ since: expect.any(Number) }));

describe('a server on demand', () => {
  const onDemand = (more: object = {}) => ({ patchbay: { start: 'on-demand', ...more } });

  it('[PB-DEMAND-1] is started once to be listed, sleeps, and wakes at a call', async () => {
    await using hub = await startHub({ a: moody('', onDemand()) });
    await isAsleep(hub, 'a');
    expect(hub.server('a')).toMatchObject({
      status: 'disconnected',
      start: 'on-demand',
      counts: { tools: 5 },
    });
    expect(hub.server('a')).not.toHaveProperty('problem');
    await using client = await hub.bridge();
    expect(await namesOf(client)).toHaveLength(5);
    expect(hub.server('a')).toHaveProperty('asleep');
    const pid = Number(textOf(await client.callTool({ name: 'a__pid' })));
    expect(hub.server('a')).toMatchObject({ status: 'connected', pid });
    expect(hub.server('a')).not.toHaveProperty('asleep');
  });

  it('[PB-DEMAND-1] sleeps when nobody has used it for a while; checks of its health are no use', async () => {
    const options = onDemand({ idleStop: 700, healthInterval: 50 });
    await using hub = await startHub({ a: moody('', options) });
    await isAsleep(hub, 'a');
    await using client = await hub.bridge();
    const pid = Number(textOf(await client.callTool({ name: 'a__pid' })));
    await isAsleep(hub, 'a');
    await isGone(pid);
    expect(hub.server('a').asleep?.memorySaved).toBeGreaterThan(1_000_000);
    expect(await namesOf(client)).toHaveLength(5);
  });

  it('[PB-DEMAND-1] stays up for a client that has subscribed to something', async () => {
    await using hub = await startHub({ a: moody('', onDemand({ idleStop: 300 })) });
    await isAsleep(hub, 'a');
    await using client = await hub.bridge();
    await client.subscribeResource({ uri: 'mood://now' });
    const { pid } = hub.server('a');
    await new Promise((resolve) => setTimeout(resolve, 900));
    expect(hub.server('a')).toMatchObject({ status: 'connected', pid });
    await client.unsubscribeResource({ uri: 'mood://now' });
    await isAsleep(hub, 'a');
  });

  it('[PB-DEMAND-1] is put to sleep on request, and its process ends', async () => {
    await using hub = await startHub({ a: moody() });
    await isConnected(hub, 'a');
    await eventually(() => expect(hub.server('a').counts.tools).toBe(5));
    const { pid } = hub.server('a');
    await hub.engine.run('server.sleep', { key: 'a' });
    await isAsleep(hub, 'a');
    await isGone(pid);
    expect(hub.server('a').asleep?.memorySaved).toBeGreaterThan(1_000_000);
    await using client = await hub.bridge();
    expect(textOf(await client.callTool({ name: 'a__pid' }))).not.toBe(String(pid));
  });

  it('[PB-DEMAND-1] is listed from the cache at the next start, without being started', async () => {
    await using first = await startHub({ a: moody('', onDemand()) });
    await isAsleep(first, 'a');
    await eventually(async () =>
      expect(await readFile(`${first.dir}/catalogue.json`, 'utf8')).toContain('"mute"'),
    );
    const kept = await readFile(`${first.dir}/catalogue.json`, 'utf8');
    await using hub = await startHub({ a: moody('', onDemand()) }, { files: { 'catalogue.json': kept } });
    expect(hub.server('a')).toMatchObject({ cached: true, counts: { tools: 5 } });
    await using client = await hub.bridge();
    expect(await namesOf(client)).toHaveLength(5);
    expect(hub.server('a').asleep).toBeDefined();
    expect(hub.server('a')).not.toHaveProperty('pid');
  });

  it('[PB-DEMAND-1] reports progress to the waiting client', async () => {
    const slow = { ...nodeEntry(fixture('slow')), env: { DELAY: '3000' }, ...onDemand() };
    await using hub = await startHub({ slow });
    await isAsleep(hub, 'slow');
    await using client = await hub.bridge();
    const said: (string | undefined)[] = [];
    const onprogress = ({ message }: { readonly message?: string | undefined }) => said.push(message);
    await client.callTool({ name: 'slow__pid' }, undefined, { onprogress });
    expect(said[0]).toMatch(/slow/);
  });
});

describe('a changed config', () => {
  it('[PB-CFG-1] starts next to the old process and takes over at once; active calls are answered', async () => {
    await using hub = await startHub({ a: moody('one,two', unguarded) });
    await isConnected(hub, 'a');
    await using client = await hub.bridge();
    let notices = 0;
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
      notices += 1;
    });
    expect(await namesOf(client)).toHaveLength(7);
    const { pid } = hub.server('a');
    const statuses = new Set<string>();
    hub.engine.events['servers.changed'](({ servers }) => {
      for (const { status } of servers) statuses.add(status);
    });
    const until = join(hub.dir, 'both-run');
    const call = client.callTool({ name: 'a__wait', arguments: { until } });
    await eventually(() => expect(hub.engine.activeCalls()).toHaveLength(1));
    await writeFile(hub.file, configText({ a: moody('two,three', unguarded) }));
    await eventually(() =>
      expect(hub.server('a').update).toMatchObject({
        kind: 'done',
        draining: true,
        difference: { added: ['three'], removed: ['one'], changed: [] },
      }),
    );
    await eventually(() => expect(notices).toBe(1));
    expect(await namesOf(client)).toContain('a__three');
    expect(textOf(await client.callTool({ name: 'a__pid' }))).not.toBe(String(pid));
    await writeFile(until, '');
    expect(textOf(await call)).toBe(String(pid));
    await isGone(pid);
    await eventually(() => expect(hub.server('a').update).toMatchObject({ kind: 'done', draining: false }));
    expect([...statuses]).toEqual(['connected']);
    expect(notices).toBe(1);
    await hub.engine.run('server.dismissUpdate', { key: 'a' });
    expect(hub.server('a')).not.toHaveProperty('update');
  });

  it('[PB-CFG-1] that cannot start leaves the old process serving, until it is forced', async () => {
    await using hub = await startHub({ a: moody() });
    await isConnected(hub, 'a');
    await using client = await hub.bridge();
    const pid = textOf(await client.callTool({ name: 'a__pid' }));
    await writeFile(hub.file, configText({ a: nodeEntry(fixture('exits-at-once')) }));
    await eventually(() => expect(hub.server('a').update).toMatchObject({ kind: 'failed' }));
    expect(hub.server('a').status).toBe('connected');
    expect(textOf(await client.callTool({ name: 'a__pid' }))).toBe(pid);
    await hub.engine.run('server.forceUpdate', { key: 'a' });
    await eventually(() => expect(hub.server('a').status).toBe('error'));
    expect(hub.server('a')).not.toHaveProperty('update');
  });

  it('[PB-CFG-1] that sets another command is written in place, and undone byte for byte', async () => {
    const text = configText({ a: moody() }).replace('"command"', '/* this Node */ "command"');
    await using hub = await startHub(text);
    await isConnected(hub, 'a');
    await hub.engine.run('server.setCommand', { key: 'a', command: 'node' });
    expect(await readFile(hub.file, 'utf8')).toBe(text.replace(JSON.stringify(process.execPath), '"node"'));
    await eventually(() => expect(hub.server('a').update).toMatchObject({ kind: 'done' }));
    await hub.engine.run('server.setCommand', { key: 'a', command: process.execPath });
    expect(await readFile(hub.file, 'utf8')).toBe(text);
  });

  it('[PB-CFG-1] can be tried before saving: shows its tools, or why it cannot run', async () => {
    await using hub = await startHub({ a: moody('one') });
    await isConnected(hub, 'a');
    await eventually(() => expect(hub.server('a').counts.tools).toBe(6));
    const { pid } = hub.server('a');
    const trial = await hub.engine.run('server.tryEntry', { key: 'a', text: JSON.stringify(moody('two')) });
    expect(trial).toMatchObject({
      ok: true,
      tools: 6,
      serverInfo: { name: 'moody', version: '1.0.0' },
      difference: { added: ['two'], removed: ['one'], changed: [] },
    });
    const problemOf = async (entry: object | string) => {
      const text = typeof entry === 'string' ? entry : JSON.stringify(entry);
      const tried = await hub.engine.run('server.tryEntry', { key: 'a', text });
      return tried.ok ? undefined : tried.problem.code;
    };
    expect(await problemOf(nodeEntry(fixture('exits-at-once')))).toBe('server.exited_before_handshake');
    expect(await problemOf({ command: 'pb-no-such-command' })).toBe('server.command_not_found');
    expect(await problemOf({ command: 'node', env: { A: '$PB_NOT_SET' } })).toBe('config.missing_env_var');
    expect(await problemOf('{ "command": ')).toBe('config.invalid_json');
    expect(hub.server('a')).toMatchObject({ status: 'connected', pid, counts: { tools: 6 } });
    expect(hub.server('a')).not.toHaveProperty('update');
  });
});
