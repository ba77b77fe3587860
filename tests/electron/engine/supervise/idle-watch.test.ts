import { describe, expect, it } from 'vitest';
import { IdleWatch } from '../../../../electron/engine/supervise/idle-watch.ts';
import { FakeClock } from '../../../helper/fake-clock.ts';

function open(beforeIdle?: () => Promise<void>) {
  const clock = new FakeClock();
  const told: number[] = [];
  let busy = false;
  const watch = new IdleWatch({
    clock,
    isBusy: () => busy,
    beforeIdle,
    onIdle: () => told.push(clock.now()),
  });
  watch.setLimit(1000);
  return {
    clock,
    watch,
    told,
    set busy(now: boolean) {
      busy = now;
    },
  };
}

describe('a server that nobody uses', () => {
  it('[PB-DEMAND-1] is reported once, when it has not been used for long enough', async () => {
    const it = open();
    await it.clock.advance(600);
    it.watch.markUsed();
    await it.clock.advance(900);
    expect(it.told).toEqual([]);
    await it.clock.advance(200);
    expect(it.told).toHaveLength(1);
    await it.clock.advance(10_000);
    expect(it.told).toHaveLength(1);
  });

  it('is not idle while it is busy', async () => {
    const it = open();
    it.busy = true;
    await it.clock.advance(5000);
    it.busy = false;
    await it.clock.advance(900);
    expect(it.told).toEqual([]);
    await it.clock.advance(200);
    expect(it.told).toHaveLength(1);
  });

  it('[PB-DEMAND-1] waits for the work before its sleep, and stays awake if it is used meanwhile', async () => {
    const measured: (() => void)[] = [];
    const it = open(() => new Promise((resolve) => measured.push(resolve)));
    await it.clock.advance(1000);
    expect(measured).toHaveLength(1);
    await it.clock.advance(500);
    it.watch.markUsed();
    measured[0]?.();
    await it.clock.advance(0);
    expect(it.told).toEqual([]);
    await it.clock.advance(1000);
    measured[1]?.();
    await it.clock.advance(0);
    expect(it.told).toHaveLength(1);
  });

  it('sleeps even if the work before failed, and not at all once the limit is removed', async () => {
    const failing = open(() => Promise.reject(new Error('no memory to be read')));
    await failing.clock.advance(1000);
    expect(failing.told).toHaveLength(1);
    const awake = open(() => Promise.resolve());
    await awake.clock.advance(999);
    awake.watch.setLimit(undefined);
    await awake.clock.advance(5000);
    expect(awake.told).toEqual([]);
  });
});
