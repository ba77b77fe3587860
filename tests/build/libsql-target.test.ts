import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
// @ts-expect-error a script of the build, which has no types
import { currentTarget } from '../../build/libsql-target.mjs';

test('a build of libsql exists for this system under the given name', () => {
  const file = new URL('../../node_modules/libsql/package.json', import.meta.url);
  const { optionalDependencies } = JSON.parse(readFileSync(file, 'utf8'));
  expect(Object.keys(optionalDependencies)).toContain(`@libsql/${currentTarget()}`);
});
