import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eventually } from '../helper/eventually.ts';
import { freePort } from '../helper/free-port.ts';
import { fixture, nodeEntry } from '../helper/programs.ts';
import { connectBridge, hubGone, processGone, startApp, textOf } from '../helper/running-app.ts';
import { callFromWindow, startAgain, startShellApp, startStages } from '../helper/shell-app.ts';
import { tempDir } from '../helper/temp-dir.ts';
import { startTrayHost } from '../helper/tray-host.ts';

/** A data folder with these servers and a port of its own. */
async function dataFolder(folder: string, mcpServers: object, settings: object = {}): Promise<string> {
  const dir = join(folder, 'data');
  await mkdir(dir);
  await writeFile(join(dir, 'mcp.json'), JSON.stringify({ mcpServers }, undefined, 2));
  await writeFile(
    join(dir, 'settings.json'),
    JSON.stringify({ version: 1, port: await freePort(), ...settings }),
  );
  return dir;
}

const stateful = { stateful: nodeEntry(fixture('stateful')) };

/** A list alone may come from what the bridge remembers, before the app knows the client. */
async function hasReached(client: Awaited<ReturnType<typeof connectBridge>>): Promise<void> {
  await client.listTools();
  await client.callTool({ name: 'stateful__pid' });
}

describe('a quit while clients are connected', () => {
  it('[PB-APP-1] [PB-TRAY-1] asked for in the tray names whom it cuts off, lets calls end, and leaves no process', async () => {
    await using folder = await tempDir();
    await using panel = await startTrayHost();
    const dataDir = await dataFolder(folder.path, stateful);
    await using app = await startShellApp(dataDir, { args: ['--hidden'] });
    await eventually(async () => expect(await startStages(dataDir)).toHaveProperty('hub-started'));
    await using client = await connectBridge(dataDir, 'claude-ai');
    const pid = Number(textOf(await client.callTool({ name: 'stateful__pid' })));
    const held = client.callTool({ name: 'stateful__hold' });

    await (await panel.item()).click('Quit Patchbay');
    const page = await app.app.firstWindow();
    const dialog = page.getByRole('dialog', { name: 'Quit Patchbay?' });
    await dialog.getByText('hold', { exact: true }).waitFor();
    await dialog.getByText('stateful, for Claude Desktop').waitFor();

    // Escape stays.
    await page.keyboard.press('Escape');
    await eventually(async () => expect(await dialog.count()).toBe(0));
    expect(textOf(await client.callTool({ name: 'stateful__pid' }))).toBe(String(pid));

    await (await panel.item()).click('Quit Patchbay');
    await dialog.getByRole('button', { name: 'Finish calls, then quit' }).click();
    await page.getByText('Patchbay quits when').waitFor();
    process.kill(pid, 'SIGUSR2');
    expect(textOf(await held)).toBe('0');
    expect(await app.ended()).toBe(0);
    await hubGone(dataDir);
    await processGone(pid);
  });

  it('[PB-APP-1] is asked about when the window is closed for good, and can become serving on', async () => {
    await using folder = await tempDir();
    await using _panel = await startTrayHost();
    const dataDir = await dataFolder(folder.path, stateful, { closeToTray: false });
    await using app = await startShellApp(dataDir);
    const page = await app.app.firstWindow();
    const dialog = page.getByRole('dialog', { name: 'Quit Patchbay?' });
    {
      await using client = await connectBridge(dataDir);
      await hasReached(client);
      await app.closeWindow();
      await dialog.getByRole('button', { name: 'Keep running in the tray' }).click();
      await eventually(async () => expect(await app.windows()).toMatchObject([{ visible: false }]));
      expect(textOf(await client.callTool({ name: 'stateful__count' }))).toBe('1');
    }
    await eventually(async () => {
      const state = await callFromWindow(page, 'state.get', undefined);
      expect(state).toMatchObject({ value: { clients: [] } });
    });
    // Nobody is connected any more.
    await app.closeWindow().catch(() => undefined);
    expect(await app.ended()).toBe(0);
    await hubGone(dataDir);
  });

  it('[PB-APP-1] [PB-BRIDGE-1] can last, also over a login: a client keeps its list, and its calls say that Patchbay is turned off', async () => {
    await using folder = await tempDir();
    await using _panel = await startTrayHost();
    const dataDir = await dataFolder(folder.path, stateful, { closeToTray: false });
    await using app = await startShellApp(dataDir);
    const page = await app.app.firstWindow();
    await using client = await connectBridge(dataDir);
    await hasReached(client);
    await app.closeWindow();
    const dialog = page.getByRole('dialog', { name: 'Quit Patchbay?' });
    await dialog.getByLabel('Stay off until I open Patchbay').check();
    await dialog.getByRole('button', { name: 'Quit and stay off' }).click();
    expect(await app.ended()).toBe(0);
    await expect(client.callTool({ name: 'stateful__count' })).rejects.toThrow('Patchbay is turned off.');
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('stateful__count');
    await hubGone(dataDir);

    // A start at login changes nothing of it; one by a person does.
    expect(await startAgain(dataDir, { args: ['--hidden'] })).toBe(0);
    await expect(client.callTool({ name: 'stateful__count' })).rejects.toThrow('Patchbay is turned off.');
    await using _again = await startShellApp(dataDir);
    await eventually(async () =>
      expect(textOf(await client.callTool({ name: 'stateful__count' }))).toBe('1'),
    );
  });

  it('[PB-APP-1] [NFR-R4] by the system is not asked about, and grants calls a moment', async () => {
    await using folder = await tempDir();
    const dataDir = await dataFolder(folder.path, stateful);
    await using app = await startShellApp(dataDir);
    await using client = await connectBridge(dataDir);
    const pid = Number(textOf(await client.callTool({ name: 'stateful__pid' })));
    const held = client.callTool({ name: 'stateful__hold' });
    await eventually(async () => {
      const plan = await callFromWindow(await app.app.firstWindow(), 'app.quitPlan', undefined);
      expect(plan).toMatchObject({ value: { calls: [{ name: 'hold' }] } });
    });
    process.kill(app.pid, 'SIGTERM');
    setTimeout(() => process.kill(pid, 'SIGUSR2'), 1_000);
    expect(textOf(await held)).toBe('0');
    expect(await app.ended()).toBe(0);
    await hubGone(dataDir);
  });
});

