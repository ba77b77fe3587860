import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RpcError } from '../../../../../electron/engine/jsonrpc/message.ts';
import type { RawMessage, RawRequest } from '../../../../../electron/engine/jsonrpc/raw-message.ts';
import { readMessage } from '../../../../../electron/engine/jsonrpc/read-message.ts';
import {
  digestOfArguments,
  IdempotencyKeys,
} from '../../../../../electron/engine/routing/resilience/idempotency.ts';
import { FakeClock } from '../../../../helper/fake-clock.ts';

const call = (argumentsText: string, more = '') =>
  readMessage(
    Buffer.from(
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","arguments":${argumentsText}${more}}}`,
    ),
  ) as RawRequest;
const digest = (argumentsText: string, more?: string) => digestOfArguments(call(argumentsText, more));

describe('the digest of arguments', () => {
  it('[REQ-MCP-CALL-003] does not count order of members, white space, escapes, or what else the call holds', () => {
    const one = digest('{"a":1,"b":[{"x":null,"y":"\\u00e9"}]}');
    expect(digest(' { "b" : [ {"y":"é", "x" : null} ],\n "a":1 } ', ',"_meta":{"x":1}')).toBe(one);
  });

  it('[REQ-MCP-CALL-003] counts everything else, to the last digit', () => {
    const texts = [
      '{}',
      '[]',
      'null',
      '{"a":1}',
      '{"a":"1"}',
      '{"a":"s1"}',
      '{"a":[1,2]}',
      '{"a":[2,1]}',
      '{"a":9007199254740992}',
      '{"a":9007199254740993}',
      '{"a":1e400}',
      '{"a":1e401}',
      '{"a":true}',
      '{"a":{"b":1}}',
      '{"a":["b",1]}',
      '{"a":[["b",1]]}',
      '{"a":"\\"}:1"}',
    ];
    expect(new Set(texts.map((text) => digest(text))).size).toBe(texts.length);
  });

  it('[REQ-MCP-CALL-003] is that of the text where arguments are nested too deeply', () => {
    const deep = (inner: string) => `${'['.repeat(100_000)}${inner}${']'.repeat(100_000)}`;
    expect(digest(deep('1'))).toBe(digest(deep('1'), ',"_meta":{"x":1}'));
    expect(digest(deep('1'))).not.toBe(digest(deep('2')));
  });

  it('[REQ-MCP-CALL-003] is equal exactly for equal values', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
        const [a, b] = [JSON.stringify(one), JSON.stringify(other)];
        expect(digest(a) === digest(b)).toBe(sorted(JSON.parse(a)) === sorted(JSON.parse(b)));
        expect(digest(JSON.stringify(reversed(one)))).toBe(digest(a));
      }),
    );
  });
});

function sorted(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => {
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner;
    return { members: Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)) };
  });
}

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, inner]) => [name, reversed(inner)]),
  );
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

function setUp(limits = { maxResults: 3, maxBytes: 10_000, ttlMs: 1_000 }) {
  const clock = new FakeClock();
  const keys = new IdempotencyKeys(clock, limits);
  const sent: { answer(text: string): void; fail(error: Error): void }[] = [];
  const doubts: boolean[] = [];
  const send = (isDoubtful: boolean) =>
    new Promise<RawMessage>((resolve, reject) => {
      doubts.push(isDoubtful);
      const answer = (text: string) =>
        resolve(readMessage(Buffer.from(`{"jsonrpc":"2.0","id":5,"result":${text}}`)) as RawMessage);
      sent.push({ answer, fail: reject });
    });
  const ask = (
    key: string,
    { sessionId = 's', tool = 't', args = '{}', signal = new AbortController().signal } = {},
  ) =>
    keys
      .run({ key, sessionId, tool: { serverKey: 'a', name: tool }, request: call(args), signal }, send)
      .then(({ answer, repeated }) => ({ text: answer.resultBytes?.toString(), repeated }));
  const answered = async (key: string, text: string, more = {}) => {
    const answer = ask(key, more);
    sent.at(-1)?.answer(text);
    return answer;
  };
  return { clock, sent, doubts, ask, answered };
}

