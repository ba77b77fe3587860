import { describe, expect, it } from 'vitest';
import {
  displayEnvironment,
  hiddenStart,
  type RunningProgram,
} from '../../../../electron/main/lifecycle/launch-command.ts';

const installed: RunningProgram = { execPath: '/opt/Patchbay/patchbay', args: [], env: {} };

describe('the command that starts the app again', () => {
  it.each<[string, Partial<RunningProgram>, object]>([
    ['installed', {}, { command: '/opt/Patchbay/patchbay', args: ['--hidden'] }],
    [
      'on another data folder',
      { dataDir: '/my data' },
      { command: '/opt/Patchbay/patchbay', args: ['--hidden', '--data-dir=/my data'] },
    ],
    [
      'from a folder, without a sandbox',
      {
        execPath: '/dev/electron',
        appPath: '/src/app',
        args: ['/src/app', '--no-sandbox', '--hidden', '--add-server'],
      },
      { command: '/dev/electron', args: ['/src/app', '--hidden', '--no-sandbox'] },
    ],
    [
      'from an AppImage, whose mount will be gone',
      {
        execPath: '/tmp/.mount_pb1/patchbay',
        env: { APPIMAGE: '/home/me/Patchbay.AppImage', APPDIR: '/tmp/.mount_pb1' },
      },
      { command: '/home/me/Patchbay.AppImage', args: ['--hidden'] },
    ],
    [
      "from a terminal that is another program's AppImage",
      { env: { APPIMAGE: '/home/me/Terminal.AppImage', APPDIR: '/tmp/.mount_term' } },
      { command: '/opt/Patchbay/patchbay', args: ['--hidden'] },
    ],
  ])('[PB-BRIDGE-1] %s', (_case, changes, command) => {
    expect(hiddenStart({ ...installed, ...changes })).toEqual(command);
  });

  it('[PB-BRIDGE-1] includes the variables for a display and no secrets', () => {
    const env = {
      DISPLAY: ':0',
      HOME: '/home/me',
      GITHUB_TOKEN: 'x',
      PATH: '/bin',
      WAYLAND_DISPLAY: undefined,
    };
    expect(displayEnvironment(env)).toEqual({ DISPLAY: ':0', HOME: '/home/me' });
  });
});
