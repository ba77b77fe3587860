import fc from 'fast-check';
import { expect, it } from 'vitest';
import { TransientMap } from '../../../../electron/engine/base/transient-map.ts';

const key = fc.integer({ min: 0, max: 9 });
const step = fc.oneof(
  fc.tuple(fc.constant('set' as const), key),
  fc.tuple(fc.constant('delete' as const), key),
);

it('has the entries of a Map in the same order, however many have gone', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 2_000, size: 'max' }), (steps) => {
      const [map, reference] = [new TransientMap<number, number>(), new Map<number, number>()];
      for (const [index, [action, at]] of steps.entries()) {
        if (action === 'delete') expect(map.delete(at)).toBe(reference.delete(at));
        else {
          map.set(at, index);
          reference.set(at, index);
        }
        expect([map.size, map.has(at), map.get(at)]).toEqual([
          reference.size,
          reference.has(at),
          reference.get(at),
        ]);
      }
      expect([map.keys(), map.values()]).toEqual([[...reference.keys()], [...reference.values()]]);
    }),
    { numRuns: 5 },
  );
});

it('has none after it was cleared', () => {
  const map = new TransientMap<string, number>();
  map.set('a', 1);
  map.clear();
  expect([map.size, map.keys(), map.get('a')]).toEqual([0, [], undefined]);
});
