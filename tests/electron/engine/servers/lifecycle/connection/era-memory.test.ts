import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { silentLogger } from '../../../../../../electron/engine/base/logger.ts';
import {
  EraMemory,
  knownEra,
} from '../../../../../../electron/engine/servers/lifecycle/connection/era-memory.ts';
import type { LaunchTarget } from '../../../../../../electron/engine/servers/server-config.ts';
import { FakeClock } from '../../../../../helper/fake-clock.ts';
import { tempDir } from '../../../../../helper/temp-dir.ts';

const target = (command: string, protocol?: LaunchTarget['protocol']) =>
  ({ kind: 'stdio', command, args: [], env: {}, protocol }) as unknown as LaunchTarget;
const day = 24 * 60 * 60_000;

function memory() {
  const clock = new FakeClock();
  return { clock, eras: new EraMemory(clock, silentLogger) };
}

describe('[PB-DUAL-3] the eras of servers', () => {
  it('are remembered for a day, by command line', async () => {
    const { clock, eras } = memory();
    expect(eras.eraOf(target('a'))).toBeUndefined();
    eras.remember(target('a'), 'legacy', '1');
    eras.remember(target('b'), 'modern', '1');
    expect([eras.eraOf(target('a')), eras.eraOf(target('b'))]).toEqual(['legacy', 'modern']);
    await clock.advance(day - 1);
    expect(eras.eraOf(target('a'))).toBe('legacy');
    await clock.advance(1);
    expect(eras.eraOf(target('a'))).toBeUndefined();
  });

  it.each(['legacy', 'modern'] as const)(
    '[PB-DUAL-4] are asked again once after an update, and may have changed: %s before',
    (before) => {
      const { eras } = memory();
      const after = before === 'legacy' ? 'modern' : 'legacy';
      eras.remember(target('a'), before, '1');
      eras.remember(target('a'), before, '2');
      expect(eras.eraOf(target('a'))).toBeUndefined();
      eras.remember(target('a'), after, '2');
      expect(eras.eraOf(target('a'))).toBe(after);
      eras.remember(target('a'), after, '3');
      eras.remember(target('a'), before, '3');
      expect(eras.eraOf(target('a'))).toBe(before);
    },
  );

  it('[PB-DUAL-4] are asked again at once if a server refuses the sessions it had', () => {
    const { eras } = memory();
    eras.remember(target('a'), 'legacy', '1');
    eras.remember(target('b'), 'modern', '1');
    expect([eras.forget(target('a')), eras.forget(target('b'))]).toEqual([true, false]);
    expect(eras.eraOf(target('a'))).toBeUndefined();
    expect(eras.forget(target('a'))).toBe(false);
  });

  it('are not asked once after a program quit over the question', () => {
    const { eras } = memory();
    eras.quitWhenAsked(target('a'));
    expect(eras.eraOf(target('a'))).toBe('legacy');
    expect(eras.eraOf(target('a'))).toBeUndefined();
  });

  it('are those of the entry if it says so; only sessions need no question', () => {
    const { eras } = memory();
    eras.remember(target('a'), 'legacy', '1');
    eras.remember(target('b'), 'modern', '1');
    expect(knownEra(target('a', 'auto'), eras)?.reason).toContain('last asked');
    expect(knownEra(target('b', 'auto'), eras)).toBeUndefined();
    expect(knownEra(target('a', 'modern'), eras)).toBeUndefined();
    expect(knownEra(target('b', 'legacy'), eras)).toMatchObject({ reason: 'its entry says so' });
  });

  it('outlive the program; a file that cannot be read costs one question', async () => {
    await using folder = await tempDir();
    const file = join(folder.path, 'eras.json');
    const clock = new FakeClock();
    const open = () => new EraMemory(clock, silentLogger, file);
    const first = open();
    first.remember(target('a'), 'legacy', '1');
    await first.settled();
    expect(open().eraOf(target('a'))).toBe('legacy');
    for (const text of ['{', '[]', '{"x":{"era":"other","at":1}}', '{"x":1}']) {
      await writeFile(file, text);
      expect(open().eraOf(target('a'))).toBeUndefined();
    }
  });
});
