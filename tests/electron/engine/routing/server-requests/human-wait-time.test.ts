import { describe, expect, it } from 'vitest';
import type { RawRequest } from '../../../../../electron/engine/jsonrpc/raw-message.ts';
import { readMessage } from '../../../../../electron/engine/jsonrpc/read-message.ts';
import type { CallRecord } from '../../../../../electron/engine/routing/contract.ts';
import { HumanWaitTime } from '../../../../../electron/engine/routing/server-requests/human-wait-time.ts';

const request = (method: string) =>
  readMessage(Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: {} }))) as RawRequest;

const call = (changes: Partial<CallRecord> = {}) =>
  ({ sessionId: 's', serverKey: 'a', request: request('tools/call'), ...changes }) as CallRecord;

/** Records a server request to the session's person: from, to, or still open. */
function ask(persons: HumanWaitTime, from: number, to?: number, more: object = {}) {
  const question = { serverKey: 'a', sessionId: 's', request: request('elicitation/create'), ...more };
  persons.requestStarted({ ...question, startedAt: from });
  const done = (endedAt: number) =>
    persons.requestEnded({ ...question, startedAt: from, endedAt, outcome: 'ok', answer: {} });
  if (to !== undefined) done(to);
  return done;
}

describe('[REQ-MCP-OBS-001][AG-US5-AC7] the human wait time of a call', () => {
  it('includes server requests while the call was active, and counts overlaps once', () => {
    const persons = new HumanWaitTime();
    ask(persons, 5, 20);
    ask(persons, 30, 50);
    ask(persons, 40, 60);
    const open = ask(persons, 90);
    expect(persons.of(call({ startedAt: 10, endedAt: 80 }))).toBe(10 + 30);
    expect(persons.of(call({ startedAt: 65, endedAt: 80 }))).toBe(0);
    expect(persons.of(call({ startedAt: 85, endedAt: 100 }))).toBe(10);
    open(95);
    expect(persons.of(call({ startedAt: 85, endedAt: 100 }))).toBe(5);
  });

  it('excludes other sessions, other servers, and requests that no person answers', () => {
    const persons = new HumanWaitTime();
    ask(persons, 0, 10, { request: request('sampling/createMessage') });
    ask(persons, 0, 10, { sessionId: 'other' });
    ask(persons, 0, 10, { serverKey: 'b' });
    const times = { startedAt: 0, endedAt: 20 };
    expect(persons.of(call(times))).toBe(0);
    expect(persons.of(call({ ...times, fallback: { serverKey: 'b', name: 'x' } }))).toBe(10);
  });

  it('remembers only the last requests', () => {
    const persons = new HumanWaitTime();
    for (let at = 0; at < 100; at += 1) ask(persons, at, at + 1);
    expect(persons.of(call({ startedAt: 0, endedAt: 100 }))).toBe(32);
  });
});
