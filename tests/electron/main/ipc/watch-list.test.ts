import { describe, expect, it } from 'vitest';
import type { BatchedEvent } from '../../../../electron/main/ipc/event-batch.ts';
import { WatchList } from '../../../../electron/main/ipc/watch-list.ts';
import { FakeEngine } from '../../../helper/fake-engine.ts';

function bench() {
  const engine = new FakeEngine();
  const pushed: BatchedEvent[] = [];
  return { engine, pushed, watches: new WatchList({ engine, push: (event) => void pushed.push(event) }) };
}

describe('log lines', () => {
  it('[PB-IPC-1] are pushed only while their server is watched, and once', () => {
    const { engine, pushed, watches } = bench();
    watches.watchLog('a');
    watches.watchLog('a');
    engine.logs.get('a')?.fire([]);
    watches.unwatchLog('a');
    engine.logs.get('a')?.fire([]);
    expect(pushed).toEqual([{ name: 'server.log', payload: { key: 'a', lines: [] } }]);
  });

  it('[PB-IPC-1] end with the page that watched', () => {
    const { engine, watches } = bench();
    watches.watchLog('a');
    watches.dispose();
    expect(engine.logs.get('a')?.hasListeners).toBe(false);
  });
});

describe('activity', () => {
  it('[PB-IPC-1] is pushed only while it is watched, and once', () => {
    const { engine, pushed, watches } = bench();
    const added = { rows: [], skipped: 1 };
    engine.activities.fire(added);
    watches.watchActivity(true);
    watches.watchActivity(true);
    engine.activities.fire(added);
    watches.dispose();
    engine.activities.fire(added);
    expect(pushed).toEqual([{ name: 'activity.added', payload: added }]);
    expect(engine.activities.hasListeners).toBe(false);
  });
});

describe('memory', () => {
  it.each([
    [false, false, false],
    [true, false, false],
    [false, true, false],
    [true, true, true],
  ])('[PB-IPC-1] wanted %s and visible %s is sampled: %s', (wanted, visible, sampled) => {
    const { engine, watches } = bench();
    watches.watchUsage(wanted);
    watches.setVisible(visible);
    expect(engine.usages.hasListeners).toBe(sampled);
  });

  it('[PB-IPC-1] stops while the window is hidden and goes on after', () => {
    const { engine, pushed, watches } = bench();
    watches.setVisible(true);
    watches.watchUsage(true);
    watches.setVisible(false);
    expect(engine.usages.hasListeners).toBe(false);
    watches.setVisible(true);
    engine.usages.fire([]);
    expect(pushed).toEqual([{ name: 'process.usage', payload: { usage: [] } }]);
    watches.dispose();
    expect(engine.usages.hasListeners).toBe(false);
  });
});
