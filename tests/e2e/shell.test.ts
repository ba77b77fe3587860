import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dataPaths } from '../../electron/engine/store/files/data-dir.ts';
import { readHubRecord } from '../../electron/engine/store/files/instance-lock.ts';
import { eventually } from '../helper/eventually.ts';
import { freePort } from '../helper/free-port.ts';
import { packagedApp } from '../helper/packaged-app.ts';
import { fixture } from '../helper/programs.ts';
import { hubGone, processGone, useApp } from '../helper/running-app.ts';
import { hubListens } from '../helper/running-hub.ts';
import {
  callFromWindow,
  type ShellApp,
  startAgain,
  startShellApp,
  startStages,
} from '../helper/shell-app.ts';
import { tempDir } from '../helper/temp-dir.ts';
import { startTrayHost } from '../helper/tray-host.ts';

/** A data folder whose hub takes a port of its own and runs the servers given. */
async function dataFolder(folder: string, keys: readonly string[] = []): Promise<string> {
  const dataDir = join(folder, 'data');
  await mkdir(dataDir, { recursive: true });
  const entries = keys.map((key) => [key, { command: process.execPath, args: [fixture('echo')] }]);
  await writeFile(join(dataDir, 'settings.json'), JSON.stringify({ version: 1, port: await freePort() }));
  await writeFile(join(dataDir, 'mcp.json'), JSON.stringify({ mcpServers: Object.fromEntries(entries) }));
  return dataDir;
}

async function shown(app: ShellApp): Promise<void> {
  await eventually(async () =>
    expect(await app.windows()).toMatchObject([{ visible: true, minimized: false }]),
  );
}

async function stateOf(app: ShellApp) {
  const answer = await callFromWindow(await app.app.firstWindow(), 'state.get', undefined);
  if (!answer.ok) throw new Error(answer.problem.sentence);
  return answer.value;
}

