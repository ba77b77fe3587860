import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { longestStop, QuitSequence } from '../../../../electron/main/lifecycle/quit.ts';
import { FakeClock } from '../../../helper/fake-clock.ts';

/** Stands in for Electron's app: takes listeners and notes the exit. */
class FakeApp extends EventEmitter {
  readonly exits: number[] = [];
  exit = (code = 0) => void this.exits.push(code);
  quit(): boolean {
    let prevented = false;
    this.emit('before-quit', { preventDefault: () => (prevented = true) });
    return prevented;
  }
}

function bench(stop: () => Promise<void>) {
  const app = new FakeApp();
  const clock = new FakeClock();
  const signals = new EventEmitter();
  const done: string[] = [];
  const quit = new QuitSequence({
    // The fake has what the sequence uses of it.
    app: app as unknown as Electron.App,
    signals,
    stop,
    force: () => void done.push('force'),
    onQuitting: () => void done.push('quitting'),
    onError: (error) => void done.push(String(error)),
    after: (milliseconds, action) => clock.after(milliseconds, action),
  });
  return { app, clock, done, quit, signals };
}

describe('quitting', () => {
  it('[PB-APP-1] stops everything first, however often it is asked', async () => {
    const stops: (() => void)[] = [];
    const { app, clock, done, quit } = bench(() => new Promise((resolve) => stops.push(resolve)));
    expect(app.quit()).toBe(true);
    quit.quit();
    expect(app.quit()).toBe(true);
    expect(quit.quitting).toBe(true);
    expect(stops).toHaveLength(1);
    expect(app.exits).toEqual([]);
    stops[0]?.();
    await clock.advance(0);
    expect(app.exits).toEqual([0]);
    expect(done).toEqual(['quitting']);
    expect(app.quit()).toBe(false);
    expect(clock.pending).toBe(0);
  });

  it('[PB-PROC-1] ends by force what does not end in time', async () => {
    const { app, clock, done, quit } = bench(() => new Promise(() => {}));
    quit.quit();
    await clock.advance(longestStop - 1);
    expect(app.exits).toEqual([]);
    await clock.advance(1);
    expect(done).toEqual(['quitting', 'force']);
    expect(app.exits).toEqual([0]);
  });

  it('[PB-APP-1] is not held up by a failure', async () => {
    const { app, clock, done, quit } = bench(() => Promise.reject(new Error('broken')));
    quit.quit();
    await clock.advance(0);
    expect(done).toEqual(['quitting', 'Error: broken']);
    expect(app.exits).toEqual([0]);
  });

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'])('[PB-APP-1] follows %s', async (signal) => {
    const { app, clock, signals } = bench(async () => {});
    signals.emit(signal);
    await clock.advance(0);
    expect(app.exits).toEqual([0]);
  });
});
