import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RpcError } from '../../../../electron/engine/jsonrpc/message.ts';
import { createFailingHub, type Ending, pass } from '../../../helper/failing-hub.ts';

const keys = ['a', 'b'] as const;
const ending = fc.constantFrom<Ending>('answer', 'no', 'error', 'invalid', 'hang', 'die', 'die');
const plan = fc.record({ a: fc.array(ending, { maxLength: 4 }), b: fc.array(ending, { maxLength: 3 }) });

/** Events that happen one after the other while calls are in progress. */
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('call' as const),
      tool: fc.constantFrom('read', 'set', 'act', 'act'),
      session: fc.constantFrom('s1', 's2'),
      key: fc.option(fc.constantFrom('k1', 'k2'), { nil: undefined, freq: 5 }),
      plan,
    }),
  },
  fc.record({ kind: fc.constantFrom('cancel' as const), which: fc.nat({ max: 30 }) }),
  fc.record({
    kind: fc.constant('server' as const),
    server: fc.constantFrom(...keys),
    does: fc.constantFrom('end' as const, 'cut' as const, 'start' as const),
  }),
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('wait' as const),
      milliseconds: fc.constantFrom(0, 500, 60_000),
    }),
  },
);

describe('whatever fails, in whatever order', () => {
  it('[NFR-R4, REQ-MCP-CALL-002, REQ-MCP-CALL-004] every request gets exactly one answer, and no unsafe tool runs twice', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 30 }), async (steps) => {
        const fallback = new Map(['read', 'set', 'act'].map((tool) => [tool, [`b:${tool}`]]));
        await using hub = createFailingHub(keys, {
          config: { a: { callTimeout: 5_000, concurrency: 2, fallback }, b: { callTimeout: 5_000 } },
        });
        for (const key of keys) await hub.start(key);
        const serverDoes = {
          start: hub.start,
          end: (key: string) => hub.end(key),
          cut: (key: string) => hub.end(key, false),
        };
        const answers = new Map<string, unknown[]>();
        const calls: { mark: string; isOnce: boolean; leaving: AbortController }[] = [];

        for (const it of steps) {
          if (it.kind === 'wait') await pass(hub.clock, it.milliseconds);
          else if (it.kind === 'server') await serverDoes[it.does](it.server);
          else if (it.kind === 'cancel') calls[it.which]?.leaving.abort();
          else {
            const leaving = new AbortController();
            const meta = it.key === undefined ? {} : { meta: { 'patchbay/idempotencyKey': it.key } };
            const wish = { plan: it.plan, session: it.session, signal: leaving.signal, ...meta };
            const { mark, answer } = hub.call(`a:${it.tool}`, wish);
            calls.push({ mark, isOnce: it.tool === 'act' && it.key === undefined, leaving });
            const note = (outcome: unknown) => answers.set(mark, [...(answers.get(mark) ?? []), outcome]);
            answer.then(note, note);
          }
        }
        // Servers come back, and waiting calls get their outcome within the limits.
        for (const key of keys) await hub.start(key);
        for (let round = 0; round < 12; round += 1) await pass(hub.clock, 31_000);

        for (const { mark, isOnce } of calls) {
          const [outcome, ...more] = answers.get(mark) ?? [];
          expect(more).toEqual([]);
          expect(outcome).toBeDefined();
          if (outcome instanceof Error) expect(outcome).toBeInstanceOf(RpcError);
          const runs = hub.runs.get(mark) ?? [];
          if (isOnce) expect(runs.length).toBeLessThanOrEqual(1);
          expect(runs.length).toBeLessThanOrEqual(4);
        }
        expect(hub.ended).toHaveLength(calls.length);
        expect(new Set(hub.ended).size).toBe(calls.length);
        expect(hub.clock.pending).toBe(0);
      }),
      { numRuns: 60 },
    );
  });
});
