import { describe, expect, it } from 'vitest';
import { missingArguments } from '../../../../renderer/feature/tester/missing-arguments.ts';

const schema = {
  type: 'object',
  properties: { a: { type: 'number' }, b: { type: 'string' } },
  required: ['a', 'b'],
};

describe('what is required of a run', () => {
  it.each([
    ['', ['a', 'b']],
    ['{"a":1}', ['b']],
    ['{"a":"no number","b":""}', []],
    ['{"a":', []],
  ])('of %j, what is missing is told by name', (text, missing) => {
    expect(missingArguments(schema, text)).toEqual(missing);
  });
});
