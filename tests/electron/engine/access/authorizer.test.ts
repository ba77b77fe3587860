import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AccessService } from '../../../../electron/engine/access/access-service.ts';
import type { StoredAccess } from '../../../../electron/engine/access/access-store.ts';
import type { AccessEvent } from '../../../../electron/engine/access/contract.ts';
import { riskOf } from '../../../../electron/engine/access/rules/risk.ts';
import type { Catalogue } from '../../../../electron/engine/catalogue/contract.ts';
import { openToAll } from '../../../../electron/engine/catalogue/open-clients.ts';
import type { GrantScope } from '../../../../shared/model/access/access.ts';
import { decide } from '../../../../shared/model/access/access-decision.ts';
import { accessBench, memoryStore } from '../../../helper/access.ts';
import { FakeClock } from '../../../helper/fake-clock.ts';
import { catalogueOf, offerOf } from '../../../helper/gateway.ts';

const servers = ['fs', 'web'] as const;
const tools = ['read', 'write_file', 'delete_all'] as const;
const names = ['a', 'b'] as const;

const scope = fc.oneof(
  fc.constant<GrantScope>({ kind: 'all' }),
  fc.record({ kind: fc.constant('server' as const), serverKey: fc.constantFrom(...servers) }),
  fc.record({
    kind: fc.constant('tool' as const),
    serverKey: fc.constantFrom(...servers),
    tool: fc.constantFrom(...tools),
  }),
  fc.record({
    kind: fc.constant('pattern' as const),
    pattern: fc.constantFrom('fs:*', '*:write*', '*:*_a??', 'web:read'),
  }),
  fc.record({ kind: fc.constant('risk' as const), risk: fc.constantFrom('low' as const, 'high' as const) }),
);

const which = {
  name: fc.constantFrom(...names),
  server: fc.constantFrom(...servers),
  tool: fc.constantFrom(...tools),
};
const life = fc.option(fc.constantFrom(1, 1_000, 60_000, 400_000), { nil: undefined });

const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('grant' as const),
      ...which,
      effect: fc.constantFrom('allow' as const, 'allow' as const, 'ask' as const, 'deny' as const),
      scope,
      needsToken: fc.boolean(),
      life,
    }),
  },
  fc.record({ kind: fc.constant('revokeGrant' as const), ...which, nth: fc.nat({ max: 3 }) }),
  fc.record({ kind: fc.constant('issue' as const), ...which, life: fc.constantFrom(1, 1_000, 900_000) }),
  fc.record({ kind: fc.constant('revokeToken' as const), ...which, nth: fc.nat({ max: 2 }) }),
  fc.record({ kind: fc.constantFrom('revoke' as const, 'restore' as const, 'remove' as const), ...which }),
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('pass' as const),
      ...which,
      ms: fc.constantFrom(1, 999, 60_000, 299_999, 900_000),
    }),
  },
  // The clock is set forward or back, and no timer has run yet.
  fc.record({
    kind: fc.constant('set' as const),
    ...which,
    ms: fc.constantFrom(-900_000, -60_000, -1, 1, 60_000, 900_000),
  }),
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('decide' as const), ...which }) },
);

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
type Bench = Awaited<ReturnType<typeof accessBench>>;

function idOf({ book }: Bench, name: string): string {
  const known = book.tables.byName('agent', name);
  return (
    known ?? book.create({ kind: 'agent', name, ...(name === 'b' ? { expiresAt: 2_000_000 } : {}) }, 'test')
  ).id;
}

async function take(bench: Bench, clock: FakeClock, taken: Step): Promise<void> {
  const { book, standings } = bench;
  const id = idOf(bench, taken.name);
  switch (taken.kind) {
    case 'grant': {
      const { effect, scope: about, needsToken, life: ms } = taken;
      const expiresAt = ms === undefined ? {} : { expiresAt: clock.now() + ms };
      book.grant({ identityId: id, effect, scope: about, needsToken, ...expiresAt });
      break;
    }
    case 'revokeGrant': {
      const grant = book.tables.grants(id)[taken.nth];
      if (grant !== undefined) book.revokeGrant(grant.id, 'test');
      break;
    }
    case 'issue':
      book.issueToken(id, taken.server, taken.tool, taken.life, 'test');
      break;
    case 'revokeToken': {
      const token = book.tables.tokens(id)[taken.nth];
      if (token !== undefined) book.revokeToken(token.tokenId, 'test');
      break;
    }
    case 'revoke':
    case 'restore':
    case 'remove':
      book[taken.kind](id, 'test');
      break;
    case 'pass':
      await clock.advance(taken.ms);
      break;
    case 'set':
      clock.sleep(taken.ms);
      break;
    case 'decide':
      standings.decide(id, { serverKey: taken.server, name: taken.tool });
      break;
  }
}

