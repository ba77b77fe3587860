import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { readHubRecord } from '../../electron/engine/store/files/instance-lock.ts';
import { eventually } from '../helper/eventually.ts';
import { freePort } from '../helper/free-port.ts';
import { packagedApp } from '../helper/packaged-app.ts';
import { fixture, nodeEntry } from '../helper/programs.ts';
import { connectBridge, processGone, textOf } from '../helper/running-app.ts';
import { callFromWindow, startShellApp } from '../helper/shell-app.ts';
import { tempDir } from '../helper/temp-dir.ts';
import { startUpdateFeed } from '../helper/update-feed.ts';

/** The packaged app as a build with an address makes it: hard links, and the address beside it. */
async function appWithFeed(url: string): Promise<AsyncDisposable & { readonly executable: string }> {
  const unpacked = dirname(packagedApp.executable);
  const folder = await mkdtemp(join(dirname(dirname(unpacked)), 'updates-'));
  await promisify(execFile)('cp', ['-al', unpacked, join(folder, 'app')]);
  const config = { provider: 'generic', url, updaterCacheDirName: 'patchbay-updater' };
  await writeFile(join(folder, 'app', 'resources', 'app-update.yml'), JSON.stringify(config));
  return {
    executable: join(folder, 'app', 'patchbay'),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}

/** An AppImage in all that matters to whoever replaces it: one executable file. This one starts the packaged app. */
function image(executable: string, mark: string): string {
  return `#!/bin/sh\n# ${mark}\necho ${mark} > "$0.ran"\nexec '${executable}' ${process.getuid?.() === 0 ? '--no-sandbox ' : ''}"$@"\n`;
}

async function madeUpPerson(folder: string, executable: string) {
  const dir = join(folder, 'data');
  const appImage = join(folder, 'Patchbay.AppImage');
  await mkdir(dir);
  const mcpServers = { stateful: nodeEntry(fixture('stateful')) };
  await writeFile(join(dir, 'mcp.json'), JSON.stringify({ mcpServers }));
  await writeFile(join(dir, 'settings.json'), JSON.stringify({ version: 1, port: await freePort() }));
  await writeFile(appImage, image(executable, 'old'));
  await chmod(appImage, 0o755);
  const env = { APPIMAGE: appImage, XDG_CACHE_HOME: join(folder, 'cache') };
  return { dir, appImage, env, downloads: join(folder, 'cache', 'patchbay-updater', 'pending') };
}

const hubPid = async (dir: string) => (await readHubRecord(join(dir, 'run', 'hub.json')))?.pid;

describe.skipIf(process.platform !== 'linux')('updates of the packaged app', () => {
  it('[PB-APP-1] are found, refused when forged, downloaded and installed on request, and clients reconnect', async () => {
    await using folder = await tempDir();
    await using feed = await startUpdateFeed();
    await using copy = await appWithFeed(feed.url);
    const { executable } = copy;
    const { dir, appImage, env, downloads } = await madeUpPerson(folder.path, executable);
    await using app = await startShellApp(dir, { executable, env });
    const page = await app.app.firstWindow();
    await page.getByRole('navigation', { name: 'Main' }).getByText('Settings').click();
    await page.getByText('About', { exact: true }).click();
    const button = (name: string) => page.getByRole('button', { name, exact: true });

    // Nothing is published yet.
    await button('Check now').click();
    await page.getByText('The update server could not be reached.').waitFor();
    const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
    feed.publish({ version, file: 'the same' });
    await button('Check again').click();
    await page.getByText('Last checked:').waitFor();

    const file = image(executable, 'new');
    feed.publish({ version: '99.0.0', file, announcedAs: 'what its publisher made' });
    await button('Check now').click();
    await page.getByText('Version 99.0.0 is available').waitFor();
    expect(feed.asked).not.toContain('/Patchbay-99.0.0.AppImage');
    await button('Download').click();
    await page.getByText('was discarded').waitFor();
    expect(await readdir(downloads)).toEqual([]);
    expect(await readFile(appImage, 'utf8')).toContain('# old');

    feed.publish({ version: '99.0.0', file });
    await button('Check again').click();
    await button('Download').click();
    await button('Restart and update').waitFor();
    expect((await stat(appImage)).size).toBeGreaterThan(0);

    await using client = await connectBridge(dir, 'claude-ai');
    const serverPid = Number(textOf(await client.callTool({ name: 'stateful__pid' })));
    const before = await hubPid(dir);
    await button('Restart and update').click();
    const dialog = page.getByRole('dialog', { name: 'Update Patchbay to 99.0.0?' });
    await dialog.getByText('1 client is connected').waitFor();
    await dialog.getByRole('button', { name: 'Update now' }).click();
    expect(await app.ended()).toBe(0);
    await processGone(serverPid);
    expect(await readFile(appImage, 'utf8')).toContain('# new');

    // The new version runs on the same folder, and the client continues with it.
    await eventually(async () => expect([undefined, before]).not.toContain(await hubPid(dir)));
    const after = (await hubPid(dir)) ?? 0;
    expect(await readFile(`${appImage}.ran`, 'utf8')).toBe('new\n');
    try {
      await eventually(async () =>
        expect(textOf(await client.callTool({ name: 'stateful__count' }))).toBe('1'),
      );
    } finally {
      // The client's bridge would start the hub again.
      await client.close();
      process.kill(after, 'SIGTERM');
      await processGone(after);
    }
  });

  it('[PB-APP-1] are off where the build names no address, and the page says so', async () => {
    await using folder = await tempDir();
    const { dir } = await madeUpPerson(folder.path, packagedApp.executable);
    await using app = await startShellApp(dir);
    const page = await app.app.firstWindow();
    expect(await callFromWindow(page, 'update.check', undefined)).toEqual({
      ok: true,
      value: { kind: 'off', reason: 'no-feed' },
    });
    await page.getByRole('navigation', { name: 'Main' }).getByText('Settings').click();
    await page.getByText('About', { exact: true }).click();
    await page.getByText('This build can’t check for updates').waitFor();
  });
});
