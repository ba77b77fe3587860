import { writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import type { Launch } from '../../../electron/bridge/launch.ts';
import { startHub } from '../../../electron/bridge/start-hub.ts';
import { ownClaim } from '../../../electron/engine/store/files/claim-file.ts';
import { openDataDir } from '../../../electron/engine/store/files/data-dir.ts';
import { tempDir } from '../../helper/temp-dir.ts';

const endsAtOnce: Launch = { command: process.execPath, args: ['-e', ''], env: {} };

/** A data folder, and the starts that a bridge reports. */
async function place() {
  const folder = await tempDir();
  const paths = await openDataDir(folder.path);
  const notes: string[] = [];
  const start = (launch: () => Promise<Launch>) =>
    startHub({ paths, launch, env: process.env, note: (text) => void notes.push(text) });
  return { paths, notes, start, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

describe('the start of a hub by a bridge', () => {
  it('[PB-BRIDGE-1] [PB-PROC-1] is left out while a hub that is still starting has the folder', async () => {
    await using at = await place();
    const ended = { ...(await ownClaim()), identity: 'an earlier process' };
    await writeFile(at.paths.hub, JSON.stringify(ended));
    expect(await at.start(async () => endsAtOnce).failed).toBeUndefined();
    expect(at.notes).toHaveLength(1);
    await writeFile(at.paths.hub, JSON.stringify(await ownClaim()));
    expect(await at.start(async () => endsAtOnce).failed).toBe('unneeded');
    expect(at.notes).toHaveLength(1);
  });

  it('[PB-BRIDGE-1] [PB-PROC-1] is left out where the bridge ends before it knows what to start', async () => {
    await using at = await place();
    let find = (_: Launch) => {};
    const start = at.start(() => new Promise((resolve) => (find = resolve)));
    start.release();
    find(endsAtOnce);
    expect(await start.failed).toBeUndefined();
    expect(at.notes).toEqual([]);
  });
});
