import { expect, test } from 'vitest';
import { arrangeTools } from '../../../../renderer/feature/clients/detail/arrange-tools.ts';

const tool = (name: string, calls: number, serverKey?: string) => ({
  ...(serverKey === undefined ? {} : { serverKey }),
  name,
  wireName: `s__${name}`,
  calls,
});
const tools = [tool('read', 3, 's'), tool('write', 0, 's'), tool('own', 0), tool('drop', 0, 's')];
const names = (...args: Parameters<typeof arrangeTools>) => arrangeTools(...args).map(({ name }) => name);

test('[PB-NAMES-1] the heaviest come first, once weights are known', () => {
  expect(names(tools, undefined, 'all', [])).toEqual(['read', 'write', 'own', 'drop']);
  expect(names(tools, { s__drop: 9, s__read: 5 }, 'all', [])).toEqual(['drop', 'read', 'write', 'own']);
});

test('[PB-NAMES-1] counts as unused only tools of servers that were never called', () => {
  expect(names(tools, undefined, 'unused', [])).toEqual(['write', 'drop']);
  expect(names(tools, undefined, 'unused', ['dro'])).toEqual(['drop']);
});
