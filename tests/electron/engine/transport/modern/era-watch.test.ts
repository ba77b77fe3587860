import { describe, expect, it } from 'vitest';
import type { ProbeVerdict } from '../../../../../electron/engine/transport/modern/discover.ts';
import {
  type EraRefusal,
  EraWatch,
  isBeforeActing,
} from '../../../../../electron/engine/transport/modern/era-watch.ts';
import { FakeClock } from '../../../../helper/fake-clock.ts';

const legacy: ProbeVerdict = { era: 'legacy', reason: 'it does not know server/discover' };
const modern: ProbeVerdict = {
  era: 'modern',
  version: '2026-07-28',
  discover: { capabilities: {}, serverInfo: {} },
};

function watch(found: ProbeVerdict | undefined, mayAsk = true) {
  const clock = new FakeClock();
  const state = { found, asked: 0 };
  const ask = async () => {
    state.asked += 1;
    return state.found;
  };
  return { clock, state, eras: new EraWatch({ clock, ask, mayAsk }) };
}

const refusal = (status: number, code?: number, message = 'no', data?: unknown): EraRefusal => ({
  method: 'tools/call',
  status,
  error: code === undefined ? undefined : { code, message, data },
});

describe('[PB-DUAL-3] a refusal that may come from a server of the other era', () => {
  it.each([
    ['an unsupported version', refusal(400, -32022)],
    ['missing headers', refusal(400, -32020)],
    ['a missing envelope', refusal(400, -32602)],
    ['an unknown method', refusal(404, -32601)],
    ['an unknown ping', { ...refusal(200, -32601), method: 'ping' }],
  ])('makes the hub ask a server with sessions again: %s', async (_, refused) => {
    const { eras, state } = watch(modern);
    expect(await eras.hasChanged('legacy', refused)).toBe(true);
    expect(state.asked).toBe(1);
    expect(isBeforeActing('legacy', refused)).toBe(true);
  });

  it.each([
    ['SDK: no session id', refusal(400, -32000, 'Bad Request: Mcp-Session-Id header is required'), true],
    ['SDK: not initialized', refusal(400, -32000, 'Bad Request: Server not initialized'), true],
    ['SDK: version', refusal(400, -32000, 'Bad Request: Unsupported protocol version: 2026-07-28'), true],
    ['SDK: session not found', refusal(404, -32001, 'Session not found'), true],
    ['missing session', refusal(400, -32600, 'Bad Request: Missing session ID'), true],
    ['an unknown method', refusal(404, -32601), true],
    ['plain text', refusal(400), true],
    ['in an ordinary answer', refusal(200, -32600, 'not initialized'), true],
    ['an error of the tool', refusal(400, -32603, 'the disk is full'), false],
  ])('makes the hub ask a stateless server again: %s', async (_, refused, isBefore) => {
    const { eras, state } = watch(legacy);
    expect(await eras.hasChanged('modern', refused)).toBe(true);
    expect(state.asked).toBe(1);
    expect(isBeforeActing('modern', refused)).toBe(isBefore);
  });

  it.each([
    ['legacy', refusal(401)],
    ['legacy', refusal(503)],
    ['legacy', refusal(200, -32602)],
    ['legacy', refusal(200, -32601)],
    ['modern', refusal(400, -32021)],
    ['modern', refusal(400, -32020)],
    ['modern', refusal(200, -32602, 'Unknown tool')],
    ['modern', refusal(500, -32603)],
  ] as const)('is nothing else: %s %j', async (era, refused) => {
    const { eras, state } = watch(era === 'legacy' ? modern : legacy);
    expect(await eras.hasChanged(era, refused)).toBe(false);
    expect(state.asked).toBe(0);
  });

  it('is asked about less and less often while nothing has changed', async () => {
    const { clock, state, eras } = watch(modern);
    const refused = refusal(400, -32602, 'wrong');
    for (let second = 0; second < 600; second += 1) {
      expect(await eras.hasChanged('modern', refused)).toBe(false);
      await clock.advance(1_000);
    }
    expect(state.asked).toBeGreaterThan(5);
    expect(state.asked).toBeLessThan(25);
    state.found = legacy;
    await clock.advance(60_000);
    expect(await eras.hasChanged('modern', refused)).toBe(true);
  });

  it('proves nothing if the server cannot be asked', async () => {
    const { eras } = watch(undefined);
    expect(await eras.hasChanged('legacy', refusal(400, -32022))).toBe(false);
  });

  it('counts by its own words where the config says how the server speaks', async () => {
    const { eras, state } = watch(modern, false);
    expect(await eras.hasChanged('legacy', refusal(400, -32022, 'no', { supported: ['2026-07-28'] }))).toBe(
      true,
    );
    const both = { supported: ['2025-11-25', '2026-07-28'] };
    expect(await eras.hasChanged('legacy', refusal(400, -32022, 'no', both))).toBe(false);
    expect(await eras.hasChanged('legacy', refusal(400, -32602))).toBe(false);
    expect(state.asked).toBe(0);
  });
});
