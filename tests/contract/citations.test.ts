import { describe, expect, it } from 'vitest';
import { citedIds, judge } from './citations.ts';

describe('citedIds', () => {
  it('finds one id and several, and nothing that only looks like one', () => {
    const cite = (...ids: string[]) => `[${ids.join(', ')}]`;
    const source = `it('${cite('FR-001')} a'); it('${cite('US1.2', 'AG-US1-AC3')} b'); list[index]; ['FR-002']`;
    expect(citedIds(source)).toEqual(['FR-001', 'US1.2', 'AG-US1-AC3']);
  });
});

describe('judge', () => {
  it('tells slips, losses and gaps apart', () => {
    expect(judge(['A', 'X'], ['A', 'B', 'C'], ['A', 'B'])).toEqual({
      unknown: ['X'],
      lost: ['B'],
      uncited: ['B', 'C'],
    });
  });
});
