import { describe, expect, it } from 'vitest';
import type { UserCommands } from '../../../../electron/main/command/command.ts';
import { trayActions } from '../../../../electron/main/tray/tray-actions.ts';
import { FakeHub, runningRunOf, runOf } from '../../../helper/fake-hub.ts';

async function bench(open?: (url: string) => Promise<void>, isRunning = true) {
  const hub = new FakeHub();
  hub.outputs = { 'server.signIn': ({ key }) => ({ url: `https://login.example/${key}` }) };
  const links: string[] = [];
  const failures: string[] = [];
  const opened: string[] = [];
  const act = trayActions({
    hub: isRunning ? await runningRunOf(hub) : runOf(hub),
    system: { openLink: open ?? (async (url) => void links.push(url)) },
    commands: {} as UserCommands,
    openServer: (key) => void opened.push(key),
    reviewTools: () => {},
    showApprovals: () => {},
    connectClient: () => {},
    reportFailure: ({ code }) => failures.push(code),
  });
  return { hub, links, failures, opened, act };
}

describe('signing in from the tray', () => {
  it('[PB-TRAY-1] opens the address of the sign-in in the browser', async () => {
    const { hub, links, act } = await bench();
    await act({ kind: 'sign-in', key: 'gh' });
    expect(hub.calls).toEqual([['server.signIn', { key: 'gh' }]]);
    expect(links).toEqual(['https://login.example/gh']);
  });

  it('[PB-TRAY-1] shows the server, with the link to copy, where no browser opens', async () => {
    const { hub, failures, opened, act } = await bench(() => Promise.reject(new Error('no browser')));
    await act({ kind: 'sign-in', key: 'gh' });
    expect(hub.calls).toEqual([
      ['server.signIn', { key: 'gh' }],
      ['server.signInUnopened', { key: 'gh' }],
    ]);
    expect([opened, failures]).toEqual([['gh'], []]);
  });

  it('[PB-TRAY-1] opens no other kind of link, and says so', async () => {
    const { hub, links, failures, act } = await bench();
    hub.outputs = { 'server.signIn': () => ({ url: 'file:///etc/passwd' }) };
    await act({ kind: 'sign-in', key: 'gh' });
    expect(links).toEqual([]);
    expect(failures).toEqual(['app.refused_link']);
  });
});

describe('a switch in the tray', () => {
  it('[PB-TRAY-1] asks the hub for just that', async () => {
    const { hub, failures, act } = await bench();
    await act({ kind: 'run', operation: 'server.setEnabled', input: { key: 'gh', enabled: false } });
    await act({ kind: 'run', operation: 'server.restart', input: { key: 'gh' } });
    await act({ kind: 'run', operation: 'profile.assign', input: { client: 'cursor', profile: 'work' } });
    expect(hub.calls).toEqual([
      ['server.setEnabled', { key: 'gh', enabled: false }],
      ['server.restart', { key: 'gh' }],
      ['profile.assign', { client: 'cursor', profile: 'work' }],
    ]);
    expect(failures).toEqual([]);
  });

  it('[PB-TRAY-1] without a hub says why it does nothing', async () => {
    const { hub, failures, act } = await bench(undefined, false);
    await act({ kind: 'run', operation: 'server.restart', input: { key: 'gh' } });
    expect([hub.calls, failures]).toEqual([[], ['hub.unreachable']]);
  });
});
