import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isPackaged } from '../../../electron/bridge/launch.ts';

describe('whether the bridge lies in the app that runs it', () => {
  it.each([
    ['/opt/Patchbay/resources/lib/patchbay-bridge.mjs', '/opt/Patchbay/patchbay', true],
    [
      '/Applications/Patchbay.app/Contents/Resources/lib/patchbay-bridge.mjs',
      '/Applications/Patchbay.app/Contents/MacOS/Patchbay',
      true,
    ],
    ['/home/ada/Claude Extensions/patchbay/server/patchbay-bridge.mjs', '/opt/Claude/claude', false],
    ['/home/ada/.patchbay/bin/patchbay-bridge.mjs', '/tmp/.mount_x/patchbay', false],
  ])('[PB-BRIDGE-1] %s run by %s: %s', (self, execPath, packaged) => {
    expect(isPackaged(resolve(self), resolve(execPath))).toBe(packaged);
  });
});
