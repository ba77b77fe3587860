import { describe, expect, it } from 'vitest';
import { addConnectedClient, identifyClient } from '../../../../electron/engine/access/identify-client.ts';
import { accessBench, memoryStore } from '../../../helper/access.ts';
import { FakeClock } from '../../../helper/fake-clock.ts';

describe('a client that connects for the first time', () => {
  it.each([
    ['everything', [{ effect: 'allow', scope: { kind: 'all' }, grantedBy: 'first connection' }]],
    ['ask', [{ effect: 'ask', scope: { kind: 'all' }, grantedBy: 'first connection' }]],
    ['nothing', []],
  ] as const)('[REQ-MCP-AUTH-002] gets what new clients get: %s', async (newClients, grants) => {
    const { book } = await accessBench(new FakeClock());
    const id = identifyClient(book, ['cursor'], newClients) ?? '';
    expect(book.tables.grants(id)).toMatchObject(grants);
    expect(identifyClient(book, ['cursor'], 'everything')).toBe(id);
    expect(book.tables.grants(id)).toHaveLength(grants.length);
  });

  it('[REQ-MCP-AUTH-001] is named by its entry rather than by its own name, in a displayable form', async () => {
    const { book } = await accessBench(new FakeClock());
    const nameOf = (...names: string[]) =>
      book.tables.identity(identifyClient(book, names, 'ask') ?? '')?.name;
    expect(nameOf('claude-desktop', 'claude-ai')).toBe('claude-desktop');
    expect(nameOf('')).toBe('unnamed client');
    expect(nameOf(' two\nlines ')).toBe('two lines');
    expect(nameOf('\u202eexe.reganam')).toBe('exe.reganam');
    expect(nameOf('\u200b\u2066')).toBe('unnamed client');
    expect(nameOf('x'.repeat(500))).toHaveLength(200);
  });

  it('[REQ-MCP-OBS-002] is shown with its kind if an agent has the same name, and the other way round', async () => {
    const clock = new FakeClock();
    const { book } = await accessBench(clock);
    const told: string[] = [];
    book.onEvent(({ text }) => told.push(text));
    const agent = book.create({ kind: 'agent', name: 'robot' }, 'test');
    await clock.advance(1);
    identifyClient(book, ['robot'], 'nothing');
    identifyClient(book, ['cursor'], 'nothing');
    await clock.advance(1);
    book.create({ kind: 'agent', name: 'cursor' }, 'test');
    book.revoke(agent.id, 'test');
    expect(told).toEqual([
      'robot was added.',
      'robot (client) was added.',
      'cursor was added.',
      'cursor (agent) was added.',
      'robot lost all access.',
    ]);
  });

  it('[REQ-MCP-AUTH-002] and was connected by hand keeps earlier decisions', async () => {
    const { book } = await accessBench(new FakeClock());
    const id = identifyClient(book, ['cursor'], 'ask') ?? '';
    addConnectedClient(book, 'cursor', 'connected in the window');
    expect(book.tables.grants(id)).toMatchObject([{ effect: 'ask' }]);
    addConnectedClient(book, 'zed', 'connected in the window');
    const zed = book.tables.byName('client', 'zed');
    expect(book.tables.grants(zed?.id)).toMatchObject([{ effect: 'allow' }]);
  });

  it('[REQ-MCP-AUTH-001] with full access is saved with the next change or when the hub quits; others at once', async () => {
    const { store, changes } = memoryStore();
    const clock = new FakeClock();
    const { book } = await accessBench(clock, { store });
    const id = identifyClient(book, ['cursor'], 'everything') ?? '';
    expect(changes).toEqual([]);
    book.revoke(id, 'test');
    expect(changes.map(({ kind }) => kind)).toEqual(['put-identity', 'put-grant', 'put-identity']);
    changes.length = 0;
    clock.sleep(24 * 60 * 60_000);
    identifyClient(book, ['cursor'], 'everything');
    identifyClient(book, ['cursor'], 'everything');
    expect(changes).toEqual([]);
    book.tables.queuePending();
    expect(changes).toHaveLength(1);
    identifyClient(book, ['zed'], 'ask');
    expect(changes.map(({ kind }) => kind).slice(1)).toContain('put-grant');
  });

  it('[REQ-MCP-AUTH-001] under ever new names neither fills the disk nor displaces decisions', async () => {
    const { book } = await accessBench(new FakeClock());
    const revoked = identifyClient(book, ['revoked'], 'everything') ?? '';
    book.revoke(revoked, 'test');
    for (let index = 0; index < 1_050; index += 1) identifyClient(book, [`client ${index}`], 'everything');
    expect(book.tables.identities()).toHaveLength(1_000);
    expect(book.tables.identity(revoked)).toBeDefined();
  });
});