describe('one instance', () => {
  it('[PB-APP-1] a second start shows the window of the first, or runs its command there', async () => {
    await using folder = await tempDir();
    await using _tray = await startTrayHost();
    const dataDir = await dataFolder(folder.path);
    await using app = await startShellApp(dataDir, { args: ['--hidden'] });
    await eventually(async () => expect(await startStages(dataDir)).toHaveProperty('hub-started'));
    expect(await app.windows()).toEqual([]);

    expect(await startAgain(dataDir, { args: ['--hidden'] })).toBe(0);
    expect(await app.windows()).toEqual([]);

    expect(await startAgain(dataDir)).toBe(0);
    await shown(app);

    await app.closeWindow();
    await eventually(async () => expect(await app.windows()).toMatchObject([{ visible: false }]));
    expect(await startAgain(dataDir, { args: ['--add-server'] })).toBe(0);
    await shown(app);
    await (await app.app.firstWindow()).getByRole('dialog', { name: 'Add server' }).waitFor();
  });

  it('[PB-APP-1] another data folder is another app', async () => {
    await using folder = await tempDir();
    await using other = await tempDir();
    await using first = await startShellApp(await dataFolder(folder.path));
    await using second = await startShellApp(await dataFolder(other.path));
    await shown(first);
    await shown(second);
  });

  it('[PB-APP-1] a headless hub on the folder is shown in the window, and taken over only when the user asks', async () => {
    await using folder = await tempDir();
    const dataDir = await dataFolder(folder.path, ['echo']);
    const serve = spawn(packagedApp.launcher('patchbay'), ['serve', '--data-dir', dataDir], {
      stdio: 'ignore',
    });
    try {
      await eventually(() => expect(existsSync(join(dataDir, 'run', 'hub.json'))).toBe(true));
      await using app = await startShellApp(dataDir);
      const { hub, servers } = await stateOf(app);
      expect(hub.problems).toMatchObject([{ code: 'hub.already_running' }]);
      expect(servers).toEqual([]);
      const refused = await callFromWindow(await app.app.firstWindow(), 'server.restart', { key: 'echo' });
      expect(refused).toMatchObject({ ok: false, problem: { code: 'hub.already_running' } });
      await app.quit();
      expect(serve.exitCode).toBeNull();
      await using again = await startShellApp(dataDir);
      const page = await again.app.firstWindow();
      await page.getByRole('button', { name: 'Take over' }).click();
      await page.getByRole('navigation', { name: 'Main' }).waitFor();
      await eventually(async () => expect((await stateOf(again)).servers).toMatchObject([{ key: 'echo' }]));
      await eventually(() => expect(serve.exitCode).toBe(0));
      await again.quit();
    } finally {
      serve.kill();
      await hubGone(dataDir);
    }
  });

  it('[PB-APP-1] a headless hub that gets the folder while the app runs is shown, and taken over as well', async () => {
    await using folder = await tempDir();
    const dataDir = await dataFolder(folder.path, ['echo']);
    const { hub: record, run } = dataPaths(dataDir);
    await using app = await startShellApp(dataDir);
    const page = await app.app.firstWindow();
    await eventually(async () => expect((await stateOf(app)).servers).toMatchObject([{ key: 'echo' }]));
    const pid = (await readHubRecord(record))?.pid ?? 0;
    // Asleep, it cannot be the first to write its record again.
    process.kill(pid, 'SIGSTOP');
    await rm(run, { recursive: true });
    const serve = spawn(packagedApp.launcher('patchbay'), ['serve', '--data-dir', dataDir], {
      stdio: 'ignore',
    });
    try {
      await hubListens(dataDir);
      process.kill(pid, 'SIGCONT');
      await page.getByRole('button', { name: 'Take over' }).click();
      await eventually(async () => expect((await stateOf(app)).servers).toMatchObject([{ key: 'echo' }]));
      await eventually(() => expect(serve.exitCode).toBe(0));
      expect((await readHubRecord(record))?.pid).toBe(pid);
      await app.quit();
    } finally {
      serve.kill();
      await hubGone(dataDir);
    }
  });
});

