import { expect, it } from 'vitest';
import { withoutEmptied } from '../../../../renderer/feature/tester/form/optional-objects.ts';

const schema = {
  type: 'object',
  properties: {
    address: { type: 'object', properties: { street: { type: 'string' } }, required: ['street'] },
    home: { type: 'object', properties: { street: { type: 'string' } } },
  },
  required: ['home'],
};

it.each([
  [{ address: { street: undefined }, home: {} }, { home: {} }],
  [{ address: { street: 'x' } }, { address: { street: 'x' } }],
  [{ address: {} }, { address: {} }],
  [{ home: { street: undefined } }, { home: { street: undefined } }],
])('an optional object goes with its last field: %#', (value, left) => {
  expect(withoutEmptied(schema, value)).toStrictEqual(left);
});
