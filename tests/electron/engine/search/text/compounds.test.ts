import { expect, it } from 'vitest';
import { Compounds } from '../../../../../electron/engine/search/text/compounds.ts';
import { serverOf } from '../../../../helper/catalogue.ts';
import { find, indexOf } from '../../../../helper/search.ts';

const compounds = new Compounds(['search', 'user', 'time', 'zone', 'timezone', 'id']);

it.each([
  ['searchuser', ['search', 'user']],
  ['searchusers', ['search', 'users']],
  ['timezone', []],
  ['userid', []],
  ['searching', []],
  ['user', []],
  ['', []],
])('splits %j', (word, parts) => {
  expect(compounds.partsOf(word)).toEqual(parts);
});

it('finds a tool by a part of its name', () => {
  const server = serverOf('crew', { tools: [{ name: 'searchmember' }, { name: 'ping' }] });
  expect(find(indexOf([server]), 'which member is that')).toEqual(['crew:searchmember']);
});
