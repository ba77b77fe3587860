import { describe, expect, it } from 'vitest';
import type { CallToApprove } from '../../../../electron/engine/access/approval-queue.ts';
import { RpcError } from '../../../../electron/engine/jsonrpc/message.ts';
import type { Identity } from '../../../../shared/model/access/access.ts';
import { accessBench, memoryStore } from '../../../helper/access.ts';
import { FakeClock } from '../../../helper/fake-clock.ts';

const identities = ['i', 'j'].map((id) => {
  const identity: Identity = { id, kind: 'agent', name: id, createdAt: 0, hasToken: false };
  return { identity, tokenHash: undefined };
});

/** Calls that ask, from the agents `i` and `j`. */
async function bench() {
  const clock = new FakeClock();
  const { store } = memoryStore({ identities, grants: [], tokens: [] });
  const { book, desk } = await accessBench(clock, { store });
  for (const identityId of ['i', 'j']) book.grant({ identityId, effect: 'ask', scope: { kind: 'all' } });
  const ends: object[] = [];
  book.onEvent(({ kind, answer, by }) => {
    const end = /^approval\.(answered|withdrawn|timed_out)$/.exec(kind)?.[1];
    if (end !== undefined) ends.push(end === 'answered' ? { kind: end, answer, by } : { kind: end });
  });
  const told: string[] = [];
  const ask = (argumentsText: string, other: Partial<CallToApprove> = {}) => {
    const leaving = new AbortController();
    const outcome = desk
      .ask({
        identityId: 'i',
        clientName: 'cursor',
        tool: { serverKey: 'fs', name: 'write', wireName: 'fs__write', item: { name: 'write' } },
        risk: 'high',
        argumentsText: () => argumentsText,
        signal: leaving.signal,
        notify: (message) => void told.push(message),
        ...other,
      })
      .then(
        () => 'allowed',
        (error: unknown) => (error instanceof RpcError ? codeOf(error) : String(error)),
      );
    return { outcome, leave: () => leaving.abort() };
  };
  const first = () => desk.list()[0]?.id ?? '';
  return { clock, book, desk, ends, told, ask, first };
}

function codeOf({ code, data }: RpcError): unknown {
  return (data as { readonly code?: string } | undefined)?.code ?? code;
}

describe('a call that needs approval', () => {
  it('[REQ-MCP-AUTH-003] waits, is shown with its arguments, and its client is notified', async () => {
    const { clock, desk, told, ask } = await bench();
    void ask('{"path":"a"}');
    expect(desk.list()).toEqual([
      expect.objectContaining({
        identityId: 'i',
        clientName: 'cursor',
        serverKey: 'fs',
        tool: 'write',
        risk: 'high',
        argumentsText: '{"path":"a"}',
        behind: 0,
        expiresAt: clock.now() + 300_000,
      }),
    ]);
    expect(told).toEqual(['Waiting for approval of fs:write in Patchbay…']);
    await clock.advance(10_000);
    expect(told).toHaveLength(3);
    desk.dispose();
    expect(clock.pending).toBe(0);
  });

  it('[REQ-MCP-AUTH-003] waits in line with similar calls; "once" allows only the one that is shown', async () => {
    const { desk, ask, first } = await bench();
    const one = ask('1');
    const two = ask('2');
    const other = ask('3', { identityId: 'j' });
    expect(desk.list().map(({ argumentsText, behind }) => [argumentsText, behind])).toEqual([
      ['1', 1],
      ['3', 0],
    ]);
    desk.answer(first(), 'once', 'me');
    expect(await one.outcome).toBe('allowed');
    expect(desk.list().map(({ argumentsText, behind }) => [argumentsText, behind])).toEqual([
      ['2', 0],
      ['3', 0],
    ]);
    desk.answer(first(), 'always', 'me');
    expect(await two.outcome).toBe('allowed');
    desk.answer(first(), 'deny', 'me');
    expect(await other.outcome).toBe('call.approval_denied');
    expect(desk.list()).toEqual([]);
  });

  it.each(['for-15-minutes', 'always', 'deny'] as const)(
    '[REQ-MCP-AUTH-003] answered with %s settles all calls behind it, reported once',
    async (answer) => {
      const { desk, ask, first, ends } = await bench();
      const calls = [ask('1'), ask('2'), ask('3')];
      desk.answer(first(), answer, 'me');
      const expected = answer === 'deny' ? 'call.approval_denied' : 'allowed';
      expect(await Promise.all(calls.map(({ outcome }) => outcome))).toEqual([expected, expected, expected]);
      expect(ends).toEqual([{ kind: 'answered', answer, by: 'me' }]);
    },
  );

  it('[REQ-MCP-AUTH-003] is withdrawn when its client cancels or leaves, and the next call is shown', async () => {
    const { clock, desk, ask, first, ends } = await bench();
    const one = ask('1');
    ask('2');
    const shown = first();
    one.leave();
    expect(await one.outcome).toBe(-32800);
    expect(ends).toEqual([{ kind: 'withdrawn' }]);
    expect(desk.list().map(({ argumentsText }) => argumentsText)).toEqual(['2']);
    expect(() => desk.answer(shown, 'once', 'me')).toThrow('is no longer waiting');
    desk.dispose();
    expect(clock.pending).toBe(0);
  });

  it('[REQ-MCP-AUTH-003] is refused with the reason when nobody answers in time', async () => {
    const { clock, desk, ask, ends } = await bench();
    const { outcome } = ask('1');
    await clock.advance(5 * 60_000);
    expect(await outcome).toBe('call.approval_timeout');
    expect(ends).toEqual([{ kind: 'timed_out' }]);
    expect(desk.list()).toEqual([]);
    expect(clock.pending).toBe(0);
  });

  it('[REQ-MCP-AUTH-003] is refused at once if too many calls wait already', async () => {
    const { desk, ask } = await bench();
    for (let index = 0; index < 100; index += 1) ask(String(index));
    expect(await ask('one more').outcome).toBe('call.approvals_full');
    expect(desk.list()).toHaveLength(1);
    desk.dispose();
  });

  it('[REQ-MCP-AUTH-001] stops waiting when a new rule decides', async () => {
    const { book, desk, ask } = await bench();
    const one = ask('1');
    book.grant({ identityId: 'j', effect: 'allow', scope: { kind: 'server', serverKey: 'fs' } });
    book.grant({ identityId: 'i', effect: 'allow', scope: { kind: 'server', serverKey: 'other' } });
    expect(desk.list()).toHaveLength(1);
    book.grant({ identityId: 'i', effect: 'allow', scope: { kind: 'server', serverKey: 'fs' } });
    expect(await one.outcome).toBe('allowed');
  });

  it('[REQ-MCP-AUTH-003] is refused if the answer could not be recorded', async () => {
    const { desk, ask, first } = await bench();
    const { outcome } = ask('1', { identityId: 'gone' });
    expect(() => desk.answer(first(), 'always', 'me')).toThrow('There is no client or agent');
    expect(await outcome).toBe('call.approval_denied');
    expect(desk.list()).toEqual([]);
  });
});