/** Decides again from everything that is granted now. */
function fresh({ book }: Bench, clock: FakeClock, id: string, serverKey: string, name: string) {
  const { tables } = book;
  const identity = tables.identity(id);
  if (identity === undefined) return { effect: 'deny', code: 'identity_unknown' };
  const tool = { serverKey, name, risk: riskOf(name, undefined) };
  return decide(identity, tables.grants(id), tables.tokens(id), tool, clock.now());
}

function expectFresh(bench: Bench, clock: FakeClock): void {
  for (const id of names.map((name) => idOf(bench, name))) {
    for (const serverKey of servers) {
      for (const name of tools) {
        const { effect, code } = fresh(bench, clock, id, serverKey, name);
        expect(bench.standings.decide(id, { serverKey, name })).toMatchObject({ effect, code });
      }
    }
  }
}

function listed({ servers: shown }: Catalogue): readonly string[] {
  return shown.flatMap(({ key, offer }) => offer.tools.map(({ name }) => `${key}:${name}`));
}

describe('whatever is granted or revoked, and whatever the clock does', () => {
  it('[REQ-MCP-AUTH-001] [REQ-MCP-AUTH-003] a cached decision always equals a fresh one', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 40 }), async (steps) => {
        const clock = new FakeClock();
        const bench = await accessBench(clock);
        for (const each of steps) {
          await take(bench, clock, each);
          expectFresh(bench, clock);
        }
      }),
      { numRuns: 150, interruptAfterTimeLimit: 10_000 },
    );
  });

  it('[REQ-MCP-AUTH-001] [REQ-MCP-AUTH-002] a session lists exactly what its identity may call', async () => {
    const store = catalogueOf({ fs: offerOf(...tools), web: offerOf(...tools) });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
        const clock = new FakeClock();
        const bench = await accessBench(clock);
        const ids = new Map(names.map((name) => [name, idOf(bench, name)]));
        const sessions = [...ids.values()].map((id) => ({ id, session: bench.sessions.open(`s-${id}`, id) }));
        for (const each of steps) {
          // A changed clock delays timers, and lists with them; calls are checked against the clock itself.
          if (each.kind === 'set' || each.kind === 'remove') continue;
          await take(bench, clock, each);
          for (const { id, session } of sessions) {
            const may = servers.flatMap((key) =>
              tools
                .filter((name) => fresh(bench, clock, id, key, name).effect !== 'deny')
                .map((name) => `${key}:${name}`),
            );
            expect(listed(session.select(store.current))).toEqual(may);
          }
        }
      }),
      { numRuns: 100, interruptAfterTimeLimit: 10_000 },
    );
    store.dispose();
  });
});

