import { describe, expect, it } from 'vitest';
import { changeSettings } from '../../../../electron/main/lifecycle/change-settings.ts';
import { SettingsStore, type SettingsWriter } from '../../../../electron/main/port/settings-store.ts';
import { ProblemError } from '../../../../shared/error/problem.ts';
import type { Settings } from '../../../../shared/schema/settings.ts';
import { FakeEngine } from '../../../helper/fake-engine.ts';
import { someProblem } from '../../../helper/views.ts';

function bench(write: SettingsWriter = () => {}) {
  const engine = new FakeEngine();
  const heard: Settings[] = [];
  const login: boolean[] = [];
  const store = new SettingsStore({ file: '/nowhere/settings.json', write, now: () => 0 });
  const loginItem = { set: async (on: boolean) => void login.push(on) };
  const targets = { store, engine, loginItem, onChanged: (settings: Settings) => void heard.push(settings) };
  return { ...targets, targets, heard, login };
}

describe('a change of settings', () => {
  it('[PB-APP-1] is applied, saved and announced', async () => {
    const written: Settings[] = [];
    const { targets, engine, login, heard } = bench((settings) => void written.push(settings));
    const next = await changeSettings(targets, { port: 7421, startAtLogin: true, theme: 'dark' });
    expect(next).toMatchObject({ port: 7421, startAtLogin: true, theme: 'dark', closeToTray: true });
    expect(engine.calls).toEqual([
      ['setPort', 7421],
      ['audit.note', { kind: 'hub', action: 'change-settings', text: 'startAtLogin: true' }],
    ]);
    expect(login).toEqual([true]);
    expect(written).toEqual([next]);
    expect(heard).toEqual([next]);
  });

  it('[PB-APP-1] touches only what differs', async () => {
    const { targets, engine, login } = bench();
    await changeSettings(targets, { port: 7420, startAtLogin: false, closeToTray: false });
    expect(engine.calls).toEqual([]);
    expect(login).toEqual([]);
  });

  it('[REQ-MCP-OBS-002] is in the audit log if it concerns the hub or access', async () => {
    const { targets, engine } = bench();
    await changeSettings(targets, {
      theme: 'dark',
      newClients: 'ask',
      askDestructive: true,
      limits: { retryMaxAttempts: 5 },
    });
    const text = 'newClients: "ask", askDestructive: true, limits: {"retryMaxAttempts":5}';
    const notes = engine.calls.filter(([name]) => name === 'audit.note');
    expect(notes).toEqual([['audit.note', { kind: 'hub', action: 'change-settings', text }]]);
  });

  it('[PB-APP-1] to a port in use changes nothing', async () => {
    const { targets, engine, store, heard } = bench();
    engine.outcome = () => Promise.reject(new ProblemError(someProblem('hub.port_in_use')));
    await expect(changeSettings(targets, { port: 7421 })).rejects.toMatchObject({
      problem: { code: 'hub.port_in_use' },
    });
    expect(store.current.port).toBe(7420);
    expect(heard).toEqual([]);
  });

  it('[PB-APP-1] that cannot be saved is undone', async () => {
    const { targets, engine, login, store } = bench(() => {
      throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
    });
    await expect(changeSettings(targets, { port: 7421, startAtLogin: true })).rejects.toMatchObject({
      problem: { code: 'hub.disk_full' },
    });
    expect(engine.calls).toEqual([
      ['setPort', 7421],
      ['setPort', 7420],
    ]);
    expect(login).toEqual([true, false]);
    expect(store.current.port).toBe(7420);
  });
});
