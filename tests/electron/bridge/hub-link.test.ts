import { describe, expect, it } from 'vitest';
import { createHubLink, type HubLinkOptions } from '../../../electron/bridge/hub-link.ts';
import { FakeClock } from '../../helper/fake-clock.ts';

/** Links to a hub that is not running; each try is counted. */
function bench(options: Partial<HubLinkOptions> = {}) {
  const clock = new FakeClock();
  const counts = { tries: 0, watches: 0, ends: 0 };
  const signs: (() => void)[] = [];
  const losses: (() => void)[] = [];
  const link = createHubLink({
    connect: async () => {
      counts.tries += 1;
      throw new Error('no hub');
    },
    startHub: () => {},
    demand: () => 'later',
    onConnected: () => {},
    onFailed: () => {},
    watch(onSign, onLost) {
      counts.watches += 1;
      signs.push(onSign);
      losses.push(onLost);
      return {
        dispose: () => {
          counts.ends += 1;
        },
      };
    },
    clock,
    random: () => 0.5,
    ...options,
  });
  /** Advances in steps, because a try settles in later turns of the event loop. */
  const pass = async (seconds: number) => {
    for (let step = 0; step < seconds * 10; step += 1) await clock.advance(100);
  };
  link.start();
  return { link, counts, pass, sign: () => signs.at(-1)?.(), lose: () => losses.at(-1)?.() };
}

describe('the link to a hub that is down', () => {
  it('[PB-BRIDGE-1] hardly tries while it watches for a hub', async () => {
    const it = bench();
    await it.pass(120);
    const settled = it.counts.tries;
    await it.pass(600);
    expect(it.counts.tries - settled).toBeLessThanOrEqual(12);
    expect(it.counts.watches).toBe(1);
    it.link.close();
    expect(it.counts.ends).toBe(1);
  });

  it('[PB-BRIDGE-1] tries at once when it sees a sign of one, and again for as long as that may take', async () => {
    const it = bench();
    await it.pass(300);
    const before = it.counts.tries;
    it.sign();
    await it.pass(1);
    expect(it.counts.tries - before).toBeGreaterThanOrEqual(2);
  });

  it('[PB-BRIDGE-1] polls if nothing can be watched, or no longer', async () => {
    const blind = bench({ watch: () => undefined });
    await blind.pass(120);
    const settled = blind.counts.tries;
    await blind.pass(60);
    expect(blind.counts.tries - settled).toBeGreaterThanOrEqual(10);

    const it = bench();
    await it.pass(300);
    it.lose();
    it.sign();
    await it.pass(10);
    expect(it.counts.watches).toBe(2);
  });

  it('[PB-BRIDGE-1] is quick for a request that waits, whatever can be seen', async () => {
    const it = bench({ demand: () => 'now' });
    await it.pass(60);
    const settled = it.counts.tries;
    await it.pass(60);
    expect(it.counts.tries - settled).toBeGreaterThanOrEqual(50);
  });
});
