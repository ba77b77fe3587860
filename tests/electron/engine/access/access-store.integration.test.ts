import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { accessStore } from '../../../../electron/engine/access/access-store.ts';
import { systemClock } from '../../../../electron/engine/base/clock.ts';
import type { GrantScope, Identity, ToolToken } from '../../../../shared/model/access/access.ts';
import { aGrant } from '../../../helper/access.ts';
import { releasedStates, stateIn, withSqlite } from '../../../helper/state-db.ts';
import { tempDir } from '../../../helper/temp-dir.ts';

const identity: Identity = {
  id: 'i',
  kind: 'agent',
  name: 'night "job"',
  owner: 'Ann',
  createdAt: 1,
  expiresAt: 2,
  revokedAt: 3,
  hasToken: true,
  lastSeenAt: 4,
};
const plain: Identity = { id: 'p', kind: 'client', name: 'cursor', createdAt: 1, hasToken: false };
const scopes: readonly GrantScope[] = [
  { kind: 'all' },
  { kind: 'server', serverKey: 'a:b' },
  { kind: 'tool', serverKey: 'a:b', tool: 'x' },
  { kind: 'pattern', pattern: 'a*:?' },
  { kind: 'risk', risk: 'high' },
];
const token: ToolToken = {
  tokenId: 't',
  identityId: 'i',
  serverKey: 'a',
  tool: 'x',
  createdAt: 1,
  expiresAt: 9,
};

describe('who may call what, on disk', () => {
  it('[REQ-MCP-AUTH-002] is read as it was written, and creates no database before there is anything', async () => {
    await using folder = await tempDir();
    await using state = stateIn(folder.path);
    const store = accessStore(state, systemClock);
    expect(await store.load()).toEqual({ identities: [], grants: [], tokens: [] });
    await expect(async () => readFileSync(state.file)).rejects.toThrow('ENOENT');
    store.add({ kind: 'put-identity', stored: { identity, tokenHash: 'ff' } });
    store.add({ kind: 'put-identity', stored: { identity: plain, tokenHash: undefined } });
    const grants = scopes.map((scope, at) => aGrant({ id: `g${at}`, scope, grantedAt: at, effect: 'ask' }));
    const needing = aGrant({ id: 'n', identityId: 'p', needsToken: true, expiresAt: 8, grantedAt: 9 });
    for (const grant of [...grants, needing]) store.add({ kind: 'put-grant', grant });
    store.add({ kind: 'put-token', token });
    expect(await store.flush()).toBe(true);
    const all = {
      identities: [
        { identity, tokenHash: 'ff' },
        { identity: plain, tokenHash: undefined },
      ],
      grants: [...grants, needing],
      tokens: [token],
    };
    expect(await store.load()).toEqual(all);
    store.add({
      kind: 'put-identity',
      stored: { identity: { ...identity, name: 'other' }, tokenHash: '00' },
    });
    store.add({ kind: 'put-grant', grant: { ...needing, effect: 'deny' } });
    store.add({ kind: 'drop-grant', id: 'g0' });
    store.add({ kind: 'drop-token', id: 't' });
    await store.flush();
    expect((await store.load()).grants).toEqual([...grants.slice(1), { ...needing, effect: 'deny' }]);
    store.add({ kind: 'drop-identity', id: 'i' });
    await store.flush();
    expect(await store.load()).toMatchObject({
      identities: [{ identity: plain }],
      grants: [{ id: 'n' }],
      tokens: [],
    });
  });

  it('[REQ-MCP-AUTH-003] grants nothing by a row of an unknown kind', async () => {
    await using folder = await tempDir();
    await withSqlite(join(folder.path, 'state.db'), (database) => {
      database.exec(readFileSync(join(releasedStates, '0006-access.sql'), 'utf8'));
      database.exec(`update mcp_policies set scope = 'risk', tool_name = 'odd' where id = 'g1'`);
    });
    await using state = stateIn(folder.path);
    const { identities, grants, tokens } = await accessStore(state, systemClock).load();
    expect([identities.length, grants.map(({ id }) => id), tokens.length]).toEqual([2, ['g2'], 2]);
  });
});
