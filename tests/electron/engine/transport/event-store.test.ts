import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SessionEventStore, sizeOf } from '../../../../electron/engine/transport/event-store.ts';

const notice = (data: unknown) => ({
  jsonrpc: '2.0' as const,
  method: 'notifications/message',
  params: { data },
});
const answer = (id: number, text = '') => ({ jsonrpc: '2.0' as const, id, result: { text } });

describe('the events kept of a session', () => {
  it('[PB-PASS-1] are those of one stream after the last one seen', async () => {
    const store = new SessionEventStore();
    // The SDK opens each stream with an event of no message.
    const first = await store.storeEvent('a', {} as never);
    await store.storeEvent('b', notice(1));
    const second = await store.storeEvent('a', notice(2));
    expect(store.resume(first)).toMatchObject({
      stream: 'a',
      missed: [{ message: notice(2) }],
      isOver: false,
    });
    await store.storeEvent('a', answer(7));
    expect(store.resume(second)).toMatchObject({ missed: [{ message: answer(7) }], isOver: true });
    expect(store.resume('99')).toBeUndefined();
    const sent: unknown[] = [];
    expect(
      await store.replayEventsAfter(first, { send: async (_, message) => void sent.push(message) }),
    ).toBe('a');
    expect(sent).toEqual([notice(2), answer(7)]);
  });

  it('[NFR-R4] keep an error in place of an answer that is too long, and nothing in place of a notice', async () => {
    const store = new SessionEventStore({ events: 10, bytes: 4_000 });
    const first = await store.storeEvent('a', {} as never);
    await store.storeEvent('a', notice('x'.repeat(2_000)));
    await store.storeEvent('a', answer(7, 'x'.repeat(2_000)));
    expect(store.resume(first)?.missed.map(({ message }) => message)).toEqual([
      undefined,
      expect.objectContaining({ id: 7, error: expect.objectContaining({ code: -32011 }) }),
    ]);
  });

  it('[PB-PASS-1] stay within their bounds whatever is stored', async () => {
    const message = fc.oneof(
      fc.string({ maxLength: 3_000 }).map(notice),
      fc.nat(9).map((id) => answer(id)),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(message, { maxLength: 60 }), async (messages) => {
        const store = new SessionEventStore({ events: 8, bytes: 4_000 });
        for (const each of messages) await store.storeEvent('a', each);
        expect(store.usage.events).toBeLessThanOrEqual(8);
        expect(store.usage.bytes).toBeLessThanOrEqual(4_000);
        expect(store.usage.bytes).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  it('[NFR-R4] refuse what is nested too deeply to be written', async () => {
    const deep = JSON.parse(`${'['.repeat(5_000)}${']'.repeat(5_000)}`);
    const store = new SessionEventStore();
    await expect(store.storeEvent('a', notice(deep))).rejects.toThrow('nested');
    expect(store.usage.events).toBe(0);
  });

  it('are measured without going through all of a huge one', () => {
    const huge = Array.from({ length: 1_000_000 }, () => 'x');
    let read = 0;
    const counted = new Proxy(huge, {
      get: (target, member) => {
        read += 1;
        return Reflect.get(target, member);
      },
    });
    expect(sizeOf(counted, 1_000)).toBe(1_000);
    expect(read).toBeLessThan(1_000);
    expect(sizeOf({ a: ['bc', null, { d: 1 }] }, 1_000)).toBeGreaterThan(10);
  });
});
