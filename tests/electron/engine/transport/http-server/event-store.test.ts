import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SessionEventStore } from '../../../../../electron/engine/transport/http-server/event-store.ts';

const bytes = (message: object) => Buffer.from(`${JSON.stringify(message)}\n`);
const notice = (data: unknown) =>
  bytes({ jsonrpc: '2.0', method: 'notifications/message', params: { data } });
const answer = (id: number, text = '') => bytes({ jsonrpc: '2.0', id, result: { text } });

describe('the events kept of a session', () => {
  it('[PB-PASS-1] are those of one stream after the last one seen', () => {
    const store = new SessionEventStore();
    const first = store.add('a');
    store.add('b', notice(1));
    const second = store.add('a', notice(2));
    expect(store.resume(first)).toMatchObject({
      stream: 'a',
      missed: [{ message: notice(2), isAnswer: false }],
    });
    store.add('a', answer(7), '7');
    expect(store.resume(second)).toMatchObject({ missed: [{ message: answer(7), isAnswer: true }] });
    for (const unknown of ['99', 'a-99', 'a-', '-1', 'a-1x']) expect(store.resume(unknown)).toBeUndefined();
  });

  it('[PB-PASS-1] are those that are left where the last one seen has gone', () => {
    const store = new SessionEventStore({ events: 3, bytes: 4_000 });
    const first = store.add('a');
    for (let count = 0; count < 5; count += 1) store.add('b', notice(count));
    expect(store.resume(first)).toEqual({ stream: 'a', missed: [] });
    store.add('a', answer(7), '7');
    expect(store.resume(first)).toMatchObject({ missed: [{ message: answer(7), isAnswer: true }] });
  });

  it('[NFR-R4] keep an error in place of an answer that is too long, and nothing in place of a notice', () => {
    const store = new SessionEventStore({ events: 10, bytes: 4_000 });
    const first = store.add('a');
    store.add('a', notice('x'.repeat(2_000)));
    store.add('a', answer(7, 'x'.repeat(2_000)), '7');
    const [lost, error] = store.resume(first)?.missed ?? [];
    expect(lost).toMatchObject({ isAnswer: false });
    expect(lost?.message).toBeUndefined();
    expect(JSON.parse(String(error?.message))).toMatchObject({ id: 7, error: { code: -32011 } });
  });

  it('[PB-PASS-1] stay within their bounds whatever is stored', () => {
    const message = fc.oneof(
      fc.string({ maxLength: 3_000 }).map((text) => ({ message: notice(text) })),
      fc.nat(9).map((id) => ({ message: answer(id), answered: String(id) })),
    );
    fc.assert(
      fc.property(fc.array(message, { maxLength: 60 }), (messages) => {
        const store = new SessionEventStore({ events: 8, bytes: 4_000 });
        for (const each of messages)
          store.add('a', each.message, 'answered' in each ? each.answered : undefined);
        expect(store.usage.events).toBeLessThanOrEqual(8);
        expect(store.usage.bytes).toBeLessThanOrEqual(4_000);
        expect(store.usage.bytes).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});
