import { describe, expect, it } from 'vitest';
import { CallCutter } from '../../../../../electron/engine/hub/access/cut-calls.ts';
import type { CallRecord } from '../../../../../electron/engine/route/contract.ts';
import type { RpcError } from '../../../../../electron/engine/rpc/message.ts';
import type { Grant, GrantScope } from '../../../../../shared/model/access.ts';
import { accessBench } from '../../../../helper/access.ts';
import { FakeClock } from '../../../../helper/fake-clock.ts';

const server: GrantScope = { kind: 'server', serverKey: 'fs' };
const tool: GrantScope = { kind: 'tool', serverKey: 'fs', tool: 'read' };

/** An agent with a call of `fs:read` under way, in what is changed by hand. */
async function underWay(call: Partial<CallRecord> = {}) {
  const clock = new FakeClock();
  const { book, standings, sessions } = await accessBench(clock);
  const { id } = book.create({ kind: 'agent', name: 'job' }, 'test');
  sessions.open('s', id);
  const stopped: RpcError[] = [];
  const record = { id: 1, sessionId: 's', serverKey: 'fs', name: 'read', method: 'tools/call', attempts: 1 };
  const cutter = new CallCutter({
    calls: {
      underWay: () => [{ ...record, ...call } as CallRecord],
      stop: (_call, why) => void stopped.push(why),
    },
    holderOf: (sessionId) => sessions.holderOf(sessionId),
    rulesOf: (identityId) => book.tables.rulesOf(identityId),
    standings,
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

describe('[REQ-MCP-AUTH-003] a call under way', () => {
  it('goes on while something else allows it, and ends with the last that did', async () => {
    const { book, grant, codes, stopped } = await underWay();
    const [wide, narrow] = [grant(server), grant(tool)];
    book.revokeGrant(narrow.id, 'test');
    expect(codes()).toEqual([]);
    book.revokeGrant(wide.id, 'test');
    expect(codes()).toEqual(['call.not_allowed']);
    expect(stopped[0]?.message).toContain('may have done all or part of it');
  });

  it('that no server has been given yet is refused as one that was never made', async () => {
    const { book, grant, stopped } = await underWay({ attempts: 0 });
    book.revokeGrant(grant(server).id, 'test');
    expect(stopped[0]?.message).toBe('job may not call fs:read. No rule allows this tool.');
  });

  it('ends when it is denied, or its token taken back', async () => {
    const { book, id, grant, codes } = await underWay();
    grant(server, { needsToken: true });
    const { tokenId } = book.issueToken(id, 'fs', 'read', 1_000, 'test');
    book.revokeToken(tokenId, 'test');
    expect(codes()).toHaveLength(1);
    grant(tool);
    grant(tool, { effect: 'deny' });
    expect(codes()).toHaveLength(2);
  });

  it('may end in peace when what allowed it expires, whatever is taken back then', async () => {
    const { clock, book, grant, codes } = await underWay();
    grant(server, { expiresAt: clock.now() + 1_000 });
    const other = grant(tool, { expiresAt: clock.now() + 1_000 });
    await clock.advance(2_000);
    book.revokeGrant(other.id, 'test');
    expect(codes()).toEqual([]);
  });

  it('at a fallback ends when that is taken back', async () => {
    const { book, grant, codes } = await underWay({ fallback: { serverKey: 'disk', name: 'read' } });
    grant(server);
    const disk = grant({ kind: 'server', serverKey: 'disk' });
    book.revokeGrant(disk.id, 'test');
    expect(codes()).toEqual(['call.not_allowed']);
  });

  it('of another, and what calls no tool, is left alone', async () => {
    for (const other of [{ sessionId: 'other' }, { method: 'resources/read', name: 'file:///a' }]) {
      const { book, grant, codes } = await underWay(other);
      book.revokeGrant(grant(server).id, 'test');
      expect(codes()).toEqual([]);
    }
  });

  it('ends with its identity, also with one that is forgotten', async () => {
    const { book, id, codes } = await underWay();
    book.remove(id, 'test');
    expect(codes()).toEqual(['call.identity_ended']);
  });
});
