import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  extendAncestors,
  hubInstanceId,
  loopProblem,
  readAncestors,
} from '../../../../shared/model/server/loop.ts';

const ids = fc.array(fc.string({ minLength: 1, unit: 'grapheme' }), { maxLength: 5 });

describe('the marker of a chain of hubs', () => {
  it('[EDGE-1] contains every id it was made of, in order', () => {
    fc.assert(
      fc.property(ids, (chain) => {
        const marker = chain.reduce<string | undefined>(extendAncestors, undefined);
        expect(readAncestors(marker)).toEqual(chain);
      }),
    );
  });

  it('[EDGE-1] is a loop exactly when the own id is in it', () => {
    const own = hubInstanceId('/home/me/.patchbay');
    const outside = extendAncestors(undefined, hubInstanceId('/tmp/other'));
    expect(loopProblem(undefined, own)).toBeUndefined();
    expect(loopProblem(outside, own)).toBeUndefined();
    expect(loopProblem(extendAncestors(outside, own), own)).toMatchObject({
      code: 'server.loop',
      evidence: [
        { label: 'chain', value: expect.stringContaining('hub /tmp/other > hub /home/me/.patchbay') },
      ],
    });
  });

  it('reads a damaged marker literally', () => {
    expect(readAncestors('%zz,b')).toEqual(['%zz', 'b']);
    expect(readAncestors('')).toEqual([]);
  });
});
