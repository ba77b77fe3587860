import { describe, expect, it } from 'vitest';
import { Limits } from '../../../../electron/engine/config/limits/limits.ts';
import type { Hub } from '../../../../electron/engine/engine.ts';
import { changeSettings } from '../../../../electron/main/lifecycle/change-settings.ts';
import type { HubLifecycle } from '../../../../electron/main/lifecycle/hub-lifecycle.ts';
import { SettingsStore, type SettingsWriter } from '../../../../electron/main/port/settings-store.ts';
import { ProblemError } from '../../../../shared/error/problem.ts';
import type { Settings } from '../../../../shared/schema/settings.ts';
import { FakeHub, runningRunOf, runOf } from '../../../helper/fake-hub.ts';
import { someProblem } from '../../../helper/views.ts';

function benchOf(fake: FakeHub, hub: HubLifecycle, write: SettingsWriter = () => {}) {
  const heard: Settings[] = [];
  const login: boolean[] = [];
  const limits = new Limits();
  const store = new SettingsStore({ file: '/nowhere/settings.json', write, now: () => 0 });
  const loginItem = { set: async (on: boolean) => void login.push(on) };
  const targets = { store, hub, limits, loginItem, onChanged: (next: Settings) => void heard.push(next) };
  return { fake, limits, store, targets, heard, login };
}

async function bench(write?: SettingsWriter) {
  const fake = new FakeHub();
  return benchOf(fake, await runningRunOf(fake), write);
}

describe('a change of settings', () => {
  it('[PB-APP-1] is applied, saved and announced', async () => {
    const written: Settings[] = [];
    const { targets, fake, store, login, heard } = await bench((settings) => void written.push(settings));
    const before = store.current;
    const next = await changeSettings(targets, { port: 7421, startAtLogin: true, theme: 'dark' });
    expect(next).toMatchObject({ port: 7421, startAtLogin: true, theme: 'dark', closeToTray: true });
    expect(fake.calls).toEqual([
      ['applySettings', before, next],
      ['note', { kind: 'hub', action: 'change-settings', text: 'startAtLogin: true' }],
    ]);
    expect(login).toEqual([true]);
    expect(written).toEqual([next]);
    expect(heard).toEqual([next]);
  });

  it('[PB-APP-1] touches only what differs', async () => {
    const { targets, fake, store, login } = await bench();
    const before = store.current;
    await changeSettings(targets, { port: 7420, startAtLogin: false, closeToTray: false });
    expect(fake.calls).toEqual([['applySettings', before, { ...before, closeToTray: false }]]);
    expect(login).toEqual([]);
  });

  it('[REQ-MCP-OBS-002] is in the audit log if it concerns the hub or access', async () => {
    const { targets, fake } = await bench();
    await changeSettings(targets, {
      theme: 'dark',
      newClients: 'ask',
      askDestructive: true,
      limits: { retryMaxAttempts: 5 },
    });
    const text = 'newClients: "ask", askDestructive: true, limits: {"retryMaxAttempts":5}';
    const notes = fake.calls.filter(([name]) => name === 'note');
    expect(notes).toEqual([['note', { kind: 'hub', action: 'change-settings', text }]]);
  });

  it('[PB-APP-1] to a port in use changes nothing', async () => {
    const { targets, fake, store, heard } = await bench();
    fake.outcome = () => Promise.reject(new ProblemError(someProblem('hub.port_in_use')));
    await expect(changeSettings(targets, { port: 7421 })).rejects.toMatchObject({
      problem: { code: 'hub.port_in_use' },
    });
    expect(store.current.port).toBe(7420);
    expect(heard).toEqual([]);
  });

  it('[PB-APP-1] that cannot be saved is undone', async () => {
    const { targets, fake, login, store } = await bench(() => {
      throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
    });
    const before = store.current;
    await expect(changeSettings(targets, { port: 7421, startAtLogin: true })).rejects.toMatchObject({
      problem: { code: 'hub.disk_full' },
    });
    const next = { ...before, port: 7421, startAtLogin: true };
    expect(fake.calls).toEqual([
      ['applySettings', before, next],
      ['applySettings', next, before],
    ]);
    expect(login).toEqual([true, false]);
    expect(store.current.port).toBe(7420);
  });
});

describe('a change of settings while no hub runs', () => {
  it('[PB-APP-1] waits for a hub that is starting with the old ones, if it concerns the hub', async () => {
    const fake = new FakeHub();
    let started = (_hub: Hub): void => {};
    const run = runOf(fake, () => new Promise((resolve) => (started = resolve)));
    const { targets, store } = benchOf(fake, run);
    const before = store.current;
    run.start();
    const asking = changeSettings(targets, { newClients: 'ask' });
    const dark = await changeSettings(targets, { theme: 'dark' });
    expect([store.current, fake.calls]).toEqual([dark, []]);
    started(fake);
    const both: Settings = { ...before, theme: 'dark', newClients: 'ask' };
    expect(await asking).toEqual(both);
    expect(fake.calls[0]).toEqual(['applySettings', dark, both]);
  });

  it('[PB-APP-1] is saved for its next start, and its limits hold', async () => {
    const fake = new FakeHub();
    const run = runOf(fake, () => Promise.reject(new ProblemError(someProblem('hub.already_running'))));
    const { targets, limits, store } = benchOf(fake, run);
    run.start();
    await changeSettings(targets, { port: 7421, limits: { retryMaxAttempts: 5 } });
    expect(store.current).toMatchObject({ port: 7421, limits: { retryMaxAttempts: 5 } });
    expect(limits.current.retryMaxAttempts).toBe(5);
    expect(fake.calls).toEqual([]);
  });
});
