import { tmpdir } from 'node:os';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { defaultFolder } from '../../../../../electron/engine/servers/environment/default-folder.ts';
import { tempDir } from '../../../../helper/temp-dir.ts';

describe.runIf(process.platform !== 'win32')('the folder of servers that set none', () => {
  afterEach(() => vi.unstubAllEnvs());

  it('[ERR-1] is the home folder, or an existing one if there is no home', async () => {
    await using folder = await tempDir();
    vi.stubEnv('HOME', folder.path);
    expect(defaultFolder()).toBe(folder.path);
    vi.stubEnv('HOME', `${folder.path}/none`);
    expect(defaultFolder()).toBe(tmpdir());
  });
});
