import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import {
  briefDrainMs,
  maxDrainMs,
  maxStopMs,
  QuitSequence,
} from '../../../../electron/main/lifecycle/quit.ts';
import { FakeClock } from '../../../helper/fake-clock.ts';

/** Fakes Electron's app: accepts listeners and records the exit. */
class FakeApp extends EventEmitter {
  readonly exits: number[] = [];
  exit = (code = 0) => void this.exits.push(code);
  quit(): boolean {
    let prevented = false;
    this.emit('before-quit', { preventDefault: () => (prevented = true) });
    return prevented;
  }
}

const never = () => new Promise<void>(() => {});

function bench(stop: () => Promise<void> = async () => {}, drain: () => Promise<void> = never) {
  const app = new FakeApp();
  const clock = new FakeClock();
  const signals = new EventEmitter();
  const done: string[] = [];
  // Libraries listen to signals too and would quit in their own way.
  signals.on('SIGTERM', () => void done.push('a library ends it'));
  const quit = new QuitSequence({
    // The fake has everything that the sequence uses.
    app: app as unknown as Electron.App,
    signals,
    onAsked: () => void done.push('asked'),
    drain(milliseconds) {
      done.push(`drain ${milliseconds}`);
      return drain();
    },
    resume: () => void done.push('resume'),
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
    quit.quit('now');
    quit.quit('now');
    quit.quit('drain');
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

  it('[PB-APP-1] for an update runs it after everything has stopped, and exits in any case', async () => {
    const { app, clock, done, quit } = bench(async () => void done.push('stopped'));
    quit.quit('now', { run: () => void done.push('update'), onCancelled: () => {} });
    await clock.advance(0);
    expect(done).toEqual(['quitting', 'stopped', 'update']);
    expect(app.exits).toEqual([]);
    // The library then quits the app, and nothing prevents it any more.
    expect(app.quit()).toBe(false);
    await clock.advance(maxStopMs);
    expect(app.exits).toEqual([0]);
  });

  it('[PB-APP-1] for an update can be cancelled while calls finish, which is reported', async () => {
    const { app, clock, done, quit } = bench();
    quit.quit('drain', {
      run: () => void done.push('update'),
      onCancelled: () => void done.push('called off'),
    });
    quit.stay();
    expect(done).toContain('called off');
    quit.quit('now');
    await clock.advance(0);
    expect(app.exits).toEqual([0]);
    expect(done).not.toContain('update');
  });

  it('[PB-APP-1] for an update exits without it if the system shuts down meanwhile, or if it fails', async () => {
    const first = bench();
    const update = { run: () => void first.done.push('update'), calledOff: () => {} };
    first.quit.quit('drain', update);
    first.quit.quit('brief');
    await first.clock.advance(briefDrainMs);
    expect(first.app.exits).toEqual([0]);
    expect(first.done).not.toContain('update');

    const second = bench();
    const run = () => {
      throw new Error('no installer');
    };
    second.quit.quit('now', { run, onCancelled: () => {} });
    await second.clock.advance(0);
    expect(second.app.exits).toEqual([1]);
  });

  it('[PB-APP-1] asks first if the system requests it', () => {
    const { app, done, quit } = bench();
    expect(app.quit()).toBe(true);
    expect(done).toEqual(['asked']);
    expect(quit.quitting).toBe(false);
  });

  it('[PB-PROC-1] kills what does not stop in time', async () => {
    const { app, clock, done, quit } = bench(never);
    quit.quit('now');
    await clock.advance(maxStopMs - 1);
    expect(app.exits).toEqual([]);
    await clock.advance(1);
    expect(done).toEqual(['quitting', 'force']);
    expect(app.exits).toEqual([0]);
  });

  it('[PB-APP-1] is not held up by a failure', async () => {
    const { app, clock, done, quit } = bench(
      () => Promise.reject(new Error('broken')),
      () => Promise.reject(new Error('leaky')),
    );
    quit.quit('drain');
    await clock.advance(0);
    expect(done).toEqual([`drain ${maxDrainMs}`, 'Error: leaky', 'quitting', 'Error: broken']);
    expect(app.exits).toEqual([0]);
  });
});

describe('quitting after active calls have finished', () => {
  it('[AG-US6-AC3] [NFR-R4] ends with the last of them', async () => {
    const drained: (() => void)[] = [];
    const { app, clock, done, quit } = bench(
      undefined,
      () => new Promise((resolve) => drained.push(resolve)),
    );
    quit.quit('drain');
    await clock.advance(maxDrainMs - 1);
    expect(quit.draining).toBe(true);
    expect(quit.quitting).toBe(false);
    expect(app.exits).toEqual([]);
    drained[0]?.();
    await clock.advance(0);
    expect(done).toEqual([`drain ${maxDrainMs}`, 'quitting']);
    expect(app.exits).toEqual([0]);
    expect(clock.pending).toBe(0);
  });

  it('[AG-US6-AC3] waits for half a minute at most', async () => {
    const { app, clock, quit } = bench();
    quit.quit('drain');
    await clock.advance(maxDrainMs);
    expect(app.exits).toEqual([0]);
  });

  it('[PB-APP-1] can be sped up, and is not started twice', async () => {
    const { app, clock, done, quit } = bench();
    quit.quit('drain');
    quit.quit('drain');
    await clock.advance(100);
    expect(app.exits).toEqual([]);
    quit.quit('now');
    await clock.advance(0);
    expect(done).toEqual([`drain ${maxDrainMs}`, 'quitting']);
    expect(app.exits).toEqual([0]);
  });

  it('[PB-APP-1] [AG-US6-AC3] can be cancelled, and started again', async () => {
    const { app, clock, done, quit } = bench();
    quit.quit('drain');
    await clock.advance(1_000);
    quit.stay();
    await clock.advance(2 * maxDrainMs);
    expect([quit.draining, quit.quitting, app.exits]).toEqual([false, false, []]);
    quit.stay();
    quit.quit('drain');
    await clock.advance(maxDrainMs);
    expect(done).toEqual([`drain ${maxDrainMs}`, 'resume', `drain ${maxDrainMs}`, 'quitting']);
    expect(app.exits).toEqual([0]);
  });

  it('[PB-APP-1] is not cancelled by a last call that ends later', async () => {
    const drained: (() => void)[] = [];
    const { app, clock, quit } = bench(undefined, () => new Promise((resolve) => drained.push(resolve)));
    quit.quit('drain');
    quit.stay();
    drained[0]?.();
    await clock.advance(0);
    expect(app.exits).toEqual([]);
    expect(clock.pending).toBe(0);
  });

  it('[PB-APP-1] cannot be cancelled during a system shutdown', async () => {
    const { app, clock, quit, signals } = bench();
    quit.quit('drain');
    signals.emit('SIGTERM');
    quit.stay();
    await clock.advance(briefDrainMs);
    expect(app.exits).toEqual([0]);
  });

  it('[PB-APP-1] asks about the remaining calls if a quit is requested meanwhile', () => {
    const { app, done, quit } = bench();
    quit.quit('drain');
    app.quit();
    expect(done).toEqual([`drain ${maxDrainMs}`, 'asked']);
  });

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'])(
    '[PB-APP-1] handles %s, and gives calls a short time',
    async (signal) => {
      const { app, clock, done, signals } = bench();
      signals.emit(signal);
      await clock.advance(briefDrainMs - 1);
      expect(app.exits).toEqual([]);
      await clock.advance(1);
      expect(done).toEqual([`drain ${briefDrainMs}`, 'quitting']);
      expect(app.exits).toEqual([0]);
    },
  );

  it('[PB-APP-1] does not delay a system shutdown', async () => {
    const { app, clock, quit, signals } = bench();
    quit.quit('drain');
    await clock.advance(1_000);
    signals.emit('SIGTERM');
    await clock.advance(briefDrainMs);
    expect(app.exits).toEqual([0]);
  });
});
