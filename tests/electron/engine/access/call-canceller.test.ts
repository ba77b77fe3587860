import { describe, expect, it } from 'vitest';
import { CallCanceller } from '../../../../electron/engine/access/call-canceller.ts';
import type { RpcError } from '../../../../electron/engine/jsonrpc/message.ts';
import type { CallRecord } from '../../../../electron/engine/routing/contract.ts';
import type { Grant, GrantScope } from '../../../../shared/model/access/access.ts';
import { accessBench } from '../../../helper/access.ts';
import { FakeClock } from '../../../helper/fake-clock.ts';

const server: GrantScope = { kind: 'server', serverKey: 'fs' };
const tool: GrantScope = { kind: 'tool', serverKey: 'fs', tool: 'read' };

/** Sets up an agent with an active call of `fs:read`, changed as given. */
async function underWay(call: Partial<CallRecord> = {}) {
  const clock = new FakeClock();
  const { book, standings, sessions } = await accessBench(clock);
  const { id } = book.create({ kind: 'agent', name: 'job' }, 'test');
  sessions.open('s', id);
  const stopped: RpcError[] = [];
  const record = { id: 1, sessionId: 's', serverKey: 'fs', name: 'read', method: 'tools/call', attempts: 1 };
  const cutter = new CallCanceller({
    calls: {
      all: () => [{ ...record, ...call } as CallRecord],
      cancel: (_call, why) => void stopped.push(why),
    },
    identityIdOf: (sessionId) => sessions.identityIdOf(sessionId),
    rulesOf: (identityId) => book.tables.rulesOf(identityId),
    authorizer: standings,
    catalogue: () => ({ revision: 0, servers: [], off: [] }),
    now: () => clock.now(),
  });
  book.onWithdrawn((withdrawal) => cutter.withdrawn(withdrawal));
  book.onEnded((identity) => cutter.ended(identity));
  const grant = (scope: GrantScope, more: Partial<Grant> = {}) =>
    book.grant({ identityId: id, effect: 'allow', scope, ...more });
  return {
    clock,
    book,
    id,
    grant,
    codes: () => stopped.map(({ data }) => (data as { code: string }).code),
    stopped,
  };
}

describe('[REQ-MCP-AUTH-003] an active call', () => {
  it('continues while another rule allows it, and is cancelled with the last one', async () => {
    const { book, grant, codes, stopped } = await underWay();
    const [wide, narrow] = [grant(server), grant(tool)];
    book.revokeGrant(narrow.id, 'test');
    expect(codes()).toEqual([]);
    book.revokeGrant(wide.id, 'test');
    expect(codes()).toEqual(['call.not_allowed']);
    expect(stopped[0]?.message).toContain('may already have done all or part of it');
  });

  it('that no server has received yet is refused as if it was never made', async () => {
    const { book, grant, stopped } = await underWay({ attempts: 0 });
    book.revokeGrant(grant(server).id, 'test');
    expect(stopped[0]?.message).toBe('job may not call fs:read. No rule allows this tool.');
  });

  it('is cancelled when it is denied, or its token is revoked', async () => {
    const { book, id, grant, codes } = await underWay();
    grant(server, { needsToken: true });
    const { tokenId } = book.issueToken(id, 'fs', 'read', 1_000, 'test');
    book.revokeToken(tokenId, 'test');
    expect(codes()).toHaveLength(1);
    grant(tool);
    grant(tool, { effect: 'deny' });
    expect(codes()).toHaveLength(2);
  });

  it('may finish when its permission expires, whatever is revoked afterwards', async () => {
    const { clock, book, grant, codes } = await underWay();
    grant(server, { expiresAt: clock.now() + 1_000 });
    const other = grant(tool, { expiresAt: clock.now() + 1_000 });
    await clock.advance(2_000);
    book.revokeGrant(other.id, 'test');
    expect(codes()).toEqual([]);
  });

  it('at a fallback is cancelled when that is no longer allowed', async () => {
    const { book, grant, codes } = await underWay({ fallback: { serverKey: 'disk', name: 'read' } });
    grant(server);
    const disk = grant({ kind: 'server', serverKey: 'disk' });
    book.revokeGrant(disk.id, 'test');
    expect(codes()).toEqual(['call.not_allowed']);
  });

  it('of another identity is left alone, and so are other requests', async () => {
    for (const other of [{ sessionId: 'other' }, { method: 'resources/read', name: 'file:///a' }]) {
      const { book, grant, codes } = await underWay(other);
      book.revokeGrant(grant(server).id, 'test');
      expect(codes()).toEqual([]);
    }
  });

  it('is cancelled with its identity, also when that is removed', async () => {
    const { book, id, codes } = await underWay();
    book.remove(id, 'test');
    expect(codes()).toEqual(['call.identity_ended']);
  });
});
