import { describe, expect, it } from 'vitest';
import type { BatchedEvent } from '../../../../electron/main/ipc/event-batch.ts';
import { WatchList } from '../../../../electron/main/ipc/watch-list.ts';
import { FakeHub, runningRunOf, runOf } from '../../../helper/fake-hub.ts';

async function bench() {
  const hub = new FakeHub();
  const pushed: BatchedEvent[] = [];
  const run = await runningRunOf(hub);
  return { hub, pushed, watches: new WatchList({ hub: run, push: (event) => void pushed.push(event) }) };
}

describe('log lines', () => {
  it('[PB-IPC-1] are pushed only while their server is watched, and once', async () => {
    const { hub, pushed, watches } = await bench();
    watches.watchLog('a');
    watches.watchLog('a');
    hub.logs.get('a')?.fire([]);
    watches.unwatchLog('a');
    hub.logs.get('a')?.fire([]);
    expect(pushed).toEqual([{ name: 'server.log', payload: { key: 'a', lines: [] } }]);
  });

  it('[PB-IPC-1] end with the page that watched', async () => {
    const { hub, watches } = await bench();
    watches.watchLog('a');
    watches.dispose();
    expect(hub.logs.get('a')?.hasListeners).toBe(false);
  });
});

describe('activity', () => {
  it('[PB-IPC-1] is pushed only while it is watched, and once', async () => {
    const { hub, pushed, watches } = await bench();
    const added = { rows: [], skipped: 1 };
    hub.activities.fire(added);
    watches.watchActivity(true);
    watches.watchActivity(true);
    hub.activities.fire(added);
    watches.dispose();
    hub.activities.fire(added);
    expect(pushed).toEqual([{ name: 'activity.added', payload: added }]);
    expect(hub.activities.hasListeners).toBe(false);
  });
});

describe('memory', () => {
  it.each([
    [false, false, false],
    [true, false, false],
    [false, true, false],
    [true, true, true],
  ])('[PB-IPC-1] wanted %s and visible %s is sampled: %s', async (wanted, visible, sampled) => {
    const { hub, watches } = await bench();
    watches.watchUsage(wanted);
    watches.setVisible(visible);
    expect(hub.usages.hasListeners).toBe(sampled);
  });

  it('[PB-IPC-1] stops while the window is hidden and goes on after', async () => {
    const { hub, pushed, watches } = await bench();
    watches.setVisible(true);
    watches.watchUsage(true);
    watches.setVisible(false);
    expect(hub.usages.hasListeners).toBe(false);
    watches.setVisible(true);
    hub.usages.fire([]);
    expect(pushed).toEqual([{ name: 'process.usage', payload: { usage: [] } }]);
    watches.dispose();
    expect(hub.usages.hasListeners).toBe(false);
  });
});

describe('a window that was opened before the hub runs', () => {
  it('[PB-IPC-1] gets what it watches once the hub runs', async () => {
    const hub = new FakeHub();
    const pushed: BatchedEvent[] = [];
    const run = runOf(hub);
    const watches = new WatchList({ hub: run, push: (event) => void pushed.push(event) });
    expect(() => watches.watchLog('a')).toThrow('Patchbay is not running.');
    watches.watchActivity(true);
    watches.setVisible(true);
    watches.watchUsage(true);
    run.start();
    await run.settled();
    hub.activities.fire({ rows: [], skipped: 1 });
    hub.usages.fire([]);
    expect(pushed.map(({ name }) => name)).toEqual(['activity.added', 'process.usage']);
    watches.dispose();
    expect([hub.activities.hasListeners, hub.usages.hasListeners]).toEqual([false, false]);
  });

  it('[PB-IPC-1] gets nothing that it has stopped watching', async () => {
    const hub = new FakeHub();
    const run = runOf(hub);
    const watches = new WatchList({ hub: run, push: () => {} });
    watches.watchActivity(true);
    watches.setVisible(true);
    watches.watchUsage(true);
    watches.dispose();
    run.start();
    await run.settled();
    expect([hub.activities.hasListeners, hub.usages.hasListeners]).toEqual([false, false]);
  });
});