describe('the page of a server', () => {
  it('[PB-PROC-1] [PB-DEMAND-1] shows its processes, explains its command, tries a config, and puts it to sleep', async () => {
    await using folder = await tempDir();
    const dataDir = await dataFolder(folder.path, {
      wrapped: { ...nodeEntry(fixture('wrapper')), patchbay: { guard: 'off' } },
    });
    await using app = await startApp(dataDir);
    const { window } = app;
    await using client = await connectBridge(dataDir);
    await app.row('wrapped').getByText('Connected').first().waitFor();
    await window.getByRole('button', { name: 'wrapped', exact: true }).click();

    // The wrapper, and below it the server that a client talks to.
    const pid = textOf(await client.callTool({ name: 'wrapped__pid' }));
    const processes = window.getByRole('region', { name: 'Processes' });
    await processes.getByText(pid, { exact: true }).waitFor();
    expect(await processes.getByRole('button', { name: /^Child processes of/ }).count()).toBeGreaterThan(0);

    // Check the health on request.
    const health = window.getByRole('region', { name: 'Health', exact: true });
    await health.getByRole('button', { name: 'Check now' }).click();
    await health.getByText('by a ping').waitFor();

    await window.getByRole('button', { name: 'Which version runs?' }).click();
    const program = window.getByRole('region', { name: 'Which version runs', exact: true });
    const chosen = program.locator('li[data-chosen="true"]');
    await chosen.getByText(process.execPath, { exact: true }).first().waitFor();
    await chosen.getByText(process.versions.node).waitFor();
    await program.getByText(/folders? searched/).waitFor();

    // A config is tried beside it; the client's server is not touched.
    await window.getByRole('tab', { name: 'Config' }).click();
    await window.getByLabel('Argument 1', { exact: true }).fill(fixture('stateful'));
    await window.getByRole('button', { name: 'Try it' }).click();
    const outcome = window.getByRole('region', { name: 'Outcome' });
    await outcome.getByText(/^It works. stateful 1\.0\.0 was ready in .+, with 10 tools\.$/).waitFor();
    expect(textOf(await client.callTool({ name: 'wrapped__pid' }))).toBe(pid);
    await window.getByRole('button', { name: 'Save' }).click();
    await outcome.getByText(/^New config in use: 9 tools added/).waitFor();
    await outcome.getByRole('button', { name: 'Dismiss' }).click();
    await processGone(Number(pid));

    await window.getByRole('tab', { name: 'Overview' }).click();
    await window.getByRole('button', { name: 'Actions for wrapped' }).last().click();
    await window.getByRole('menuitem', { name: 'Sleep now' }).click();
    await app.row('wrapped').getByText('Asleep').first().waitFor();
    // A call wakes it.
    expect(textOf(await client.callTool({ name: 'wrapped__count' }))).toBe('1');
    await app.row('wrapped').getByText('Connected').first().waitFor();
    await client.close();
  });
});