describe('a decision', () => {
  it('[REQ-MCP-AUTH-001] is cached for five minutes, and dropped at once when a grant changes', async () => {
    const clock = new FakeClock();
    const { book, standings } = await accessBench(clock);
    const { id } = book.create({ kind: 'agent', name: 'a' }, 'test');
    const ask = () => standings.decide(id, { serverKey: 'fs', name: 'read' });
    expect(ask()).toMatchObject({ effect: 'deny', code: 'no_grant', cached: false });
    expect(ask()).toMatchObject({ effect: 'deny', cached: true });
    const grant = book.grant({ identityId: id, effect: 'allow', scope: { kind: 'all' } });
    expect(ask()).toMatchObject({ effect: 'allow', grantId: grant.id, cached: false });
    expect(ask()).toMatchObject({ effect: 'allow', cached: true });
    clock.sleep(5 * 60_000);
    expect(ask()).toMatchObject({ effect: 'allow', cached: false });
    book.revokeGrant(grant.id, 'test');
    expect(ask()).toMatchObject({ effect: 'deny', cached: false });
  });

  it('[REQ-MCP-AUTH-003] says until when it is valid', async () => {
    const clock = new FakeClock();
    const { book, standings } = await accessBench(clock);
    const { id } = book.create({ kind: 'agent', name: 'a' }, 'test');
    book.grant({ identityId: id, effect: 'ask', scope: { kind: 'all' } });
    const { expiresAt } = book.issueToken(id, 'fs', 'read', undefined, 'test');
    expect(expiresAt).toBe(clock.now() + 15 * 60_000);
    expect(standings.decide(id, { serverKey: 'fs', name: 'read' })).toMatchObject({
      effect: 'allow',
      code: 'granted_with_token',
      until: expiresAt,
    });
    expect(standings.decide(id, { serverKey: 'fs', name: 'write' })).toMatchObject({ effect: 'ask' });
  });

  it('[REQ-MCP-AUTH-003] follows the last known full access of local clients while nothing can be read, and refuses all else', async () => {
    const { store, changes } = memoryStore();
    const failing = { ...store, load: () => Promise.reject(new Error('damaged')) };
    const lastResort = { others: true, names: ['limited'] };
    const { book, standings, sessions } = await accessBench(new FakeClock(), { store: failing, lastResort });
    const decided = (name: string) => {
      const session = sessions.open(name, undefined);
      session.identify([name]);
      return standings.decide(session.identityId, { serverKey: 'fs', name: 'read' });
    };
    expect(decided('limited')).toMatchObject({ effect: 'deny', code: 'unreadable' });
    expect(decided('cursor')).toMatchObject({ effect: 'allow' });
    expect(standings.decide('agent', { serverKey: 'fs', name: 'read' })).toMatchObject({
      code: 'unreadable',
    });
    expect(() => book.create({ kind: 'agent', name: 'a' }, 'test')).toThrow('cannot be read');
    expect(changes).toEqual([]);
  });

  it('[REQ-MCP-AUTH-003] follows the salvaged data after a loss, and gives nobody what was revoked', async () => {
    const { store, changes } = memoryStore();
    const failing = { ...store, load: () => Promise.reject(new Error('damaged')) };
    const lastResort = { others: true, names: ['limited'] };
    const { book, standings, sessions } = await accessBench(new FakeClock(), { store: failing, lastResort });
    const opened = ['limited', 'cursor'].map((name) => {
      const session = sessions.open(name, undefined);
      session.identify([name]);
      return session;
    });
    const told: AccessEvent[] = [];
    book.onEvent((event) => told.push(event));
    await book.beginAnew('test');
    expect(told[0]).toMatchObject({ kind: 'access.begun_anew', by: 'test' });
    const effects = opened.map(
      ({ identityId }) => standings.decide(identityId, { serverKey: 'fs', name: 'read' }).effect,
    );
    expect(effects).toEqual(['deny', 'allow']);
    book.tables.queuePending();
    const kept = changes.flatMap((change) =>
      change.kind === 'put-identity' ? [change.stored.identity.name] : [],
    );
    expect([...new Set(kept)]).toEqual(['limited', 'cursor']);
  });

  it('[REQ-MCP-AUTH-002] is made for a session that connected before anything was read', async () => {
    let read = (_nothing: StoredAccess): void => {};
    const { store } = memoryStore();
    const load = () => new Promise<StoredAccess>((resolve) => (read = resolve));
    const clock = new FakeClock();
    const book = new AccessService({
      store: { ...store, load },
      clock,
      tokenTtl: () => 1,
      fallbackClients: async () => openToAll,
    });
    const loading = book.load();
    const { sessions } = await accessBench(clock, { book });
    const session = sessions.open('s', undefined);
    session.identify(['cursor']);
    expect(session.identityId).toBeUndefined();
    read({ identities: [], grants: [], tokens: [] });
    await loading;
    expect(book.tables.identity(session.identityId ?? '')).toMatchObject({ name: 'cursor' });
  });
});
