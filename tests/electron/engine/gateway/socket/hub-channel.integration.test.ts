import { describe, expect, it } from 'vitest';
import { openHubChannel } from '../../../../../electron/engine/gateway/socket/hub-channel.ts';
import { dataPaths, openDataDir } from '../../../../../electron/engine/store/files/data-dir.ts';
import { acquireInstanceLock } from '../../../../../electron/engine/store/files/instance-lock.ts';
import { tempDir } from '../../../../helper/temp-dir.ts';

describe('[PB-HEAD-1] a command that cannot reach a hub', () => {
  it('says that none runs, or which process to end if its socket is gone', async () => {
    await using folder = await tempDir();
    await openDataDir(folder.path);
    const refusal = () => openHubChannel(folder.path).catch(({ problem }) => problem);
    expect(await refusal()).toMatchObject({ code: 'hub.unreachable', sentence: 'Patchbay is not running.' });
    const lock = await acquireInstanceLock(dataPaths(folder.path).hub, '1.0.0');
    expect(await refusal()).toMatchObject({
      code: 'hub.unreachable',
      sentence: `Patchbay (process ${process.pid}) is running, but cannot be reached.`,
      fix: expect.stringContaining(`end process ${process.pid}`),
    });
    await lock.release();
  });
});
