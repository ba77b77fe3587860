import { describe, expect, it } from 'vitest';
import { compareWithCheck } from '../../../../electron/engine/tester/checks.ts';
import { shapeOf } from '../../../../electron/engine/tester/shape.ts';

const right = {
  content: [{ type: 'text', text: 'sunny' }],
  structuredContent: {
    degrees: 21.5,
    wind: { from: 'W' },
    alerts: [],
    places: [{ id: 1 }, { id: 2, note: null }],
  },
};
const expects = { outcome: 'ok', shape: JSON.stringify(shapeOf(right)) } as const;
const answer = (value: unknown) => ({ outcome: 'ok' as const, text: JSON.stringify(value) });

describe('a check', () => {
  it('stores members and types of an answer, but not its content', () => {
    expect(JSON.stringify(shapeOf(right))).not.toMatch(/sunny|21|W"/);
    expect(shapeOf([1, 2, 'a', 'b', { x: true }, { x: false }])).toEqual([0, '', { x: false }]);
  });

  it('is passed by a result with the same members and types, and more', () => {
    const other = {
      ...right,
      content: [
        { type: 'text', text: 'rain', annotations: {} },
        { type: 'text', text: 'wind' },
      ],
      structuredContent: { ...right.structuredContent, places: [], alerts: ['storm'], extra: 1 },
    };
    expect(compareWithCheck(expects, answer(right))).toEqual([]);
    expect(compareWithCheck(expects, answer(other))).toEqual([]);
  });

  it('says what differs, and where', () => {
    const other = {
      content: 'none',
      structuredContent: { degrees: '21', wind: {}, alerts: [], places: [{ id: 'one' }] },
    };
    expect(compareWithCheck(expects, answer(other))).toEqual([
      'content is text, expected a list.',
      'structuredContent.degrees is text, expected a number.',
      'structuredContent.wind.from is missing.',
      'structuredContent.places[0].id is text, expected a number.',
    ]);
  });

  it('reports a different outcome, missing text, and an answer that is not JSON', () => {
    const failed = { outcome: 'error' as const, text: '{"code":1' };
    expect(compareWithCheck({ ...expects, contains: 'sunny' }, failed)).toEqual([
      'The run ended with a server error instead of a result.',
      'The result does not contain "sunny".',
      'The result is not JSON.',
    ]);
    expect(compareWithCheck({ outcome: 'error', contains: 'code' }, failed)).toEqual([]);
  });

  it('limits the number of differences', () => {
    const wide = Object.fromEntries([...Array(100)].map((_, index) => [`m${index}`, 1]));
    const told = compareWithCheck({ outcome: 'ok', shape: JSON.stringify(shapeOf(wide)) }, answer({}));
    expect(told).toHaveLength(21);
    expect(told.at(-1)).toBe('And 80 more.');
  });
});
