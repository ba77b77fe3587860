import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { IdTable } from '../../../../electron/engine/jsonrpc/id-table.ts';

describe('IdTable', () => {
  it('[PB-ISO-1] holds the same entries as a Map, in whatever order ids come and go', () => {
    const step = fc.oneof(
      { weight: 3, arbitrary: fc.record({ set: fc.nat(200) }) },
      { weight: 2, arbitrary: fc.record({ take: fc.oneof(fc.nat(200), fc.integer(), fc.double()) }) },
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const table = new IdTable<{ readonly id: number }>();
        const map = new Map<number, { readonly id: number }>();
        for (const each of steps) {
          if ('take' in each) {
            expect(table.take(each.take)).toBe(map.get(each.take));
            map.delete(each.take);
          } else if (!map.has(each.set)) {
            const entry = { id: each.set };
            table.set(entry);
            map.set(each.set, entry);
          }
        }
        expect(table.all()).toEqual([...map.values()].sort((one, other) => one.id - other.id));
        table.clear();
        expect(table.all()).toEqual([]);
      }),
    );
  });
});
