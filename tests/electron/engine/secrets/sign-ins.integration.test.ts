import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../../electron/engine/base/clock.ts';
import { openSignIns, openVault, vaultProblem } from '../../../../electron/engine/secrets/sign-ins.ts';
import { openDataDir } from '../../../../electron/engine/store/files/data-dir.ts';
import { authServer } from '../../../helper/auth-server.ts';
import { bundle } from '../../../helper/bundle.ts';
import { visit } from '../../../helper/scripted-browser.ts';
import { tempDir } from '../../../helper/temp-dir.ts';

const refresher = fileURLToPath(new URL('../../../fixture/refresher.ts', import.meta.url));

async function vaultOf(dir: string) {
  const options = { ports: {}, paths: await openDataDir(dir), env: {}, clock: systemClock };
  const vault = openVault(options);
  return { vault, signIns: openSignIns(vault, options) };
}

async function answer(child: ChildProcess): Promise<unknown> {
  const [message] = await once(child, 'message');
  return message;
}

describe('the sign-ins of a data folder', () => {
  it('[NFR-SEC3] are refreshed by one of two processes: the rotating token is used once', async () => {
    await using auth = await authServer();
    await using folder = await tempDir();
    const data = join(folder.path, 'data');
    await mkdir(data);
    const { signIns } = await vaultOf(data);
    const server = { key: 'guarded', url: auth.url };
    await visit((await signIns.signIn(server)).url);
    const first = await signIns.authorization(server).token();
    await signIns.close();

    const program = await bundle(refresher, folder.path);
    const halfAMinuteBeforeItsEnd = String(59.5 * 60_000);
    const children = [1, 2].map(() => fork(program, [data, auth.url, halfAMinuteBeforeItsEnd]));
    try {
      expect(await Promise.all(children.map(answer))).toEqual(['ready', 'ready']);
      for (const child of children) child.send('go');
      const [one, other] = (await Promise.all(children.map(answer))) as { token: string }[];
      expect(one).toEqual(other);
      expect(one?.token).toEqual(expect.any(String));
      expect(one?.token).not.toBe(first);
    } finally {
      const exits = children.map((child) => once(child, 'exit'));
      for (const child of children) child.disconnect();
      await Promise.all(exits);
    }
    expect(await auth.counts()).toMatchObject({ code: 1, refresh: 1, failed: 0 });
  });

  it('[NFR-SEC1] report what cannot be decrypted, and are replaced by a new sign-in', async () => {
    await using auth = await authServer();
    await using folder = await tempDir();
    const { vault, signIns } = await vaultOf(folder.path);
    const server = { key: 'guarded', url: auth.url };
    expect(await vaultProblem(vault)).toBeUndefined();
    await visit((await signIns.signIn(server)).url);
    await signIns.close();
    const file = join(folder.path, 'secrets.json');
    await writeFile(file, (await readFile(file, 'utf8')).replace('"key-file"', '"keychain"'));

    const later = await vaultOf(folder.path);
    expect(await vaultProblem(later.vault)).toMatchObject({ code: 'hub.secrets_unreadable' });
    expect(await later.signIns.authorization(server).token()).toBeUndefined();
    expect(later.signIns.view('guarded')).toMatchObject({ problem: { code: 'hub.secrets_unreadable' } });
    await visit((await later.signIns.signIn(server)).url);
    expect(later.signIns.view('guarded')).toEqual({ signedIn: true, pending: false });
    expect(await vaultProblem(later.vault)).toBeUndefined();
    await later.signIns.close();
  });
});
