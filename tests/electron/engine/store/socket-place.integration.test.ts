import { chmod, chown, lstat, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dataPaths } from '../../../../electron/engine/store/data-dir.ts';
import { hubSocket, openSocketLocation } from '../../../../electron/engine/store/socket-place.ts';
import { tempDir } from '../../../helper/temp-dir.ts';

const isRoot = process.getuid?.() === 0;
const stranger = 65534;

/** Creates a data folder whose path is too long for a socket, and frees its usual socket location. */
async function longFolder() {
  const folder = await tempDir();
  const paths = dataPaths(join(folder.path, 'a-long-name-'.repeat(10), 'data'));
  await mkdir(paths.run, { recursive: true, mode: 0o700 });
  const usual = join(folder.path, 'usual');
  return {
    paths: { ...paths, socket: join(usual, 'hub.sock') },
    usual,
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

// Windows uses a named pipe, which has no length limit.
describe.skipIf(process.platform === 'win32')('where a hub listens if the path of its folder is long', () => {
  it('[PB-SAFE-2] is a folder that only its user can enter, whatever it was before', async () => {
    await using folder = await longFolder();
    const { paths, usual } = folder;
    expect((await openSocketLocation(paths)).path).toBe(paths.socket);
    expect((await lstat(usual)).mode & 0o777).toBe(0o700);
    await chmod(usual, 0o777);
    await expect(hubSocket(paths)).rejects.toMatchObject({ problem: { code: 'hub.unreachable' } });
    expect((await openSocketLocation(paths)).path).toBe(paths.socket);
    expect((await lstat(usual)).mode & 0o777).toBe(0o700);
    expect(await hubSocket(paths)).toBe(paths.socket);
  });

  it('[PB-SAFE-2] is another location if the usual one is a link, and is read from the hub’s record', async () => {
    await using folder = await longFolder();
    const { paths, usual } = folder;
    await mkdir(`${usual}-of-somebody`);
    await symlink(`${usual}-of-somebody`, usual);
    const place = await openSocketLocation(paths);
    expect(place.path).not.toBe(paths.socket);
    expect((await lstat(dirname(place.path))).mode & 0o777).toBe(0o700);
    await expect(hubSocket(paths)).rejects.toMatchObject({ problem: { code: 'hub.unreachable' } });
    await writeFile(paths.hub, JSON.stringify({ pid: 1, identity: 'x', socket: place.path }));
    expect(await hubSocket(paths)).toBe(place.path);
    await place.dispose();
    await rm(dirname(place.path), { recursive: true, force: true });
  });

  it.runIf(isRoot)(
    '[PB-SAFE-2] is never one that another user has taken, and nothing is sent there',
    async () => {
      await using folder = await longFolder();
      const { paths, usual } = folder;
      await mkdir(usual);
      const squatter = createServer().listen(paths.socket);
      await chown(paths.socket, stranger, stranger);
      await expect(hubSocket(paths)).rejects.toMatchObject({ problem: { code: 'hub.unreachable' } });
      await chown(usual, stranger, stranger);
      await expect(hubSocket(paths)).rejects.toMatchObject({
        problem: { evidence: expect.arrayContaining([{ label: 'user id', value: String(stranger) }]) },
      });
      const place = await openSocketLocation(paths);
      expect(dirname(place.path)).not.toBe(usual);
      await place.dispose();
      squatter.close();
    },
  );
});
