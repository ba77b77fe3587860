import { describe, expect, it } from 'vitest';
import { hiddenReasons, rangeParts, snippet } from '../../../renderer/lib/match-ranges.ts';

const marked = (text: string, ranges: readonly [number, number][]) =>
  rangeParts(text, ranges)
    .map((part) => (part.hit ? `[${part.text}]` : part.text))
    .join('');

describe('search matches in texts', () => {
  it('[AG-US2-AC2] are marked in place, whatever the ranges are', () => {
    expect(marked('create_issue', [[7, 12]])).toBe('create_[issue]');
    expect(marked('abc', [])).toBe('abc');
    expect(
      marked('create_issue', [
        [0, 6],
        [3, 9],
        [7, 99],
        [200, 300],
      ]),
    ).toBe('[create]_[issue]');
  });

  it('[AG-US2-AC2] are scrolled into view if they are late in the text', () => {
    const text = `${'word '.repeat(40)}needle at\nthe end`;
    const at = text.indexOf('needle');
    const shown = snippet(text, [[at, at + 6]]);
    expect(shown.text.length).toBeLessThan(60);
    expect(marked(shown.text, shown.ranges as [number, number][])).toMatch(
      /^…(word )+\[needle\] at the end$/,
    );
    expect(snippet('a needle', [[2, 8]])).toEqual({ text: 'a needle', ranges: [[2, 8]] });
    const whole = 'x'.repeat(200);
    expect(snippet(whole, [[150, 160]]).text).toBe(`…${'x'.repeat(50)}`);
  });

  it('[AG-US2-AC2] are described in words if they cannot be marked', () => {
    const matched = [
      { field: 'name' as const, ranges: [[0, 1] as [number, number]] },
      { field: 'parameter' as const, text: 'owner labels', ranges: [[6, 12] as [number, number]] },
      { field: 'skill' as const, text: 'Issue tracking', ranges: [[0, 5] as [number, number]] },
      { field: 'keyword' as const, ranges: [] },
    ];
    expect(hiddenReasons({ matched }, false)).toBe(
      'parameter labels, skill Issue tracking, a related keyword',
    );
    expect(hiddenReasons({ matched: [] }, true)).toBe('similar meaning');
    expect(hiddenReasons({ matched: [] }, false)).toBe('');
  });
});
