import { expect, it } from 'vitest';
import { LinkedResources } from '../../../../electron/engine/catalogue/linked-resources.ts';
import { catalogueOf, serverOf } from '../../../helper/catalogue.ts';

const resources = [{ uri: 'a://1', name: 'a' }];

it('[PB-PASS-1] links are wanted of servers with resources, once several have some', () => {
  const one = serverOf('one', { resources });
  const other = serverOf('other', { resources });
  const none = serverOf('none', { tools: [{ name: 't' }] });
  const alone = new LinkedResources(() => catalogueOf(one, none));
  expect([alone.needsLinksOf('one'), alone.needsLinksOf('none')]).toEqual([false, false]);
  const both = catalogueOf(one, other, none);
  const links = new LinkedResources(() => both);
  expect(['one', 'other', 'none', 'unknown'].map((key) => links.needsLinksOf(key))).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

it('[PB-PASS-1] the oldest links are forgotten first, and very long ones are not kept', () => {
  const links = new LinkedResources(() => catalogueOf());
  for (let number = 0; number <= 5_000; number += 1) links.add('one', `a://${number}`);
  links.add('one', `a://${'x'.repeat(5_000)}`);
  expect([links.serverOf('a://0'), links.serverOf('a://1')]).toEqual([undefined, 'one']);
  expect(links.serverOf(`a://${'x'.repeat(5_000)}`)).toBeUndefined();
});