describe('an app that runs', () => {
  const plain = useApp(async (folder) => {
    const env = { XDG_CONFIG_HOME: join(folder, 'config') };
    return startShellApp(await dataFolder(folder), { env });
  });

  it('[PB-SAFE-2] [PB-IPC-1] holds no Node, loads nothing remote and goes nowhere', async () => {
    const { app, window: page } = plain();
    const found = await page.evaluate(async () => {
      const tried = (work: () => Promise<unknown>) =>
        work().then(
          () => 'done',
          () => 'refused',
        );
      const inline = document.createElement('script');
      inline.textContent = 'window.inlineRan = true';
      document.body.append(inline);
      const style = document.createElement('style');
      style.textContent = 'body { outline: 3px solid red }';
      document.head.append(style);
      return {
        node: ['process', 'require', 'module', 'Buffer'].filter((name) => name in window),
        bridge: Object.keys((window as unknown as { patchbay: object }).patchbay).sort(),
        inlineRan: 'inlineRan' in window,
        styled: getComputedStyle(document.body).outlineStyle,
        fetched: await tried(() => fetch('https://example.org/')),
        outside: await fetch('app://patchbay/..%2f..%2fpackage.json').then(
          (answer) => answer.status,
          () => 'refused',
        ),
        opened: window.open('https://127.0.0.1:1/') === null,
        permission: await tried(() => navigator.mediaDevices.getUserMedia({ audio: true })),
      };
    });
    expect(found).toEqual({
      node: [],
      bridge: ['call', 'on', 'pathOf'],
      inlineRan: false,
      styled: 'none',
      fetched: 'refused',
      outside: 'refused',
      opened: true,
      permission: 'refused',
    });
    expect(await callFromWindow(page, 'app.openExternal', { url: 'file:///etc/passwd' })).toMatchObject({
      ok: false,
      problem: { code: 'app.refused_link' },
    });
    // Asked of the main process: Playwright itself waits for a navigation that was refused.
    const inPage = (code: string) =>
      app.app.evaluate(
        ({ webContents }, text) => webContents.getAllWebContents()[0]?.executeJavaScript(text),
        code,
      );
    for (const url of ['https://127.0.0.1:1/', 'file:///etc/passwd']) {
      // Later, so that the answer to this very call is not caught up in it.
      await inPage(`setTimeout(() => { location.href = '${url}'; }, 0)`);
    }
    await inPage('new Promise((resolve) => setTimeout(resolve, 300))');
    expect(await inPage('location.href')).toMatch(/^app:\/\/patchbay\//);
  });

  it('[PB-APP-1] is never out of reach without a tray: closing it minimizes', async () => {
    const { app, folder } = plain();
    await shown(app);
    await app.closeWindow();
    // Without a window manager nothing is really minimized; that it still exists and the app runs is what counts.
    expect(await app.windows()).toHaveLength(1);
    expect(await startAgain(join(folder, 'data'))).toBe(0);
    await shown(app);
  });

  it.runIf(process.platform === 'linux')(
    '[PB-APP-1] start at login is a file, there exactly while it is wanted',
    async () => {
      const { window: page, folder } = plain();
      const dataDir = join(folder, 'data');
      const file = join(folder, 'config', 'autostart', 'patchbay.desktop');
      await callFromWindow(page, 'settings.set', { startAtLogin: true });
      expect(await readFile(file, 'utf8')).toContain(`"--hidden" "--data-dir=${dataDir}"`);
      expect(JSON.parse(await readFile(join(dataDir, 'settings.json'), 'utf8'))).toMatchObject({
        startAtLogin: true,
      });
      await callFromWindow(page, 'settings.set', { startAtLogin: false });
      expect(existsSync(file)).toBe(false);
    },
  );
});

describe('the window', () => {
  it('[PB-APP-1] is hidden by its close button if a tray can show it again, and returns to its place', async () => {
    await using folder = await tempDir();
    await using tray = await startTrayHost();
    const dataDir = await dataFolder(folder.path);
    const bounds = { x: 60, y: 50, width: 900, height: 640 };
    const first = await startShellApp(dataDir);
    await shown(first);
    const icon = await tray.item();
    await first.app.evaluate(
      ({ BrowserWindow }, wanted) => BrowserWindow.getAllWindows()[0]?.setBounds(wanted),
      bounds,
    );
    const page = await first.app.firstWindow();
    await page
      .getByRole('navigation', { name: 'Main' })
      .getByRole('button', { name: /^Activity/ })
      .click();
    await first.closeWindow();
    await eventually(async () => expect(await first.windows()).toMatchObject([{ visible: false }]));
    await icon.click('Open Patchbay');
    await shown(first);
    await icon.click('Quit Patchbay');
    expect(await first.ended()).toBe(0);
    await hubGone(dataDir);
    await using second = await startShellApp(dataDir);
    await shown(second);
    expect(await second.windows()).toMatchObject([{ bounds: { width: 900, height: 640 } }]);
    const again = await second.app.firstWindow();
    await again.getByRole('heading', { level: 1, name: 'Activity' }).waitFor();
  });

  it('[PB-APP-1] quits the app by its close button when the person wants that', async () => {
    await using folder = await tempDir();
    const dataDir = await dataFolder(folder.path, ['echo']);
    await using app = await startShellApp(dataDir);
    await shown(app);
    const page = await app.app.firstWindow();
    expect(await callFromWindow(page, 'settings.set', { closeToTray: false })).toMatchObject({ ok: true });
    await app.closeWindow().catch(() => undefined);
    expect(await app.ended()).toBe(0);
    await hubGone(dataDir);
  });
});

describe('start and end', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    '[PB-APP-1] [PB-PROC-1] %s ends the app and every server',
    async (signal) => {
      await using folder = await tempDir();
      const dataDir = await dataFolder(folder.path, ['a', 'b']);
      await using app = await startShellApp(dataDir);
      await eventually(async () => {
        expect((await stateOf(app)).servers.map(({ status }) => status)).toEqual(['connected', 'connected']);
      });
      const pids = (await stateOf(app)).servers.flatMap(({ pid }) => pid ?? []);
      expect(pids).toHaveLength(2);
      process.kill(app.pid, signal);
      expect(await app.ended()).toBe(0);
      for (const pid of pids) await processGone(pid);
      await hubGone(dataDir);
    },
  );

  it('[PB-APP-1] damaged settings are set aside and reported', async () => {
    await using folder = await tempDir();
    const dataDir = await dataFolder(folder.path);
    await writeFile(join(dataDir, 'settings.json'), '{"port": "many"');
    await using app = await startShellApp(dataDir);
    const { hub, settings } = await stateOf(app);
    expect(hub.problems).toEqual(
      expect.arrayContaining([expect.objectContaining({ code: 'hub.settings_unreadable' })]),
    );
    expect(settings.theme).toBe('system');
    expect((await readdir(dataDir)).filter((name) => name.startsWith('settings.json.broken-'))).toHaveLength(
      1,
    );
  });

  it('[PB-APP-1] an unusable data folder is reported in the window', async () => {
    await using folder = await tempDir();
    await using app = await startShellApp('/dev/null/data', { env: { TMPDIR: folder.path } });
    const { hub } = await stateOf(app);
    expect(hub.problems).toMatchObject([{ code: 'hub.data_folder_unwritable' }]);
  });

  it('[PB-BRIDGE-1] an unusable data folder is reported to the bridge that started the app, which ends', async () => {
    await using folder = await tempDir();
    const root = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
    const app = spawn(packagedApp.executable, [...root, '--hidden', '--data-dir=/dev/null/data'], {
      env: { ...process.env, TMPDIR: folder.path, PATCHBAY_START_REPORT: 'json' },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    app.stderr.on('data', (chunk) => {
      said += chunk;
    });
    const [code] = await once(app, 'close');
    expect(code).toBe(1);
    expect(JSON.parse(said.split('\n').findLast((line) => line.startsWith('{')) ?? '')).toMatchObject({
      code: 'hub.data_folder_unwritable',
    });
  });

  it('[PB-TRAY-1] the tray says what is wrong and returns after the panel has restarted', async () => {
    await using folder = await tempDir();
    const dataDir = await dataFolder(folder.path, ['echo']);
    await using app = await startShellApp(dataDir, { args: ['--hidden'] });
    await eventually(async () => expect(await startStages(dataDir)).toHaveProperty('hub-started'));
    const panel = await startTrayHost();
    await eventually(async () => {
      expect(await (await panel.item()).tooltip()).toBe('Patchbay: 1 of 1 server connected');
    });
    await writeFile(
      join(dataDir, 'mcp.json'),
      JSON.stringify({ mcpServers: { bad: { command: 'no-such-program-anywhere' } } }),
    );
    await eventually(async () => {
      const labels = (await (await panel.item()).entries()).map(({ label }) => label);
      expect(labels).toContain('Open bad to fix (The command "no-such-program-anywhere" was not …)');
    });
    await panel[Symbol.asyncDispose]();
    await using restarted = await startTrayHost();
    await (await restarted.item()).click(
      'Open bad to fix (The command "no-such-program-anywhere" was not …)',
    );
    await shown(app);
    await (await restarted.item()).click('Turn off all…');
    await eventually(async () => {
      expect(JSON.parse(await readFile(join(dataDir, 'mcp.json'), 'utf8'))).toMatchObject({
        mcpServers: { bad: { disabled: true } },
      });
    });
  });
});
