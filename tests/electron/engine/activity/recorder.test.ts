import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { ActivityBatch } from '../../../../electron/engine/activity/contract.ts';
import { unpackContents } from '../../../../electron/engine/activity/packed-contents.ts';
import { readRecords } from '../../../../electron/engine/activity/read-records.ts';
import { Recorder } from '../../../../electron/engine/activity/recorder.ts';
import { RpcError } from '../../../../electron/engine/jsonrpc/message.ts';
import type { RawMessage, RawRequest } from '../../../../electron/engine/jsonrpc/raw-message.ts';
import { readMessage } from '../../../../electron/engine/jsonrpc/read-message.ts';
import { type CallRecord, hubSessionId } from '../../../../electron/engine/routing/contract.ts';
import { FakeClock } from '../../../helper/fake-clock.ts';

const raw = (value: unknown) => readMessage(Buffer.from(JSON.stringify(value))) as RawMessage;
const request = raw({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'a__x', arguments: { city: 'Oslo' } },
}) as RawRequest;
const answered = (result: unknown) => raw({ jsonrpc: '2.0', id: 1, result });

function aCall(clock: FakeClock, other: Partial<CallRecord> = {}): CallRecord {
  return {
    id: 1,
    sessionId: 's1',
    serverKey: 'a',
    method: 'tools/call',
    name: 'x',
    request,
    startedAt: clock.now() - 5,
    attempts: 1,
    fallback: undefined,
    skipped: undefined,
    repeated: false,
    outcome: 'ok',
    endedAt: clock.now(),
    answer: answered({ content: [] }),
    error: undefined,
    decision: undefined,
    correlationId: undefined,
    humanWaitMs: 0,
    ...other,
  };
}

/** Returns the records of a batch with their contents and what it says of their clients and servers. */
function recordsOf({ records: bytes, contents }: ActivityBatch) {
  const { clients, servers, records } = readRecords(bytes);
  const unpacked = [...unpackContents(contents)].map(({ args, result, ...texts }) => ({
    args: args?.toString(),
    result: result?.toString(),
    ...texts,
  }));
  return records.map((record, index) => ({
    ...new Map(clients).get(record.clientId ?? ''),
    ...new Map(servers).get(record.serverKey ?? ''),
    ...record,
    ...unpacked[index],
    ...('name' in record ? { name: record.name } : {}),
  }));
}

function bench(clientName: (id: string) => string | undefined = () => 'Zed') {
  const clock = new FakeClock();
  const batches: ActivityBatch[] = [];
  const failures: unknown[] = [];
  const recorder = new Recorder({
    clock,
    clientName,
    isWatched: () => false,
    report: (error) => failures.push(error),
    send: (batch) => batches.push(batch),
  });
  recorder.switch(true);
  const heads = () => batches.flatMap(recordsOf);
  return { clock, batches, failures, recorder, heads };
}

