import { describe, expect, it } from 'vitest';
import type { UserCommands } from '../../../../electron/main/command/command.ts';
import { trayActions } from '../../../../electron/main/tray/tray-actions.ts';
import { FakeEngine } from '../../../helper/fake-engine.ts';

function bench() {
  const engine = new FakeEngine();
  const links: string[] = [];
  const failures: string[] = [];
  const act = trayActions({
    engine,
    system: { openLink: async (url) => void links.push(url) },
    commands: {} as UserCommands,
    openServer: () => {},
    reviewTools: () => {},
    showApprovals: () => {},
    connectClient: () => {},
    reportFailure: ({ code }) => failures.push(code),
  });
  return { engine, links, failures, act };
}

describe('signing in from the tray', () => {
  it('[PB-TRAY-1] opens the address of the sign-in in the browser', async () => {
    const { engine, links, act } = bench();
    await act({ kind: 'sign-in', key: 'gh' });
    expect(engine.calls).toEqual([['signIn', 'gh']]);
    expect(links).toEqual(['https://login.example/gh']);
  });

  it('[PB-TRAY-1] opens no other kind of link, and says so', async () => {
    const { engine, links, failures, act } = bench();
    engine.signIn = async () => ({ url: 'file:///etc/passwd' });
    await act({ kind: 'sign-in', key: 'gh' });
    expect(links).toEqual([]);
    expect(failures).toEqual(['app.refused_link']);
  });
});
