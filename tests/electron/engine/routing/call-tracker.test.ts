import { describe, expect, it } from 'vitest';
import { RpcError } from '../../../../electron/engine/jsonrpc/message.ts';
import { CallTracker } from '../../../../electron/engine/routing/call-tracker.ts';
import type { CallRecord } from '../../../../electron/engine/routing/contract.ts';

const record = (id: number, changes: Partial<CallRecord> = {}) =>
  ({
    id,
    sessionId: 's1',
    serverKey: 'a',
    method: 'tools/call',
    name: 'read',
    startedAt: 10,
    humanWaitMs: 0,
    ...changes,
  }) as CallRecord;

function open() {
  const ended: unknown[][] = [];
  const used: string[] = [];
  const book = new CallTracker({
    onEnded: (...call) => ended.push(call),
    onCountChanged: () => {},
    onUsersChanged: (key) => used.push(key),
  });
  return { book, ended, used };
}

describe('active calls', () => {
  it('[AG-US5-AC7] count against a server only if the failure is its own fault', () => {
    const { book, ended } = open();
    const end = (changes: Partial<CallRecord>) => book.ended(record(1, { endedAt: 25, ...changes }));
    const error = (code: number) => new RpcError({ code, message: 'No' });
    end({ outcome: 'ok' });
    end({ outcome: 'timeout' });
    end({ outcome: 'lost' });
    end({ outcome: 'error', error: error(-32603) });
    end({ outcome: 'error', error: error(-32602) });
    end({ outcome: 'cancelled' });
    end({ outcome: 'refused' });
    expect(ended).toEqual([false, true, true, true, false].map((failed) => ['a', 15, failed]));
  });

  it('[AG-US5-AC7] do not count the time of a person against the server', () => {
    const { book, ended } = open();
    book.ended(record(1, { endedAt: 25, outcome: 'ok', humanWaitMs: 10 }));
    expect(ended).toEqual([['a', 5, false]]);
  });

  it('count against a server if its fallback had to answer', () => {
    const { book, ended } = open();
    const fallback = { serverKey: 'b', name: 'read_too' };
    book.started(record(1, { fallback }));
    book.ended(record(1, { fallback, outcome: 'ok', endedAt: 25 }));
    expect(ended).toEqual([
      ['a', 0, true],
      ['b', 15, false],
    ]);
  });

  it('tell how many connected clients use a server', () => {
    const { book, used } = open();
    book.started(record(1));
    book.started(record(2));
    book.started(record(3, { sessionId: 's2' }));
    expect(book.users('a')).toBe(2);
    expect(book.users('b')).toBe(0);
    expect(used).toEqual(['a', 'a']);
    book.retainSessions(new Set(['s2', 's3']));
    expect(book.users('a')).toBe(1);
    expect(used).toHaveLength(3);
    book.retainSessions(new Set());
    expect(book.users('a')).toBe(0);
  });
});
