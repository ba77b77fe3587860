import { describe, expect, it } from 'vitest';
import { createHubStarter, type StartFailure } from '../../../electron/bridge/hub-starter.ts';
import { problem } from '../../../shared/error/problem.ts';
import { FakeClock } from '../../helper/fake-clock.ts';

const full = problem('hub.disk_full', 'Full.', 'Free some.');

type Outcome = StartFailure | 'unneeded';

function bench() {
  const clock = new FakeClock();
  const starts: { end(outcome?: Outcome): void; isReleased: boolean }[] = [];
  const launch = () => {
    let end: (outcome?: Outcome) => void = () => {};
    const failed = new Promise<Outcome | undefined>((resolve) => {
      end = resolve;
    });
    const start = { end, isReleased: false };
    starts.push(start);
    return {
      failed,
      release() {
        start.isReleased = true;
      },
    };
  };
  return { clock, starts, starter: createHubStarter({ launch, clock, random: () => 0.5 }) };
}

describe('the starter of hubs', () => {
  it('[PB-BRIDGE-1] starts one hub per pause, and the pauses grow', async () => {
    const { clock, starts, starter } = bench();
    starter.start('none');
    expect(starts).toHaveLength(0);
    for (let second = 0; second < 120; second += 1) {
      starter.start(second % 2 === 0 ? 'later' : 'now');
      await clock.advance(1_000);
    }
    expect(starts).toHaveLength(4);
    expect(starts.map(({ isReleased }) => isReleased)).toEqual([true, true, true, false]);
  });

  it('[PB-BRIDGE-1] reports why a start failed for a while, then tries again for a waiting request', async () => {
    const { clock, starts, starter } = bench();
    starter.start('later');
    starts[0]?.end({ problem: full, isFinal: true });
    await clock.advance(100);
    expect([starter.failure, starter.reason]).toEqual([full, full]);
    starter.start('now');
    expect(starts).toHaveLength(1);
    await clock.advance(3_000);
    expect([starter.failure, starter.reason]).toEqual([undefined, full]);
    starter.start('later');
    expect(starts).toHaveLength(1);
    starter.start('now');
    expect(starts).toHaveLength(2);
    expect(starter.failure).toBeUndefined();
    starter.reset();
    expect(starter.reason).toBeUndefined();
    starts[1]?.end({ problem: full, isFinal: true });
    await clock.advance(1);
    expect(starter.failure).toBeUndefined();
  });

  it('[PB-BRIDGE-1] does not start another where one may still come, nor after one that ended well', async () => {
    const { clock, starts, starter } = bench();
    starter.start('now');
    starts[0]?.end({ problem: full, isFinal: false });
    await clock.advance(4_000);
    expect([starter.failure, starter.reason]).toEqual([undefined, full]);
    starter.start('now');
    expect(starts).toHaveLength(1);
    await clock.advance(6_000);
    starter.start('now');
    starts[1]?.end();
    await clock.advance(10_000);
    starter.start('now');
    expect(starts).toHaveLength(2);
  });

  it('[PB-BRIDGE-1] looks again soon while a hub runs, without longer pauses once it has quit', async () => {
    const { clock, starts, starter } = bench();
    for (let look = 0; look < 5; look += 1) {
      starter.start('now');
      expect(starts).toHaveLength(look + 1);
      starts[look]?.end('unneeded');
      await clock.advance(1);
      await clock.advance(500);
    }
    starter.start('now');
    starts[5]?.end();
    await clock.advance(10_000);
    starter.start('now');
    expect(starts).toHaveLength(7);
  });
});
