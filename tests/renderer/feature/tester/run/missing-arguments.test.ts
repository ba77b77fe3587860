import { describe, expect, it } from 'vitest';
import { missingArguments } from '../../../../../renderer/feature/tester/run/missing-arguments.ts';

const schema = {
  type: 'object',
  properties: { a: { type: 'number' }, b: { type: 'string' } },
  required: ['a', 'b'],
};

describe('the required arguments of a run', () => {
  it.each([
    ['', ['a', 'b']],
    ['{"a":1}', ['b']],
    ['{"a":"no number","b":""}', []],
    ['{"a":', []],
  ])('that are missing from %j are named', (text, missing) => {
    expect(missingArguments(schema, text)).toEqual(missing);
  });
});
