import { describe, expect, it } from 'vitest';
import { waitUntilGone } from '../../../../../../electron/engine/servers/process/tree/stop-tree.ts';
import { FakeClock } from '../../../../../helper/fake-clock.ts';

describe('waiting for processes to end', () => {
  it('[PB-PROC-1] ends in time, even if the system time is set back meanwhile', async () => {
    const clock = new FakeClock();
    let back = 0;
    const turned = {
      now: () => clock.now() - back,
      uptime: () => clock.uptime(),
      after: (milliseconds: number, action: () => void) => clock.after(milliseconds, action),
    };
    const waiting = waitUntilGone(async () => [7], { clock: turned, step: 2000 });
    await clock.advance(500);
    back = 3_600_000;
    await clock.advance(2000);
    expect(await waiting).toEqual([7]);
  });
});
