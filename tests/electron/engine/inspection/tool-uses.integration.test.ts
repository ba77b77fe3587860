import { expect, test } from 'vitest';
import { type ToolUse, toolUses } from '../../../../electron/engine/inspection/tool-uses.ts';
import { FakeClock } from '../../../helper/fake-clock.ts';
import { stateIn } from '../../../helper/state-db.ts';
import { tempDir } from '../../../helper/temp-dir.ts';

const use = (changes: Partial<ToolUse> = {}): ToolUse => ({
  day: 100,
  client: 'claude-ai',
  serverKey: 'a "b"',
  name: 'x',
  calls: 1,
  ...changes,
});

test('[AG-US7-AC1] calls of a day add up across restarts, by client and tool', async () => {
  await using folder = await tempDir();
  {
    await using state = stateIn(folder.path);
    const uses = toolUses(state, new FakeClock(), 30);
    uses.add([use({ calls: 2 }), use({ name: 'y' })]);
    uses.add([use({ calls: 3 })]);
    await uses.flush();
  }
  await using state = stateIn(folder.path);
  const uses = toolUses(state, new FakeClock(), 30);
  uses.add([use({ day: 101 }), use({ client: 'cursor' })]);
  const all = await uses.since(100);
  expect(all).toHaveLength(4);
  expect(all).toEqual(
    expect.arrayContaining([
      use({ calls: 5 }),
      use({ name: 'y' }),
      use({ day: 101 }),
      use({ client: 'cursor' }),
    ]),
  );
  expect(await uses.since(101)).toEqual([use({ day: 101 })]);
});

test('[AG-US7-AC1] days that are too old are deleted', async () => {
  await using folder = await tempDir();
  await using state = stateIn(folder.path);
  const uses = toolUses(state, new FakeClock(), 30);
  uses.add([use({ day: 10 })]);
  await uses.flush();
  uses.add([use({ day: 41 })]);
  expect(await uses.since(0)).toEqual([use({ day: 41 })]);
});
