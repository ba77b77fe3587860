import { readdir } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import type { BreakerSnapshot, BreakerStore } from '../../../../../electron/engine/routing/contract.ts';
import { breakerMemory } from '../../../../../electron/engine/routing/resilience/breaker-memory.ts';
import { eventually } from '../../../../helper/eventually.ts';
import { FakeClock } from '../../../../helper/fake-clock.ts';
import { canMount, smallDisk } from '../../../../helper/small-disk.ts';
import { stateIn } from '../../../../helper/state-db.ts';
import { tempDir } from '../../../../helper/temp-dir.ts';

const open: BreakerSnapshot = {
  serverKey: 'weather',
  name: 'forecast',
  state: 'open',
  failures: 5,
  successes: 0,
  openedAt: 1_000,
  until: 61_000,
};
const halfOpen: BreakerSnapshot = { ...open, state: 'half-open', successes: 2 };
const closed: BreakerSnapshot = {
  ...open,
  state: 'closed',
  failures: 0,
  openedAt: undefined,
  until: undefined,
};

describe('circuits across restarts', () => {
  it('[REQ-MCP-CALL-005] are restored unless closed, each in its last state', async () => {
    await using folder = await tempDir();
    const before = stateIn(folder.path);
    const memory = breakerMemory(before, new FakeClock());
    const other = { ...open, name: 'wind' };
    const third = { ...open, serverKey: 'forecast', name: 'weather' };
    for (const snapshot of [open, other, third, halfOpen, { ...other, ...closed, name: 'wind' }])
      await memory.save(snapshot);
    await memory.flush();
    await before.close();

    await using after = stateIn(folder.path);
    const again: BreakerStore = breakerMemory(after, new FakeClock());
    expect(await again.load()).toEqual([halfOpen, third]);
  });

  it('[REQ-MCP-CALL-005] are forgotten once they are closed', async () => {
    await using folder = await tempDir();
    await using state = stateIn(folder.path);
    const memory = breakerMemory(state, new FakeClock());
    await memory.save(open);
    await memory.flush();
    await memory.save(closed);
    await memory.flush();
    expect(await memory.load()).toEqual([]);
  });

  it('create no database while all are closed', async () => {
    await using folder = await tempDir();
    await using state = stateIn(folder.path);
    const memory = breakerMemory(state, new FakeClock());
    expect(await memory.load()).toEqual([]);
    await memory.save(closed);
    await memory.flush();
    expect(await readdir(folder.path)).toEqual([]);
  });

  it.runIf(canMount)('stay in memory while the disk is full, and are written when it is not', async () => {
    await using disk = await smallDisk('512k');
    await using state = stateIn(disk.path);
    const clock = new FakeClock();
    const memory = breakerMemory(state, clock);
    disk.fill();
    await memory.save(open);
    await clock.advance(20);
    await eventually(() => expect(state.reported.use).toMatchObject({ code: 'hub.disk_full' }));
    await memory.save(halfOpen);
    await disk.empty();
    await eventually(async () => {
      await clock.advance(5_000);
      expect(await memory.load()).toEqual([halfOpen]);
    });
    expect(state.reported.use).toBeUndefined();
  });
});
