import { describe, expect, it } from 'vitest';
import { newestFirst } from '../../../../renderer/feature/activity/log/fold-rows.ts';

const numberOf = ({ id }: { readonly id: number }) => id;

describe('the order of what happened', () => {
  it('[REQ-MCP-OBS-002] is by start time, not by when rows were written', () => {
    // The client connected before its first call, but that was written later.
    const connected = { id: 2, at: 100 };
    const [first, second] = [
      { id: 1, at: 110 },
      { id: 3, at: 120 },
    ];
    const expected = [second, first, connected];
    expect(newestFirst([second, connected, first], numberOf)).toEqual(expected);
    expect(newestFirst([connected, first, second], numberOf)).toEqual(expected);
  });

  it('is by number for equal times, and keeps a sorted list as it is', () => {
    const rows = [
      { id: 3, at: 100 },
      { id: 2, at: 100 },
      { id: 1, at: 90 },
    ];
    expect(newestFirst(rows, numberOf)).toBe(rows);
    expect(newestFirst(rows.toReversed(), numberOf)).toEqual(rows);
  });
});
