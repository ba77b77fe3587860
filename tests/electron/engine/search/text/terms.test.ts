import { expect, it } from 'vitest';
import { Stems } from '../../../../../electron/engine/search/text/terms.ts';

const stems = new Stems();

it.each([
  ['news', 'new'],
  ['marketing', 'markets'],
  ['customers', 'customize'],
  ['documentation', 'documents'],
  ['animals', 'animations'],
])('keeps %s and %s apart', (one, other) => {
  expect(stems.of(one)).not.toBe(stems.of(other));
});

it.each([
  ['children', 'child'],
  ['sent', 'sending'],
  ['analyses', 'analyze'],
  ['indices', 'index'],
  ['customers', 'customer'],
])('joins %s and %s', (one, other) => {
  expect(stems.of(one)).toBe(stems.of(other));
});
