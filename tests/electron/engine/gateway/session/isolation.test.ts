import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCrowd } from '../../../../helper/crowd.ts';

/** Total steps over all runs, as PB-ISO-1 requires. */
const steps = 10_000;
const runs = 4;

const step = fc.record({
  kind: fc.oneof(
    { weight: 6, arbitrary: fc.constant('call' as const) },
    { weight: 5, arbitrary: fc.constant('answer' as const) },
    { weight: 3, arbitrary: fc.constant('ask' as const) },
    { weight: 3, arbitrary: fc.constant('progress' as const) },
    { weight: 2, arbitrary: fc.constant('log' as const) },
    { weight: 2, arbitrary: fc.constant('reply' as const) },
    { weight: 1, arbitrary: fc.constant('cancelCall' as const) },
    { weight: 1, arbitrary: fc.constant('cancelQuestion' as const) },
    { weight: 1, arbitrary: fc.constant('complete' as const) },
    { weight: 1, arbitrary: fc.constant('subscribe' as const) },
    { weight: 1, arbitrary: fc.constant('update' as const) },
    { weight: 2, arbitrary: fc.constant('outside' as const) },
    { weight: 1, arbitrary: fc.constant('grow' as const) },
    { weight: 1, arbitrary: fc.constant('list' as const) },
    { weight: 1, arbitrary: fc.constant('reconnect' as const) },
    { weight: 1, arbitrary: fc.constant('restart' as const) },
    { weight: 8, arbitrary: fc.constant('settle' as const) },
  ),
  pick: fc.nat(),
  other: fc.nat(),
});

/** The minimum that must have arrived for the run to prove anything. */
const shared = ['result', 'question', 'reply', 'refusal', 'progress', 'log', 'complete', 'updated'];
const own = ['instance', 'own updated', 'own list', 'own tool'];

describe('sixteen clients over shared servers and instances of their own', () => {
  it('[PB-ISO-1] [PB-PASS-1] never receive what belongs to another, whatever happens in whatever order', async () => {
    const seen = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: steps / runs, maxLength: steps / runs }),
        async (sequence) => {
          await using crowd = await createCrowd(16);
          for (const { kind, pick, other } of sequence) await crowd.act(kind, pick, other);
          await crowd.finish();
          expect(crowd.wrong).toEqual([]);
          for (const [what, count] of crowd.seen) seen.set(what, (seen.get(what) ?? 0) + count);
        },
      ),
      { numRuns: runs, endOnFailure: true },
    );
    for (const what of [...shared, ...own]) expect(seen.get(what), what).toBeGreaterThan(10);
  });
});
