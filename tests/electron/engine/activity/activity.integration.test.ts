import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CreateMessageRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import type { ActivityAdded, ActivityRow } from '../../../../shared/model/activity/activity.ts';
import { settingsSchema } from '../../../../shared/schema/settings.ts';
import { eventually } from '../../../helper/eventually.ts';
import { fixture, nodeEntry } from '../../../helper/programs.ts';
import { connectBridge, type Hub, startHub } from '../../../helper/running-hub.ts';

const servers = { echo: nodeEntry(fixture('echo')) };
const recorded = { recordActivity: true } as const;

async function rows(hub: Hub, filter = {}): Promise<readonly ActivityRow[]> {
  const found: ActivityRow[] = [];
  for (let hasMore = true; hasMore; ) {
    const page = await hub.engine.run('activity.query', { filter, before: found.at(-1)?.id, limit: 500 });
    found.push(...page.rows);
    hasMore = page.hasMore;
  }
  return found;
}

const calls = (hub: Hub) => rows(hub, { kind: 'call' });

describe('the activity of a hub', () => {
  it('lists each call with client, server, tool, sizes, outcome and bodies', async () => {
    await using hub = await startHub(servers, recorded);
    await using client = await hub.bridge('claude-ai');
    await client.callTool({ name: 'echo__echo', arguments: { text: 'hello', n: 1.5 } });
    await client.callTool({ name: 'echo__pid' });
    const [pid, echo] = await calls(hub);
    expect(pid).toMatchObject({ name: 'pid', outcome: 'ok' });
    expect(echo).toMatchObject({
      kind: 'call',
      clientName: 'Claude Desktop',
      serverKey: 'echo',
      method: 'tools/call',
      name: 'echo',
      outcome: 'ok',
      milliseconds: expect.any(Number),
      requestBytes: expect.any(Number),
      answerBytes: expect.any(Number),
      clientProtocol: '2025-11-25, with a session because it sent initialize',
      serverProtocol: expect.stringMatching(/^20\d\d-\d\d-\d\d, with sessions because /),
    });
    expect(echo?.requestBytes).toBeGreaterThan(60);
    const detail = await hub.engine.run('activity.get', { id: echo?.id ?? 0 });
    expect(detail.arguments).toBe('{"text":"hello","n":1.5}');
    expect(JSON.parse(detail.result ?? '')).toMatchObject({ content: [{ type: 'text' }] });
    expect(detail.isCut).toBe(false);
    const counts = await hub.engine.run('activity.counts', { filter: { kind: 'call' } });
    expect(counts).toMatchObject({ total: 2, clients: [{ value: 'Claude Desktop', count: 2 }] });
    await expect(hub.engine.run('activity.get', { id: 10_000 })).rejects.toMatchObject({
      problem: { code: 'activity.gone' },
    });
  });

  it('[PB-CLIENT-1] stores only the size of the answer to a connection test', async () => {
    await using hub = await startHub(servers, recorded);
    await using client = await hub.bridge();
    const _meta = { 'patchbay/proof': true };
    await client.callTool({ name: 'echo__pid', arguments: {}, _meta });
    await client.callTool({ name: 'echo__echo', arguments: { text: 'asked' }, _meta });
    await client.callTool({ name: 'echo__pid', arguments: {} });
    const found = await calls(hub);
    const details = await Promise.all(found.map(({ id }) => hub.engine.run('activity.get', { id })));
    const [plain, asked, proof] = details.map(({ result }) => result);
    expect(proof).toMatch(/^"\(answer to a connection test, [0-9]+ bytes: not stored\)"$/);
    for (const kept of [plain, asked]) expect(kept).toContain('content');
    expect(found.map(({ outcome }) => outcome)).toEqual(['ok', 'ok', 'ok']);
  });

  it('is sent to watchers, and survives a restart', async () => {
    const told: ActivityAdded[] = [];
    await using hub = await startHub(servers, recorded);
    const watch = hub.engine.watchActivity((added) => told.push(added));
    await using client = await hub.bridge();
    await client.callTool({ name: 'echo__echo', arguments: { text: 'one' } });
    const seen = () => told.flatMap((added) => added.rows);
    await eventually(() => expect(seen()).toContainEqual(expect.objectContaining({ name: 'echo' })));
    // The first connection may be reported before anybody watches.
    await hub.engine.run('server.restart', { key: 'echo' });
    await eventually(() =>
      expect(seen()).toContainEqual(
        expect.objectContaining({ kind: 'hub', serverKey: 'echo', text: 'Connected' }),
      ),
    );
    watch.dispose();
    const [last] = await calls(hub);
    await hub.restart();
    expect(await calls(hub)).toEqual([last]);
    await using again = await hub.bridge();
    await again.callTool({ name: 'echo__pid' });
    const [newer] = await calls(hub);
    expect(newer?.id).toBeGreaterThan(last?.id ?? 0);
  });

  it('includes server requests, notifications, requests to the hub, and connections', async () => {
    await using hub = await startHub({ asks: nodeEntry(fixture('tells-secrets')) }, recorded);
    {
      await using client = await connectBridge(hub.dir, 'Zed', { sampling: {} });
      client.setRequestHandler(CreateMessageRequestSchema, () => ({
        role: 'assistant',
        model: 'm',
        content: { type: 'text', text: 'four' },
      }));
      await client.listTools();
      await client.callTool({ name: 'asks__tell', arguments: { how: 'question' } });
      // Clients that come and go within a moment are not reported.
      await eventually(async () =>
        expect(await rows(hub, { text: 'connected through' })).toMatchObject([{ clientName: 'Zed' }]),
      );
    }
    await eventually(async () => {
      const found = await rows(hub);
      expect(found).toContainEqual(
        expect.objectContaining({
          kind: 'question',
          method: 'sampling/createMessage',
          serverKey: 'asks',
          clientName: 'Zed',
          outcome: 'ok',
        }),
      );
      expect(found).toContainEqual(
        expect.objectContaining({
          kind: 'notices',
          serverKey: 'asks',
          method: 'notifications/message',
          count: 1,
        }),
      );
      expect(found).toContainEqual(
        expect.objectContaining({ kind: 'notices', clientName: 'Zed', method: 'tools/list' }),
      );
      for (const text of ['Connected through the bridge', 'Disconnected'])
        expect(found).toContainEqual(expect.objectContaining({ kind: 'hub', clientName: 'Zed', text }));
    });
  });

  it('says what went wrong with a call', async () => {
    await using hub = await startHub({ it: nodeEntry(fixture('tells-secrets')) }, recorded);
    await using client = await hub.bridge();
    await client.callTool({ name: 'it__tell', arguments: { how: 'error' } }).catch(() => undefined);
    await client.callTool({ name: 'it__tell', arguments: { how: 'failure' } });
    expect(await calls(hub)).toMatchObject([
      { outcome: 'tool-error', text: expect.stringContaining('No entry') },
      { outcome: 'error', text: expect.stringContaining('refused') },
    ]);
    expect(await rows(hub, { outcomes: ['error'], text: 'REFUSED' })).toHaveLength(1);
    await client.callTool({ name: 'it__other', arguments: { a: 1 } }).catch(() => undefined);
    expect((await calls(hub))[0]).toMatchObject({
      name: 'it__other',
      outcome: 'refused',
      text: 'Tool not found: it__other',
      clientName: 'test',
    });
  });

  it('has the problems that were there when the hub started', async () => {
    const files = { 'profiles.json': '{ "version": 1, "clients": 5 }' };
    await using hub = await startHub(servers, { ...recorded, files });
    const { sentence } = hub.engine.view().problems[0] ?? {};
    expect(sentence).toContain('profiles.json');
    await eventually(async () =>
      expect(await rows(hub, { kind: 'hub' })).toContainEqual(
        expect.objectContaining({ text: sentence, tone: 'bad' }),
      ),
    );
  });

  it('is not stored while recording is turned off', async () => {
    await using hub = await startHub(servers);
    await using client = await hub.bridge();
    await client.callTool({ name: 'echo__echo', arguments: { text: 'unseen' } });
    await hub.engine.stop();
    expect(readdirSync(hub.dir).filter((name) => name.startsWith('activity'))).toEqual([]);
  });

  it('stops and continues as recording is switched', async () => {
    await using hub = await startHub(servers, recorded);
    await using client = await hub.bridge();
    const call = (text: string) => client.callTool({ name: 'echo__echo', arguments: { text } });
    await call('one');
    const on = settingsSchema.parse({ recordActivity: true });
    const off = settingsSchema.parse({ recordActivity: false });
    await hub.engine.applySettings(on, off);
    await call('two');
    await hub.engine.applySettings(off, on);
    await call('three');
    const found = await Promise.all(
      (await calls(hub)).map(({ id }) => hub.engine.run('activity.get', { id })),
    );
    expect(found.map((detail) => detail.arguments)).toEqual(['{"text":"three"}', '{"text":"one"}']);
  });

  it('is cleared at once, which can be undone for a while', async () => {
    await using hub = await startHub(servers, recorded);
    await using client = await hub.bridge();
    await client.callTool({ name: 'echo__echo', arguments: { text: 'canary-of-clearing' } });
    const before = await calls(hub);
    const { undoId } = await hub.engine.run('activity.clear', undefined);
    expect(await rows(hub)).toEqual([]);
    expect(await hub.engine.run('activity.counts', { filter: {} })).toMatchObject({ total: 0, kept: 0 });
    expect((await hub.engine.run('activity.undoClear', { undoId: 'of another one' })).undone).toBe(false);
    expect((await hub.engine.run('activity.undoClear', { undoId })).undone).toBe(true);
    expect(await calls(hub)).toEqual(before);
    await hub.engine.run('activity.clear', undefined);
    await hub.engine.stop();
    expect(bytesOf(hub).includes('canary-of-clearing')).toBe(false);
  });

  it('counts calls together if they come faster than anybody can read', async () => {
    await using hub = await startHub(servers, recorded);
    await using client = await hub.bridge();
    const many = 1_500;
    for (let sent = 0; sent < many; sent += 50) {
      await Promise.all(Array.from({ length: 50 }, () => client.callTool({ name: 'echo__pid' })));
    }
    await eventually(async () => {
      const found = await calls(hub);
      expect(found.reduce((sum, { count = 1 }) => sum + count, 0)).toBe(many);
      expect(found.length).toBeLessThan(many);
    });
  });
});

