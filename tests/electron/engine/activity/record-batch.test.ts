import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readLine } from '../../../../electron/engine/activity/audit-journal.ts';
import { type RecordContents, unpackContents } from '../../../../electron/engine/activity/packed-contents.ts';
import { readRecords } from '../../../../electron/engine/activity/read-records.ts';
import { bareBatch, RecordBatch } from '../../../../electron/engine/activity/record-batch.ts';
import { recordCall, recordServerRequest } from '../../../../electron/engine/activity/record-parts.ts';
import type { CallRecording } from '../../../../electron/engine/activity/shared-calls.ts';
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

/** Compared in place of long contents. */
const fingerprint = ({ args, result, ...texts }: RecordContents) => ({
  args: args && createHash('sha256').update(args).digest('hex'),
  result: result && createHash('sha256').update(result).digest('hex'),
  ...texts,
});

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

  it('[REQ-MCP-OBS-002] reads back each of any calls as if it had been alone', () => {
    const one = callOf();
    const allowed = { effect: 'allow', cached: true } as const;
    const error = new RpcError({ code: -32_603, message: 'broken' });
    const sizes = [0, 8_100, 8_300, 65_400, 65_600, 262_100, 262_200, 1_048_600];
    const callArbitrary = fc.record(
      {
        id: fc.nat(3),
        sessionId: fc.constantFrom('s1', 's2', ''),
        serverKey: fc.constantFrom('a', 'b', '["]'),
        method: fc.constantFrom('tools/call', 'prompts/get', 'resources/read', 'completion/complete'),
        name: fc.constantFrom('echo', 'other', '\u0000\n"', undefined),
        outcome: fc.constantFrom('ok', 'error', 'cancelled', undefined),
        attempts: fc.constantFrom(0, 1, 2),
        decision: fc.constantFrom(undefined, allowed, { effect: 'ask', cached: false } as const),
        correlationId: fc.constantFrom(undefined, 'mine'),
        repeated: fc.boolean(),
        fallback: fc.constantFrom(undefined, { serverKey: 'b', name: 'echo' }),
        error: fc.constantFrom(undefined, error),
        startedAt: fc.nat(5),
        endedAt: fc.constantFrom(undefined, 3, 9),
        humanWaitMs: fc.nat(3),
        request: fc.constantFrom(...sizes.map((size) => callOf({}, 'é'.repeat(size / 2)).request)),
        answer: fc.constantFrom(undefined, ...sizes.map((size) => callOf({}, 'é'.repeat(size / 2)).answer)),
      },
      { requiredKeys: [] },
    );
    const recordingArbitrary = fc.record({
      auditPrefix: fc.constantFrom(undefined, 'run-'),
      isAuditOnly: fc.constantFrom(undefined, true as const),
    });
    const read = (calls: readonly (readonly [Partial<CallRecord>, CallRecording])[]) => {
      const batch = newBatch();
      for (const [changes, how] of calls) recordCall(batch, { ...one, ...changes } as CallRecord, how);
      const { records, contents, count, audited } = batch.take();
      const list = JSON.parse(JSON.stringify(readRecords(records).records)) as unknown[];
      return { list, contents: [...unpackContents(contents)].map(fingerprint), count, audited };
    };
    fc.assert(
      fc.property(fc.array(fc.tuple(callArbitrary, recordingArbitrary), { maxLength: 25 }), (calls) => {
        const together = read(calls);
        const alone = calls.map((call) => read([call]));
        expect(together.list).toEqual(alone.flatMap(({ list }) => list));
        expect(together.contents).toEqual(alone.flatMap(({ contents }) => contents));
        expect(together.count).toBe(calls.length);
        expect(together.audited).toBe(alone.reduce((sum, { audited }) => sum + audited, 0));
        for (const [index, [changes, { auditPrefix, isAuditOnly }]] of calls.entries()) {
          const call = { ...one, ...changes };
          const { startedAt, endedAt = startedAt, humanWaitMs, outcome = 'lost' } = call;
          const milliseconds = Math.max(0, endedAt - startedAt - humanWaitMs);
          expect(together.list[index]).toMatchObject({
            ...{ at: startedAt, milliseconds, outcome, clientId: call.sessionId, serverKey: call.serverKey },
            ...{ method: call.method, requestBytes: call.request.byteLength },
            ...(auditPrefix && { audit: { id: `run-${call.id}` } }),
            ...(isAuditOnly && { isAuditOnly }),
          });
        }
      }),
      { numRuns: 50 },
    );
  });

  it.each([
    ['behind much else', true, { content: 'x'.repeat(20_000), isError: true, more: 'y'.repeat(300) }],
    ['before everything', true, { isError: true, content: 'x'.repeat(20_000) }],
    ['in something else', false, { content: 'x'.repeat(20_000), structuredContent: { isError: true } }],
    ['in something else of a long one', false, { content: 'x'.repeat(9_000), text: '"isError": true' }],
  ])(
    '[REQ-MCP-OBS-002] a result that is cut says that its tool failed, %s: %s',
    async (_, hasFailed, result) => {
      const batch = newBatch();
      recordCall(batch, callOf({ answer: messageOf({ result }) }), { auditPrefix: 'r', isAuditOnly: true });
      const { records, contents, isPartial } = batch.take();
      const options = { masking: new Masking(), first: 1, contents, isPartial };
      const { audits } = await readBatch(readRecords(records), options);
      expect(audits.map(({ outcome }) => outcome)).toEqual([hasFailed ? 'tool-error' : 'ok']);
    },
  );

  it('is not filled by names, errors and methods that somebody made very long', () => {
    const batch = newBatch();
    const long = 'x'.repeat(1_000_000);
    const error = new RpcError({ code: -32_603, message: long });
    const request = messageOf({ method: 'resources/read', params: { uri: long } }) as RawRequest;
    recordCall(batch, callOf({ method: 'resources/read', name: long, error, request }), recording);
    recordCall(batch, callOf({ method: 'resources/read', name: long }), recording);
    const asked = messageOf({ method: long }) as RawRequest;
    const times = { startedAt: 1, endedAt: 2, outcome: 'error', answer: undefined } as const;
    recordServerRequest(batch, { serverKey: 'a', sessionId: undefined, request: asked, ...times });
    const { records, contents } = batch.take();
    const texts = [...unpackContents(contents)].flatMap(({ name, text }) => [name, text]);
    for (const text of texts) expect(text?.length ?? 0).toBeLessThanOrEqual(65_536);
    expect(records.length).toBeLessThan(2_000);
  });

  it('keeps no memory of a long call, nor anything else once it is taken', () => {
    const batch = newBatch();
    recordCall(batch, callOf({}, 'x'.repeat(2_000_000)), recording);
    const { contents } = batch.take();
    expect(contents.bytes.buffer.byteLength).toBe(contents.bytes.length);
    expect(contents.bytes.length).toBeLessThan(400_000);
    expect([batch.isEmpty, batch.isFull]).toEqual([true, false]);
    const { records, count, audited } = batch.take();
    expect([records.length, count, audited]).toEqual([0, 0, 0]);
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