describe('the recorder', () => {
  it('[REQ-MCP-OBS-002] audits who was refused, which tool, and that it was denied', async () => {
    const { clock, recorder, heads } = bench();
    recorder.audit(true);
    const facts = { serverKey: 'a', tool: 'x' };
    const denied = new RpcError({
      code: -31021,
      message: 'no',
      data: { code: 'call.not_allowed', ...facts },
    });
    const unknown = new RpcError({ code: -32601, message: 'what?', data: { code: 'call.unknown_tool' } });
    for (const error of [denied, unknown]) recorder.unroutable({ sessionId: 's1', request, at: 0, error });
    await clock.advance(1_000);
    expect(heads()).toMatchObject([
      { serverKey: 'a', name: 'x', outcome: 'refused', audit: { decision: 'DENY' } },
      { name: 'a__x', outcome: 'refused' },
    ]);
    expect(heads()[1]?.audit?.decision).toBeUndefined();
  });

  it('[REQ-MCP-OBS-002] counts refusals that are too many for a row each, by caller', async () => {
    const { clock, recorder, heads, batches } = bench((id) => (id === 's2' ? 'Cline' : 'Zed'));
    recorder.audit(true);
    const error = new RpcError({ code: -31021, message: 'no', data: { code: 'call.not_allowed' } });
    const refuse = (sessionId: string, count: number) => {
      for (let done = 0; done < count; done += 1) recorder.unroutable({ sessionId, request, at: 1, error });
    };
    refuse('s1', 200 + 1_234);
    refuse('s2', 1);
    await clock.advance(1_100);
    expect(heads()).toHaveLength(200);
    const notes = () => batches.flatMap((batch) => batch.notes);
    const refused = { kind: 'identity', action: 'refused', outcome: 'refused' };
    expect(notes()).toMatchObject([
      { ...refused, actor: 'Zed', text: 'and 1,234 more refusals of Zed within a second' },
      { ...refused, actor: 'Cline', text: 'and 1 more refusal of Cline within a second' },
    ]);
    // Pending counts are written before auditing stops.
    refuse('s1', 10);
    recorder.audit(false);
    expect(notes().at(-1)).toMatchObject({ actor: 'Zed', text: expect.stringContaining('and 10 more') });
    refuse('s1', 10);
    recorder.dispose();
    expect(notes()).toHaveLength(3);
  });

  it('[PB-DUAL-1] records how client and server of a call speak, as far as that is known', async () => {
    const clock = new FakeClock();
    const batches: ActivityBatch[] = [];
    const recorder = new Recorder({
      clock,
      clientName: () => 'Zed',
      clientProtocol: (id) => (id === 's1' ? 'C' : undefined),
      serverProtocol: (key) => (key === 'a' ? 'S' : undefined),
      isWatched: () => false,
      report: () => {},
      send: (batch) => batches.push(batch),
    });
    recorder.switch(true);
    recorder.ended(aCall(clock));
    recorder.ended(aCall(clock, { sessionId: 's2', serverKey: 'b' }));
    const error = new RpcError({ code: -32601, message: 'what?' });
    recorder.unroutable({ sessionId: 's1', request, at: 0, error });
    await clock.advance(250);
    const spoken = batches.flatMap(recordsOf).map((row) => [row.clientProtocol, row.serverProtocol]);
    expect(spoken).toEqual([
      ['C', 'S'],
      [undefined, undefined],
      ['C', undefined],
    ]);
  });

  it('[REQ-MCP-OBS-001] does not count the time of a person as the time of a call', async () => {
    const { clock, recorder, heads } = bench();
    recorder.ended(aCall(clock, { startedAt: clock.now() - 60_007, humanWaitMs: 60_000 }));
    recorder.ended(aCall(clock, { humanWaitMs: 60_000 }));
    await clock.advance(250);
    expect(heads().map(({ milliseconds }) => milliseconds)).toEqual([7, 0]);
  });

  it('hands over many calls at once, shortly after they ended', async () => {
    const { clock, batches, recorder, heads } = bench();
    for (let count = 0; count < 3; count += 1) recorder.ended(aCall(clock));
    expect(batches).toEqual([]);
    await clock.advance(250);
    expect(batches).toHaveLength(1);
    expect(heads()).toHaveLength(3);
    expect(heads()[0]).toMatchObject({
      kind: 'call',
      clientName: 'Zed',
      serverKey: 'a',
      name: 'x',
      outcome: 'ok',
      milliseconds: 5,
      requestBytes: request.byteLength,
    });
    const { args, result } = heads()[0] ?? {};
    expect(args).toBe('{"name":"a__x","arguments":{"city":"Oslo"}}');
    expect(result).toBe('{"content":[]}');
  });

  it('does not keep large answers alive, and hands over only their start', () => {
    const { clock, batches, recorder, heads } = bench();
    const text = 'x'.repeat(5_000_000);
    recorder.ended(aCall(clock, { answer: answered({ content: [{ type: 'text', text }], isError: true }) }));
    recorder.flush();
    expect(batches).toHaveLength(1);
    expect(batches[0]?.size).toBeLessThan(70_000);
    expect(heads()[0]).toMatchObject({ isResultCut: true, hasFailed: true });
    expect(heads()[0]?.result).toHaveLength(65_536);
    expect(heads()[0]?.answerBytes).toBeGreaterThan(5_000_000);
  });

  it('hands over the start of long arguments, and their digest for the audit log', () => {
    const { clock, batches, recorder, heads } = bench();
    const args = `{ "text": "${'x'.repeat(500_000)}", "n": 1e400 }`;
    const line = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a__x","arguments":${args},"_meta":{}}}\n`;
    recorder.audit(true);
    recorder.ended(aCall(clock, { request: readMessage(Buffer.from(line)) as RawRequest }));
    recorder.flush();
    expect(batches[0]?.size).toBeLessThan(270_000);
    const record = heads()[0];
    expect(record?.areArgumentsCut).toBe(true);
    expect(record?.args).toHaveLength(262_144);
    expect(record?.digest).toBe(createHash('sha256').update(args).digest('hex'));
    expect(record?.result).toBe('{"content":[]}');
    expect(record?.isResultCut).toBeUndefined();
  });

  it('counts calls together that come too fast, failures separately', async () => {
    const { clock, recorder, heads } = bench();
    for (let count = 0; count < 5_000; count += 1) recorder.ended(aCall(clock));
    recorder.ended(aCall(clock, { outcome: 'timeout' }));
    for (let count = 0; count < 10; count += 1) recorder.ended(aCall(clock, { sessionId: 's2' }));
    await clock.advance(61_000);
    const single = heads().filter(({ count }) => count === undefined);
    const merged = heads().filter(({ count }) => count !== undefined);
    expect(single).toHaveLength(501);
    expect(single.at(-1)?.outcome).toBe('timeout');
    expect(merged).toMatchObject([
      { clientId: 's1', name: 'x', outcome: 'ok', count: 4_500, milliseconds: 5 },
      { clientId: 's2', count: 10 },
    ]);
    // Calls at a normal pace are recorded one by one again.
    recorder.ended(aCall(clock));
    await clock.advance(250);
    expect(heads().at(-1)?.count).toBeUndefined();
  });

  it('limits the kinds that it counts together', async () => {
    const { clock, recorder, heads } = bench();
    for (let count = 0; count < 2_000; count += 1) recorder.ended(aCall(clock, { name: `n${count}` }));
    await clock.advance(61_000);
    const merged = heads().filter(({ count }) => count !== undefined);
    expect(merged).toHaveLength(201);
    expect(merged.reduce((sum, { count = 0 }) => sum + count, 0)).toBe(1_500);
  });

  it('records nothing while turned off, and no calls of the hub itself', async () => {
    const { clock, batches, recorder } = bench();
    recorder.ended(aCall(clock, { sessionId: hubSessionId }));
    recorder.switch(false);
    recorder.ended(aCall(clock));
    recorder.notified({ serverKey: 'a', method: 'notifications/message' });
    recorder.happened([{ about: 'server', subject: 'a', text: 'Connected', tone: 'good' }]);
    await clock.advance(120_000);
    expect(batches).toEqual([]);
  });

  it('never breaks a call, whatever goes wrong', async () => {
    const { clock, failures, batches, recorder } = bench(() => {
      throw new Error('no names today');
    });
    expect(() => recorder.ended(aCall(clock))).not.toThrow();
    await clock.advance(250);
    expect(failures).toHaveLength(1);
    expect(batches).toEqual([]);
  });

  it('counts notifications, and lets server events wait for calls', async () => {
    const { clock, batches, recorder, heads } = bench();
    for (let count = 0; count < 1_000; count += 1)
      recorder.notified({ serverKey: 'a', method: 'notifications/progress' });
    recorder.notified({ sessionId: 's1', method: 'tools/list' });
    recorder.notified({ sessionId: 's1', method: 'prompts/get' });
    recorder.happened([
      { about: 'client', subject: 'Zed', sessionId: 's1', text: 'Disconnected', tone: 'quiet' },
    ]);
    await clock.advance(30_000);
    expect(batches).toEqual([]);
    recorder.ended(aCall(clock));
    await clock.advance(250);
    expect(heads()).toMatchObject([
      { kind: 'hub', clientName: 'Zed', clientId: 's1', text: 'Disconnected' },
      { kind: 'notices', serverKey: 'a', method: 'notifications/progress', count: 1_000 },
      { kind: 'notices', clientName: 'Zed', method: 'tools/list', count: 1 },
      { kind: 'call' },
    ]);
  });

  it('records when something happened, if known', () => {
    const { clock, recorder, heads } = bench();
    const connected = {
      about: 'client',
      subject: 'Zed',
      sessionId: 's1',
      text: 'Connected',
      tone: 'good',
    } as const;
    const before = clock.now() - 40;
    recorder.happened([{ ...connected, at: before }, connected]);
    recorder.dispose();
    expect(heads().map(({ at }) => at)).toEqual([before, clock.now()]);
  });

  it('hands over everything when it ends', () => {
    const { clock, recorder, heads } = bench();
    for (let count = 0; count < 501; count += 1) recorder.ended(aCall(clock));
    recorder.notified({ serverKey: 'a', method: 'notifications/message' });
    recorder.dispose();
    expect(heads()).toHaveLength(502);
  });
});
