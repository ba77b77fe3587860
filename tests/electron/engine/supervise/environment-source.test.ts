import { describe, expect, it } from 'vitest';
import { createEnvironmentSource } from '../../../../electron/engine/supervise/environment-source.ts';
import type { EnvironmentReading } from '../../../../electron/engine/supervise/login-env.ts';
import { FakeClock } from '../../../helper/fake-clock.ts';

const reading = (
  env: Record<string, string>,
  more: Partial<EnvironmentReading> = {},
): EnvironmentReading => ({
  env,
  source: 'login-shell',
  readAt: 0,
  commonDirs: [],
  ...more,
});

const problem = {
  code: 'server.spawn_failed',
  sentence: 'The shell hangs.',
  fix: 'Mend it.',
  evidence: [],
} as const;

/** Creates a source whose shell gives these answers in turn, and whose common folders are `usual`. */
function setUp(...answers: readonly EnvironmentReading[]) {
  const clock = new FakeClock();
  const state = { reads: 0, usual: '' };
  const source = createEnvironmentSource({
    clock,
    read: async () => {
      const answer = answers[Math.min(state.reads, answers.length - 1)];
      state.reads++;
      return answer ?? reading({});
    },
    complete: async (known) =>
      state.usual === ''
        ? known
        : { ...known, env: { ...known.env, PATH: `${known.env.PATH}:${state.usual}` } },
  });
  return { clock, source, state };
}

describe('the environment of servers', () => {
  it('is read once, however many callers there are', async () => {
    const { source, state } = setUp(reading({ PATH: '/a' }));
    expect(source.latest).toBeUndefined();
    const [one, other] = await Promise.all([source.reading(), source.reading()]);
    expect(one).toBe(other);
    expect(source.latest).toBe(one);
    expect(await source.reading()).toBe(one);
    expect(state.reads).toBe(1);
  });

  it('is read again on request, reporting names but no values', async () => {
    const { source, state } = setUp(
      reading({ PATH: '/a', GONE: 'secret', SAME: '1' }),
      reading({ PATH: '/b', NEW: 'secret', SAME: '1' }),
    );
    const [one, other] = await Promise.all([source.reload(), source.reload()]);
    expect(one).toEqual(['GONE', 'NEW', 'PATH']);
    expect(other).toBe(one);
    expect((await source.reading()).env.PATH).toBe('/b');
    expect(state.reads).toBe(2);
    expect(await source.reload()).toEqual([]);
  });

  it('stays as it was when the shell no longer answers, and says so', async () => {
    const { source } = setUp(reading({ PATH: '/a' }), reading({ PATH: '/poor' }, { problem }));
    await expect(source.reload()).rejects.toMatchObject({ problem });
    expect((await source.reading()).env.PATH).toBe('/a');
    expect(await source.refresh()).toBe(false);
  });

  it('is read again after a command was not found, but not within two minutes', async () => {
    const { clock, source, state } = setUp(reading({ PATH: '/a' }), reading({ PATH: '/b' }));
    await source.reading();
    expect(await source.refresh()).toBe(false);
    expect(state.reads).toBe(1);
    await clock.advance(120_000);
    expect(await Promise.all([source.refresh(), source.refresh()])).toEqual([true, true]);
    expect(await source.refresh()).toBe(false);
    expect(state.reads).toBe(2);
  });

  it('has new command folders immediately', async () => {
    const { source, state } = setUp(reading({ PATH: '/a' }));
    await source.reading();
    state.usual = '/home/me/.local/bin';
    expect(await source.refresh()).toBe(true);
    expect((await source.reading()).env.PATH).toBe('/a:/home/me/.local/bin');
    expect(state.reads).toBe(1);
  });

  it('is the initial one until it is read', async () => {
    const clock = new FakeClock();
    const first = reading({ PATH: '/first' });
    const read = async () => reading({ PATH: '/first:/more' });
    const source = createEnvironmentSource({ clock, first, read, complete: async (known) => known });
    expect(await source.reading()).toBe(first);
    expect(await source.refresh()).toBe(true);
    expect(source.latest?.env.PATH).toBe('/first:/more');
  });
});
