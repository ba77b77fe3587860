import { readdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { type StoredPin, toolPins } from '../../../../electron/engine/pinning/tool-pins.ts';
import { FakeClock } from '../../../helper/fake-clock.ts';
import { stateIn } from '../../../helper/state-db.ts';
import { tempDir } from '../../../helper/temp-dir.ts';

const pin = (name: string, changes: Partial<StoredPin> = {}): StoredPin => ({
  serverKey: 'a "b"',
  name,
  approved: [`digest-of-${name}`, 'older'],
  approvedAt: 5,
  blocked: undefined,
  passedAt: undefined,
  ...changes,
});

test('[PB-SAFE-1] decisions survive a restart, with the approved text', async () => {
  await using folder = await tempDir();
  const before = stateIn(folder.path);
  const pins = toolPins(before, new FakeClock());
  pins.save(pin('x'), { definition: '{"name":"x"}', previous: '{"name":"older"}' });
  pins.save(pin('x', { blocked: 'other', passedAt: 7 }));
  pins.save(pin('y', { approved: [], approvedAt: undefined, blocked: 'd' }));
  await pins.flush();
  await before.close();

  await using after = stateIn(folder.path);
  const again = toolPins(after, new FakeClock());
  expect(await again.load()).toEqual([
    pin('x', { blocked: 'other', passedAt: 7 }),
    pin('y', { approved: [], approvedAt: undefined, blocked: 'd' }),
  ]);
  expect(await again.definition('a "b"', 'x')).toBe('{"name":"x"}');
  expect(await again.previous('a "b"', 'x')).toBe('{"name":"older"}');
  expect(await again.definition('a "b"', 'z')).toBeUndefined();
});

test('[PB-SAFE-1] trust at first sight replaces no decision', async () => {
  await using folder = await tempDir();
  await using state = stateIn(folder.path);
  const pins = toolPins(state, new FakeClock());
  pins.save(pin('x'), { definition: 'approved' });
  pins.trust([{ ...pin('x', { approved: ['seen-now'] }), definition: () => 'seen now' }]);
  await pins.flush();
  expect(await pins.load()).toEqual([pin('x')]);
  expect(await pins.definition('a "b"', 'x')).toBe('approved');
});

test('[PB-SAFE-1] any number of tools can be trusted at once', async () => {
  await using folder = await tempDir();
  await using state = stateIn(folder.path);
  const pins = toolPins(state, new FakeClock());
  const names = Array.from({ length: 230 }, (_, index) => `t${index}`);
  pins.trust(names.map((name) => ({ ...pin(name), definition: () => `text of ${name}` })));
  await pins.flush();
  expect((await pins.load()).map(({ name }) => name).sort()).toEqual([...names].sort());
  expect(await pins.definition('a "b"', 't229')).toBe('text of t229');
});

test('[PB-SAFE-1] a server’s decisions can be forgotten, and go with it to another key', async () => {
  await using folder = await tempDir();
  await using state = stateIn(folder.path);
  const pins = toolPins(state, new FakeClock());
  pins.save(pin('x'), { definition: 'text' });
  pins.save(pin('stale', { serverKey: 'c' }), { definition: 'text' });
  pins.copy('a "b"', 'c');
  pins.forget('a "b"');
  await pins.flush();
  expect(await pins.load()).toEqual([pin('x', { serverKey: 'c' })]);
  expect(await pins.definition('c', 'x')).toBe('text');
});

test('[PB-SAFE-1] deleting alone creates no database', async () => {
  await using folder = await tempDir();
  await using state = stateIn(folder.path);
  const pins = toolPins(state, new FakeClock());
  pins.forget('a');
  expect(await pins.flush()).toBe(true);
  expect(await pins.load()).toEqual([]);
  expect(await readdir(folder.path)).toEqual([]);
});
