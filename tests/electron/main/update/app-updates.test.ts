import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AppUpdates, type AppUpdatesOptions } from '../../../../electron/main/update/app-updates.ts';
import { type Restart, takeRestart } from '../../../../electron/main/update/restart-memory.ts';
import { updateOffReason } from '../../../../electron/main/update/update-place.ts';
import type { UpdaterPort } from '../../../../electron/main/update/updater-port.ts';
import type { AppUpdate } from '../../../../shared/model/app-update.ts';
import { FakeClock } from '../../../helper/fake-clock.ts';
import { tempDir } from '../../../helper/temp-dir.ts';

const offer = { version: '2.0.0', size: 10 };
const minute = 60_000;

function bench(changes: Partial<AppUpdatesOptions> = {}, missed?: { wanted: string; version: string }) {
  const clock = new FakeClock();
  const done: string[] = [];
  const seen: AppUpdate[] = [];
  const port = {
    loads: 0,
    check: async (): Promise<typeof offer | undefined> => offer,
    download: async (onPercent: (percent: number) => void, _signal: AbortSignal): Promise<void> =>
      onPercent(50),
    obstacle: (): string | undefined => undefined,
    installs: true,
  };
  const library: UpdaterPort = {
    check: () => port.check(),
    download: (onPercent, signal) => port.download(onPercent, signal),
    obstacle: () => port.obstacle(),
    install() {
      done.push('install');
      return port.installs;
    },
  };
  const every = (milliseconds: number, action: () => void) => clock.after(milliseconds, action);
  const updates = new AppUpdates(
    {
      off: undefined,
      async load() {
        port.loads += 1;
        return library;
      },
      now: () => clock.now(),
      after: every,
      every,
      daily: () => true,
      onChange: (update) => void seen.push(update),
      quit(how, { run }) {
        done.push(`quit ${how}`);
        run();
      },
      saveForRestart: (next) => void done.push(`next is ${next?.version}`),
      relaunch: () => void done.push('come back'),
      ...changes,
    },
    missed,
  );
  return { clock, done, seen, port, updates, kinds: () => seen.map(({ kind }) => kind) };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('a check for a newer version', () => {
  it('[PB-APP-1] loads the library only then, offers what is newer and downloads nothing', async () => {
    const { port, updates, kinds } = bench();
    expect(port.loads).toBe(0);
    expect(await updates.check()).toEqual({ kind: 'available', offer });
    expect(port.loads).toBe(1);
    expect(kinds()).toEqual(['checking', 'available']);
  });

  it('[PB-APP-1] that finds nothing records its time', async () => {
    const { clock, port, updates } = bench();
    port.check = async () => undefined;
    expect(await updates.check()).toEqual({ kind: 'current', checkedAt: clock.now() });
  });

  it('[PB-APP-1] that fails says so, and the next one may succeed', async () => {
    const { port, updates } = bench();
    port.check = () => Promise.reject(new Error('net::ERR_CONNECTION_REFUSED\nat somewhere'));
    expect(await updates.check()).toMatchObject({
      kind: 'failed',
      problem: {
        code: 'app.update_unreachable',
        evidence: [{ label: 'reason', value: 'net::ERR_CONNECTION_REFUSED' }],
      },
    });
    port.check = async () => offer;
    expect(await updates.check()).toMatchObject({ kind: 'available' });
  });

  it('[PB-APP-1] runs a while after the start and then daily, unless it is turned off', async () => {
    const wished = bench();
    await wished.clock.advance(5 * minute - 1);
    expect(wished.kinds()).toEqual([]);
    await wished.clock.advance(1);
    expect(wished.kinds()).toEqual(['checking', 'available']);
    const other = bench({ daily: () => false });
    await other.clock.advance(48 * 60 * minute);
    expect(other.kinds()).toEqual([]);
  });

  it('[PB-APP-1] never runs if there is nothing to ask or to replace', async () => {
    const { clock, port, updates } = bench({ off: 'no-feed' });
    await clock.advance(48 * 60 * minute);
    expect(await updates.check()).toEqual({ kind: 'off', reason: 'no-feed' });
    expect(updates.download()).toEqual({ kind: 'off', reason: 'no-feed' });
    expect(port.loads).toBe(0);
  });
});

describe('a download', () => {
  it('[PB-APP-1] starts on request, reports its progress, and is then ready to install', async () => {
    const { updates, seen } = bench();
    await updates.check();
    expect(updates.download()).toEqual({ kind: 'downloading', offer, percent: 0 });
    await settle();
    expect(seen.slice(2)).toEqual([
      { kind: 'downloading', offer, percent: 0 },
      { kind: 'downloading', offer, percent: 50 },
      { kind: 'ready', offer },
    ]);
  });

  it('[PB-APP-1] that does not match the announcement is rejected, and can be retried', async () => {
    const { updates, port } = bench();
    await updates.check();
    const error = Object.assign(new Error('sha512 checksum mismatch'), { code: 'ERR_CHECKSUM_MISMATCH' });
    port.download = () => Promise.reject(error);
    updates.download();
    await settle();
    expect(updates.view).toMatchObject({ kind: 'failed', offer, problem: { code: 'app.update_refused' } });
    expect(await updates.install('now')).toMatchObject({ kind: 'failed' });
    port.download = async () => {};
    updates.download();
    await settle();
    expect(updates.view).toEqual({ kind: 'ready', offer });
  });

  it('[PB-APP-1] that is cancelled is available again, whatever happens afterwards', async () => {
    const { updates, port } = bench();
    await updates.check();
    let signal: AbortSignal | undefined;
    let fail = (_error: Error) => {};
    port.download = (_onPercent, given) => {
      signal = given;
      return new Promise((_resolve, reject) => {
        fail = reject;
      });
    };
    updates.download();
    await settle();
    expect(updates.cancelDownload()).toEqual({ kind: 'available', offer });
    expect(signal?.aborted).toBe(true);
    fail(new Error('cancelled'));
    await settle();
    expect(updates.view).toEqual({ kind: 'available', offer });
  });
});

describe('an installation', () => {
  async function ready(changes: Partial<AppUpdatesOptions> = {}) {
    const all = bench(changes);
    await all.updates.check();
    all.updates.download();
    await settle();
    return all;
  }

  it('[PB-APP-1] stops everything, then replaces the app', async () => {
    const { updates, done } = await ready();
    expect(await updates.install('drain')).toEqual({ kind: 'installing', offer });
    expect(done).toEqual(['next is 2.0.0', 'quit drain', 'install']);
  });

  it('[PB-APP-1] that is cancelled is ready again, and is sped up when requested again', async () => {
    const asked: string[] = [];
    let callOff = () => {};
    const { updates, done } = await ready({
      quit(how, { onCancelled: calledOff }) {
        asked.push(how);
        callOff = calledOff;
      },
    });
    await updates.install('drain');
    await updates.install('now');
    expect(asked).toEqual(['drain', 'now']);
    callOff();
    expect(updates.view).toEqual({ kind: 'ready', offer });
    expect(done).toEqual(['next is 2.0.0', 'next is undefined']);
  });

  it('[PB-APP-1] that replaced nothing brings the old version back', async () => {
    const { updates, done, port } = await ready();
    port.installs = false;
    await updates.install('now');
    expect(done.at(-1)).toBe('come back');
  });

  it('[PB-APP-1] that is certain to fail stops nothing', async () => {
    const { updates, done, port } = await ready();
    port.obstacle = () => 'You may not write there.';
    await expect(updates.install('now')).rejects.toMatchObject({
      problem: { code: 'app.update_failed', sentence: 'You may not write there.' },
    });
    expect(done).toEqual([]);
    expect(updates.view).toEqual({ kind: 'ready', offer });
  });

  it('[PB-APP-1] does not start before there is something to install', async () => {
    const { updates, done } = bench();
    await updates.install('now');
    expect(done).toEqual([]);
  });

  it('[PB-APP-1] that failed is reported at the next start', () => {
    const { updates } = bench({}, { wanted: '2.0.0', version: '1.0.0' });
    expect(updates.view).toMatchObject({ kind: 'failed', problem: { code: 'app.update_failed' } });
  });
});

describe('a start after an update', () => {
  it('[PB-APP-1] gets the saved state once, if it follows soon', () => {
    const restart: Restart = { wanted: '2.0.0', hidden: true, at: 1_000 };
    const state = {
      current: { restart } as { restart: Restart | null },
      change(patch: { restart: Restart | null }) {
        state.current = patch;
      },
    };
    expect(takeRestart(state, 60_000)).toEqual(restart);
    expect(takeRestart(state, 60_000)).toBeUndefined();
    state.current = { restart };
    expect(takeRestart(state, 60 * minute)).toBeUndefined();
  });
});

describe('where the app lies', () => {
  const place = { unpackaged: false, platform: 'linux', env: {} } as const;

  it('[PB-APP-1] decides whether it can be updated', async () => {
    await using folder = await tempDir();
    const resources = join(folder.path, 'resources');
    await mkdir(resources);
    expect(updateOffReason({ ...place, resources })).toBe('no-feed');
    await writeFile(join(resources, 'app-update.yml'), '');
    expect(updateOffReason({ ...place, resources })).toBe('not-installed');
    expect(updateOffReason({ ...place, resources, env: { APPIMAGE: '/p.AppImage' } })).toBeUndefined();
    expect(updateOffReason({ ...place, resources, platform: 'win32' })).toBeUndefined();
    expect(updateOffReason({ ...place, resources, platform: 'win32', unpackaged: true })).toBe('no-feed');
    await writeFile(join(resources, 'package-type'), 'deb');
    expect(updateOffReason({ ...place, resources })).toBeUndefined();
  });
});