const token = 'sk-live-4f9d2c7b1a8e6053';
const password = 'correct horse battery';
const found = 'ghp_16C7e42F292c6912E7710c838347Ae178B4a';

describe('secrets', () => {
  it('are in nothing that is stored, sent or exported', async () => {
    const told: string[] = [];
    const entry = { ...nodeEntry(fixture('tells-secrets')), env: { API_TOKEN: token } };
    await using hub = await startHub({ it: entry }, recorded);
    hub.engine.watchActivity((added) => told.push(JSON.stringify(added)));
    await using client = await connectBridge(hub.dir, 'Zed', { sampling: {} });
    client.setRequestHandler(CreateMessageRequestSchema, () => ({
      role: 'assistant',
      model: 'm',
      content: { type: 'text', text: `It was ${token}` },
    }));
    for (const how of ['result', 'error', 'failure', 'image', 'question']) {
      const args = {
        how,
        password,
        headers: { Authorization: `Bearer ${found}` },
        note: `use ${found}`,
        [found]: token,
      };
      await client.callTool({ name: 'it__tell', arguments: args }).catch(() => undefined);
    }
    const all = await rows(hub);
    expect(all.filter(({ kind }) => kind === 'call')).toHaveLength(5);
    const details = await Promise.all(all.map(({ id }) => hub.engine.run('activity.get', { id })));
    const image = details.find(({ result }) => result?.includes('image/png'));
    expect(image?.result).toContain('base64');
    expect(JSON.parse(details.find(({ row }) => row.outcome === 'error')?.arguments ?? '')).toEqual({
      how: 'error',
      password: '•••',
      headers: { Authorization: '•••' },
      note: 'use •••',
      '•••': '•••',
    });
    await eventually(() => expect(told.join()).toContain('tell'));
    const exports = await Promise.all(
      (['jsonl', 'csv'] as const).map(async (format) => {
        const file = join(hub.dir, `export.${format}`);
        // Entries that arrive during the export are included.
        const written = (await hub.engine.run('activity.write', { filter: {}, format, file })).rows;
        expect(written).toBeGreaterThanOrEqual(all.length);
        return readFileSync(file, 'utf8');
      }),
    );
    expect(
      exports[0]
        ?.trim()
        .split('\n')
        .map((line) => JSON.parse(line).id),
    ).toEqual(expect.arrayContaining(all.map(({ id }) => id)));
    await hub.engine.stop();
    const everything = [
      JSON.stringify(details),
      told.join(),
      ...exports,
      bytesOf(hub).toString('latin1'),
    ].join();
    for (const secret of [token, password, found]) expect(everything).not.toContain(secret);
    expect(everything).toContain('tell');
  });
});

/** Reads the database and all files that SQLite keeps beside it. */
function bytesOf(hub: Hub): Buffer {
  const files = ['', '-wal', '-shm'].map((part) => join(hub.dir, `activity.db${part}`)).filter(existsSync);
  return Buffer.concat(files.map((file) => readFileSync(file)));
}
