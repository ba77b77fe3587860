import { describe, expect, it } from 'vitest';
import type { UserCommands } from '../../../../electron/main/command/command.ts';
import { trayActions } from '../../../../electron/main/tray/tray-actions.ts';
import { FakeEngine } from '../../../helper/fake-engine.ts';

function bench(open?: (url: string) => Promise<void>) {
  const engine = new FakeEngine();
  const links: string[] = [];
  const failures: string[] = [];
  const opened: string[] = [];
  const act = trayActions({
    engine,
    system: { openLink: open ?? (async (url) => void links.push(url)) },
    commands: {} as UserCommands,
    openServer: (key) => void opened.push(key),
    reviewTools: () => {},
    showApprovals: () => {},
    connectClient: () => {},
    reportFailure: ({ code }) => failures.push(code),
  });
  return { engine, links, failures, opened, act };
}

describe('signing in from the tray', () => {
  it('[PB-TRAY-1] opens the address of the sign-in in the browser', async () => {
    const { engine, links, act } = bench();
    await act({ kind: 'sign-in', key: 'gh' });
    expect(engine.calls).toEqual([['signIn', 'gh']]);
    expect(links).toEqual(['https://login.example/gh']);
  });

  it('[PB-TRAY-1] shows the server, with the link to copy, where no browser opens', async () => {
    const { engine, failures, opened, act } = bench(() => Promise.reject(new Error('no browser')));
    await act({ kind: 'sign-in', key: 'gh' });
    expect(engine.calls).toEqual([
      ['signIn', 'gh'],
      ['signInUnopened', 'gh'],
    ]);
    expect([opened, failures]).toEqual([['gh'], []]);
  });

  it('[PB-TRAY-1] opens no other kind of link, and says so', async () => {
    const { engine, links, failures, act } = bench();
    engine.signIn = async () => ({ url: 'file:///etc/passwd' });
    await act({ kind: 'sign-in', key: 'gh' });
    expect(links).toEqual([]);
    expect(failures).toEqual(['app.refused_link']);
  });
});
