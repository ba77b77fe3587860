import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeFileAtomic } from '../../../../electron/engine/store/files/atomic-file.ts';
import { autostartFile, autostartText } from '../../../../electron/main/lifecycle/autostart-file.ts';
import { createLoginItem } from '../../../../electron/main/lifecycle/login-item.ts';
import { tempDir } from '../../../helper/temp-dir.ts';

// Only Linux desktops read such a file.
describe.skipIf(process.platform === 'win32')('the autostart file', () => {
  it.each([
    [{}, '/home/me/.config/autostart/patchbay.desktop'],
    [{ XDG_CONFIG_HOME: '/cfg' }, '/cfg/autostart/patchbay.desktop'],
    [{ XDG_CONFIG_HOME: '' }, '/home/me/.config/autostart/patchbay.desktop'],
    [{ XDG_CONFIG_HOME: 'relative' }, '/home/me/.config/autostart/patchbay.desktop'],
  ])('[PB-APP-1] with %j lies at %s', (env, file) => {
    expect(autostartFile(env, '/home/me')).toBe(file);
  });

  it.each([
    [['/opt/Patchbay/patchbay', '--hidden'], 'Exec="/opt/Patchbay/patchbay" "--hidden"'],
    [['/a b/p', '--data-dir=/50% $x'], 'Exec="/a b/p" "--data-dir=/50%% \\\\$x"'],
    [['/p', 'a"b`c\\d'], 'Exec="/p" "a\\\\"b\\\\`c\\\\\\\\d"'],
  ])('[PB-APP-1] quotes %j', ([command = '', ...args], line) => {
    expect(autostartText({ command, args }).split('\n')).toContain(line);
  });
});

describe.runIf(process.platform === 'linux')('the start at login', () => {
  it('[PB-APP-1] is switched on and off, each also twice', async () => {
    await using folder = await tempDir();
    const file = join(folder.path, 'autostart', 'patchbay.desktop');
    const item = createLoginItem({
      app: { setLoginItemSettings: () => {} },
      start: { command: '/opt/patchbay', args: ['--hidden'] },
      env: { XDG_CONFIG_HOME: folder.path },
      writeFile: writeFileAtomic,
    });
    await item.set(true);
    await item.set(true);
    expect(await readFile(file, 'utf8')).toContain('Exec="/opt/patchbay" "--hidden"');
    await item.set(false);
    await item.set(false);
    expect(existsSync(file)).toBe(false);
  });
});

describe.runIf(process.platform === 'win32')('the start at login on Windows', () => {
  it('[PB-APP-1] is an entry of the system with the whole command, switched on and off', async () => {
    const settings: unknown[] = [];
    const item = createLoginItem({
      app: { setLoginItemSettings: (set) => void settings.push(set) },
      start: { command: 'C:\\Program Files\\Patchbay\\Patchbay.exe', args: ['--hidden'] },
      env: {},
      writeFile: () => Promise.reject(new Error('Windows reads no such file')),
    });
    await item.set(true);
    await item.set(false);
    const program = { path: 'C:\\Program Files\\Patchbay\\Patchbay.exe', args: ['--hidden'] };
    expect(settings).toEqual([
      { openAtLogin: true, ...program },
      { openAtLogin: false, ...program },
    ]);
  });
});
