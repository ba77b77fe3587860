import type { RJSFSchema } from '@rjsf/utils';
import { describe, expect, it } from 'vitest';
import { emptyOf, fittingChoice, isFixed } from '../../../../renderer/feature/tester/form/fitting-choice.ts';
import { PartChecker } from '../../../../renderer/feature/tester/form/schema-checker.ts';

const shape = (kind: string, size: string): RJSFSchema => ({
  type: 'object',
  required: ['kind', size],
  properties: { kind: { const: kind }, [size]: { type: 'number' } },
});
const options: readonly RJSFSchema[] = [
  { const: 'any' },
  shape('circle', 'radius'),
  shape('square', 'side'),
  { type: 'array', items: {} },
  { type: 'null' },
];
const choice = (value: unknown, chosen?: number) =>
  fittingChoice(options, value, (option) => new PartChecker().isValid(option, value, {}), chosen);

describe('the schema chosen for a value', () => {
  it('is the one it matches', () => {
    expect(choice('any')).toBe(0);
    expect(choice({ kind: 'square', side: 1 })).toBe(2);
    expect(choice([])).toBe(3);
    expect(choice(null)).toBe(4);
  });

  it('is the one an incomplete value may still match', () => {
    expect(choice({ kind: 'square' })).toBe(2);
    expect(choice({})).toBe(1);
    expect(choice(5)).toBe(0);
  });

  it('stays the chosen one until the value has another type', () => {
    expect(choice({}, 2)).toBe(2);
    expect(choice({ kind: 'square' }, 2)).toBe(2);
    expect(choice({ kind: 'circle' }, 2)).toBe(1);
    expect(choice(null, 2)).toBe(4);
  });
});

it('a choice starts with a value that reveals it', () => {
  expect(options.map(emptyOf)).toEqual(['any', {}, {}, [], null]);
  expect(
    [{ type: 'string' }, { type: 'integer' }, { type: 'boolean' }, { enum: ['b'] }].map((one) =>
      emptyOf(one as RJSFSchema),
    ),
  ).toEqual(['', 0, false, 'b']);
  expect(options.map(isFixed)).toEqual([true, false, false, false, true]);
});
