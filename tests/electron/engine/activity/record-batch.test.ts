import { describe, expect, it } from 'vitest';
import { readLine } from '../../../../electron/engine/activity/audit-journal.ts';
import { unpackContents } from '../../../../electron/engine/activity/packed-contents.ts';
import { readRecords } from '../../../../electron/engine/activity/read-records.ts';
import { bareBatch, RecordBatch } from '../../../../electron/engine/activity/record-batch.ts';
import { recordCall } from '../../../../electron/engine/activity/record-parts.ts';
import { Masking } from '../../../../electron/engine/activity/worker/masking.ts';
import { readBatch } from '../../../../electron/engine/activity/worker/read-batch.ts';
import { RpcError } from '../../../../electron/engine/jsonrpc/message.ts';
import type { RawMessage, RawRequest } from '../../../../electron/engine/jsonrpc/raw-message.ts';
import { readMessage } from '../../../../electron/engine/jsonrpc/read-message.ts';
import type { CallRecord } from '../../../../electron/engine/routing/contract.ts';

function messageOf(value: object): RawMessage {
  const message = readMessage(Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, ...value })));
  if (message === undefined) throw new Error('not a message');
  return message;
}

function callOf(changes: Partial<CallRecord> = {}, text = 'hello'): CallRecord {
  const params = { name: 'a__echo', arguments: { text } };
  return {
    id: 7,
    sessionId: 's1',
    request: messageOf({ method: 'tools/call', params }) as RawRequest,
    method: 'tools/call',
    serverKey: 'a',
    name: 'echo',
    correlationId: undefined,
    startedAt: 1_000,
    attempts: 1,
    fallback: undefined,
    skipped: undefined,
    decision: undefined,
    repeated: false,
    outcome: 'ok',
    endedAt: 1_005,
    answer: messageOf({ result: { content: [{ type: 'text', text }] } }),
    error: undefined,
    humanWaitMs: 2,
    ...changes,
  };
}

const newBatch = () =>
  new RecordBatch({ client: () => ({ clientName: 'Zed' }), server: () => ({ serverProtocol: 'sessions' }) });
const recording = { auditPrefix: 'run-', isAuditOnly: undefined } as const;