describe('an idempotency key', () => {
  it('[REQ-MCP-CALL-003] returns the first result again, unchanged', async () => {
    const { sent, ask, answered } = setUp();
    expect(await answered('k', '{"n": 9007199254740993}')).toEqual({
      text: '{"n": 9007199254740993}',
      repeated: false,
    });
    expect(await ask('k')).toEqual({ text: '{"n": 9007199254740993}', repeated: true });
    expect(sent).toHaveLength(1);
  });

  it('[REQ-MCP-CALL-003] with other arguments is refused, also while the first call is in progress', async () => {
    const { sent, ask } = setUp();
    const first = ask('k', { args: '{"a":1}' });
    const refused = { code: -32602, data: { code: 'call.idempotency_mismatch' } };
    await expect(ask('k', { args: '{"a":2}' })).rejects.toMatchObject(refused);
    sent[0]?.answer('1');
    await first;
    await expect(ask('k', { args: '{"a":3}' })).rejects.toMatchObject(refused);
    expect(sent).toHaveLength(1);
  });

  it('[REQ-MCP-CALL-003, PB-ISO-1] applies to one session and one tool', async () => {
    const { sent, answered } = setUp();
    await answered('k', '1');
    await answered('k', '2', { sessionId: 'other' });
    await answered('k', '3', { tool: 'other', args: '{"a":1}' });
    expect(sent).toHaveLength(3);
  });

  it('[REQ-MCP-CALL-003] makes concurrent calls wait for the first', async () => {
    const { sent, ask } = setUp();
    const calls = [ask('k'), ask('k'), ask('k')];
    await settle();
    expect(sent).toHaveLength(1);
    sent[0]?.answer('7');
    expect((await Promise.all(calls)).map(({ text }) => text)).toEqual(['7', '7', '7']);
  });

  it('shares a failure with those who wait, and keeps none', async () => {
    const { sent, ask, answered } = setUp();
    const calls = [ask('k'), ask('k')];
    sent[0]?.fail(new RpcError({ code: -32011, message: 'lost' }));
    for (const { status } of await Promise.allSettled(calls)) expect(status).toBe('rejected');
    expect(await answered('k', '1')).toMatchObject({ repeated: false });
    expect(sent).toHaveLength(2);
  });

  it('[REQ-MCP-CALL-003, REQ-MCP-CALL-004] stays in doubt once a call may have run, until there is a result', async () => {
    const { sent, doubts, ask, answered } = setUp();
    const fail = async (error: Error) => {
      const failed = ask('k');
      sent.at(-1)?.fail(error);
      await expect(failed).rejects.toBe(error);
    };
    const of = (code: string) => new RpcError({ code: -32011, message: code, data: { code } });
    await fail(of('call.server_unavailable'));
    await fail(of('call.outcome_unknown'));
    await fail(of('call.circuit_open'));
    await expect(ask('k', { args: '{"a":1}' })).rejects.toMatchObject({
      data: { code: 'call.idempotency_mismatch' },
    });
    expect(await answered('k', '1')).toEqual({ text: '1', repeated: false });
    expect(await ask('k')).toEqual({ text: '1', repeated: true });
    expect(doubts).toEqual([false, false, true, true]);
  });

  it('lets the next call be sent when the first was cancelled by its client', async () => {
    const { sent, ask } = setUp();
    const leaving = new AbortController();
    const first = ask('k', leaving);
    const next = ask('k');
    const last = ask('k');
    leaving.abort();
    sent[0]?.fail(new Error('cancelled'));
    await expect(first).rejects.toThrow();
    await settle();
    expect(sent).toHaveLength(2);
    sent[1]?.answer('2');
    expect(await next).toMatchObject({ text: '2' });
    expect(await last).toMatchObject({ text: '2', repeated: true });
  });

  it('releases a call that is cancelled while it waits', async () => {
    const { sent, ask } = setUp();
    const leaving = new AbortController();
    const first = ask('k');
    const waiting = ask('k', leaving);
    leaving.abort();
    await expect(waiting).rejects.toMatchObject({ code: -32800 });
    sent[0]?.answer('1');
    expect(await first).toMatchObject({ text: '1' });
  });

  it('is kept within its time limit, count and size', async () => {
    const { clock, sent, answered } = setUp();
    await answered('old', '1');
    await clock.advance(1_000);
    await answered('old', '2');
    expect(sent).toHaveLength(2);

    for (const key of ['a', 'b', 'c']) await answered(key, '1');
    await answered('old', '3');
    expect(sent).toHaveLength(6);

    await answered('large', JSON.stringify('x'.repeat(9_940)));
    await answered('old', '4');
    expect(sent).toHaveLength(8);
    await answered('huge', JSON.stringify('x'.repeat(10_000)));
    await answered('huge', '1');
    expect(sent).toHaveLength(10);
  });
});
