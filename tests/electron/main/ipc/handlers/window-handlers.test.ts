import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { HandlerContext } from '../../../../../electron/main/ipc/handler-context.ts';
import { backupHandlers } from '../../../../../electron/main/ipc/handlers/backup-handlers.ts';
import { windowHandlers } from '../../../../../electron/main/ipc/handlers/window-handlers.ts';
import { FakeHub, runningRunOf, runOf } from '../../../../helper/fake-hub.ts';
import { tempDir } from '../../../../helper/temp-dir.ts';

/** Creates the handlers with a person who chooses `file` in each dialog, or cancels it. */
async function bench(file?: string, isRunning = true) {
  const hub = new FakeHub();
  const copied: string[] = [];
  const dialogs: string[] = [];
  const choose = async (title: string) => {
    dialogs.push(title);
    return file;
  };
  const context = {
    hub: isRunning ? await runningRunOf(hub) : runOf(hub),
    system: {
      copyText: (text: string) => void copied.push(text),
      chooseFile: choose,
      chooseTarget: choose,
    },
  } as unknown as HandlerContext;
  return { hub, copied, dialogs, handlers: { ...windowHandlers(context), ...backupHandlers(context) } };
}

describe('what the window must not see', () => {
  it('[PB-IPC-1] [PB-SAFE-2] a new token goes to the clipboard and never to the window', async () => {
    const { hub, copied, handlers } = await bench();
    const identity = { id: 'id-1', kind: 'agent', name: 'night job', createdAt: 1, hasToken: true } as const;
    hub.outputs = { 'access.rotate': () => ({ identity, token: 'pb_00000000_secret' }) };
    expect(await handlers['access.copyToken']({ id: 'id-1' })).toBeUndefined();
    expect([hub.calls, copied]).toEqual([[['access.rotate', { id: 'id-1' }]], ['pb_00000000_secret']]);
  });

  it('[PB-IPC-1] [PB-SAFE-2] a whole snippet goes to the clipboard and never to the window', async () => {
    const { hub, copied, handlers } = await bench();
    hub.outputs = { 'connect.wholeSnippet': () => ({ text: 'token and all' }) };
    expect(await handlers['connect.copySnippet']({ id: 'other', transport: 'http' })).toBeUndefined();
    expect(copied).toEqual(['token and all']);
  });

  it('[PB-IPC-1] the text of a backup goes to the chosen file', async () => {
    await using dir = await tempDir();
    const file = join(dir.path, 'backup.json');
    const { hub, handlers } = await bench(file);
    hub.outputs = { 'backup.make': () => ({ text: 'all of it', servers: 2, secrets: 0 }) };
    expect(await handlers['app.saveBackup']({})).toEqual({ servers: 2, secrets: 0, file });
    expect(await readFile(file, 'utf8')).toBe('all of it');
  });
});

describe('a call that opens a dialog', () => {
  const filter = {};

  it('[PB-IPC-1] hands the chosen file to the hub', async () => {
    const { hub, handlers } = await bench('/chosen');
    hub.outputs = { 'activity.write': () => ({ rows: 3 }), 'audit.write': () => ({ rows: 1 }) };
    expect(await handlers['activity.export']({ filter, format: 'csv' })).toEqual({ saved: true, rows: 3 });
    expect(await handlers['audit.export']({ filter })).toEqual({ saved: true, rows: 1 });
    expect(await handlers['connect.locate']({ id: 'cursor' })).toEqual({ chosen: true });
    await handlers['connect.forgetFile']({ id: 'cursor' });
    expect(hub.calls).toEqual([
      ['activity.write', { filter, format: 'csv', file: '/chosen' }],
      ['audit.write', { filter, file: '/chosen' }],
      ['connect.setFile', { id: 'cursor', file: '/chosen' }],
      ['connect.setFile', { id: 'cursor' }],
    ]);
  });

  it('[PB-IPC-1] does nothing if it is cancelled', async () => {
    const { hub, dialogs, handlers } = await bench();
    expect(await handlers['activity.export']({ filter, format: 'csv' })).toEqual({ saved: false, rows: 0 });
    expect(await handlers['audit.export']({ filter })).toEqual({ saved: false, rows: 0 });
    expect(await handlers['connect.locate']({ id: 'cursor' })).toEqual({ chosen: false });
    expect(await handlers['import.openFile']()).toEqual({});
    expect(await handlers['app.chooseBackup']()).toEqual({});
    expect(dialogs).toHaveLength(5);
    expect(hub.calls).toEqual([]);
  });

  it('[PB-IPC-1] opens none before the hub runs, since the call is made again then', async () => {
    const { dialogs, handlers } = await bench('/chosen', false);
    const unreachable = { problem: { code: 'hub.unreachable' } };
    await expect(handlers['activity.export']({ filter, format: 'csv' })).rejects.toMatchObject(unreachable);
    await expect(handlers['audit.export']({ filter })).rejects.toMatchObject(unreachable);
    await expect(handlers['connect.locate']({ id: 'cursor' })).rejects.toMatchObject(unreachable);
    await expect(handlers['import.openFile']()).rejects.toMatchObject(unreachable);
    await expect(handlers['app.chooseBackup']()).rejects.toMatchObject(unreachable);
    await expect(handlers['app.saveBackup']({})).rejects.toMatchObject(unreachable);
    await expect(handlers['tester.save']({ runId: 'r' })).rejects.toMatchObject(unreachable);
    expect(dialogs).toEqual([]);
  });
});