describe('a batch of records', () => {
  it('[REQ-MCP-OBS-002] says once what calls have in common, and each comes back whole', () => {
    const batch = newBatch();
    recordCall(batch, callOf(), recording);
    recordCall(batch, callOf({ id: 8, startedAt: 2_000, endedAt: 2_500, name: 'other' }), recording);
    recordCall(batch, callOf({ id: 9, startedAt: 3_000, endedAt: 3_003 }, 'again'), {
      auditPrefix: 'run-',
      isAuditOnly: undefined,
    });
    const { records: bytes, contents, audited, count } = batch.take();
    const json = Buffer.from(bytes).toString();
    expect(json.match(/"echo"/g)).toHaveLength(1);
    expect(json.endsWith('}\n')).toBe(true);
    const { records, clients, servers } = readRecords(bytes);
    expect(records).toMatchObject([
      { at: 1_000, milliseconds: 3, name: 'echo', outcome: 'ok', audit: { id: 'run-7' } },
      { at: 2_000, milliseconds: 498, name: 'other', outcome: 'ok', audit: { id: 'run-8' } },
      { at: 3_000, milliseconds: 1, name: 'echo', outcome: 'ok', audit: { id: 'run-9' } },
    ]);
    expect(records[2]?.requestBytes).toBe(callOf({}, 'again').request.byteLength);
    expect(clients).toEqual([['s1', { clientName: 'Zed' }]]);
    expect(servers).toEqual([['a', { serverProtocol: 'sessions' }]]);
    expect([audited, count]).toEqual([3, 3]);
    expect([...unpackContents(contents)].map(({ args }) => args?.toString())).toEqual(
      ['hello', 'hello', 'again'].map((text) => JSON.stringify({ name: 'a__echo', arguments: { text } })),
    );
  });

  it('keeps apart what is not alike: failures, other clients, what only the audit log gets', () => {
    const batch = newBatch();
    const error = new RpcError({ code: -32_603, message: 'broken €' });
    recordCall(batch, callOf(), recording);
    recordCall(batch, callOf({ id: 8, outcome: 'error', error, answer: undefined }), recording);
    recordCall(batch, callOf({ id: 9, sessionId: 's2' }), recording);
    recordCall(batch, callOf({ id: 10 }), { auditPrefix: 'run-', isAuditOnly: true });
    recordCall(batch, callOf({ id: 11, correlationId: 'mine' }), recording);
    recordCall(batch, callOf({ id: 12 }), { auditPrefix: undefined, isAuditOnly: undefined });
    const { records: bytes, contents } = batch.take();
    const { records } = readRecords(bytes);
    expect(records.map(({ clientId, outcome }) => [clientId, outcome])).toEqual([
      ['s1', 'ok'],
      ['s1', 'error'],
      ['s2', 'ok'],
      ['s1', 'ok'],
      ['s1', 'ok'],
      ['s1', 'ok'],
    ]);
    expect(records.map(({ audit }) => audit?.id)).toEqual([
      'run-7',
      'run-8',
      'run-9',
      'run-10',
      'run-11',
      undefined,
    ]);
    expect(records.map(({ isAuditOnly }) => isAuditOnly === true)).toEqual([
      false,
      false,
      false,
      true,
      false,
      false,
    ]);
    expect(records[4]?.audit?.correlationId).toBe('mine');
    expect([...unpackContents(contents)].map(({ text }) => text)[1]).toBe('broken €');
  });

  it.each(['resources/read', 'resources/subscribe', 'resources/unsubscribe', 'completion/complete'])(
    '[NFR-SEC1] a resource is named among the contents, which are not written down unmasked: %s',
    (method) => {
      const batch = newBatch();
      const uri = 'file:///secret-token';
      const request = messageOf({ method, params: { uri } }) as RawRequest;
      recordCall(batch, callOf({ method, name: uri, request }), recording);
      recordCall(batch, callOf({ method, name: uri, request, repeated: true }), recording);
      const { records, contents } = batch.take();
      expect(Buffer.from(records).toString()).not.toContain('secret-token');
      expect([...unpackContents(contents)].map(({ name }) => name)).toEqual([uri, uri]);
    },
  );

  it('loses what calls said when there is no room for bodies, but not that of events', () => {
    const batch = newBatch();
    const error = new RpcError({ code: -32_603, message: 'broken' });
    recordCall(batch, callOf(), recording);
    recordCall(batch, callOf({ outcome: 'error', error, answer: undefined }), recording);
    batch.add({ at: 1, kind: 'hub', outcome: 'note', text: 'started' });
    const bare = bareBatch(batch.take());
    expect(readRecords(bare.records).records).toHaveLength(3);
    const none = { args: undefined, result: undefined };
    expect([...unpackContents(bare.contents)]).toMatchObject([
      { ...none, text: undefined },
      { ...none, text: undefined },
      { ...none, text: 'started' },
    ]);
    expect(bare.isPartial).toBe(true);
  });

  it('[NFR-SEC1] stores no error that repeats a secret of arguments that were dropped', async () => {
    const batch = newBatch();
    const params = { name: 'a__login', arguments: { password: 'plumtree' } };
    const request = messageOf({ method: 'tools/call', params }) as RawRequest;
    const error = new RpcError({ code: -32_603, message: 'no user has plumtree' });
    recordCall(batch, callOf({ request, outcome: 'error', error, answer: undefined }), recording);
    const whole = batch.take();
    for (const { records, contents, isPartial } of [whole, bareBatch(whole)]) {
      const options = { masking: new Masking(), first: 1, contents, isPartial };
      const read = await readBatch(readRecords(records), options);
      expect([read.activities.length, read.audits.length]).toEqual([1, 1]);
      expect(JSON.stringify(read)).not.toContain('plumtree');
    }
  });

  it('reads a journal of this version and of earlier ones', () => {
    const batch = newBatch();
    recordCall(batch, callOf(), recording);
    const line = Buffer.from(batch.take().records).toString();
    expect(readLine(line)).toMatchObject({ records: [{ at: 1_000, name: 'echo', audit: { id: 'run-7' } }] });
    const earlier = { at: 1, kind: 'call', outcome: 'ok', audit: { id: 'old-1' } };
    expect(readLine(JSON.stringify({ records: [earlier] }))).toEqual({
      clients: [],
      servers: [],
      records: [earlier],
    });
  });
});
