import { expect, it } from 'vitest';
import { lookEvery, networkAddresses, watchNetwork } from '../../../../electron/main/port/network-watch.ts';

it('[AG-US5-AC4] hears of a network that has changed, once a change', () => {
  let network = 'home';
  const heard: string[] = [];
  let look = () => {};
  const watch = watchNetwork({
    read: () => network,
    onChange: () => void heard.push(network),
    every(milliseconds, action) {
      expect(milliseconds).toBe(lookEvery);
      look = action;
      return { dispose: () => void heard.push('ended') };
    },
  });
  look();
  expect(heard).toEqual([]);
  network = 'train';
  look();
  look();
  watch.dispose();
  expect(heard).toEqual(['train', 'ended']);
});

it('[AG-US5-AC4] takes the same network for the same', () => {
  expect(networkAddresses()).toBe(networkAddresses());
  expect(networkAddresses()).not.toContain('127.0.0.1');
});
