import { expect, it } from 'vitest';
import {
  networkAddresses,
  pollIntervalMs,
  watchNetwork,
} from '../../../../electron/main/port/network-watch.ts';

it('[AG-US5-AC4] reports each network change once', () => {
  let network = 'home';
  const heard: string[] = [];
  let look = () => {};
  const watch = watchNetwork({
    read: () => network,
    onChange: () => void heard.push(network),
    every(milliseconds, action) {
      expect(milliseconds).toBe(pollIntervalMs);
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

it('[AG-US5-AC4] does not report an unchanged network', () => {
  expect(networkAddresses()).toBe(networkAddresses());
  expect(networkAddresses()).not.toContain('127.0.0.1');
});
