import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { eventually } from '../helper/eventually.ts';
import { freePort } from '../helper/free-port.ts';
import { fixture, nodeEntry } from '../helper/programs.ts';
import { connectBridge, startApp, toolNames } from '../helper/running-app.ts';
import { tempDir } from '../helper/temp-dir.ts';

const tool = (name: string) => ({
  name,
  description: `Does ${name}, and says so in some words.`,
  inputSchema: { type: 'object' },
});

/** A data folder with the server `s`, whose tools the test decides and nobody has to approve. */
async function dataFolder(folder: string) {
  const dir = join(folder, 'data');
  const file = join(folder, 'tools.json');
  const offer = (...names: readonly string[]) => writeFile(file, JSON.stringify(names.map(tool)));
  await mkdir(dir);
  await offer('read', 'write', 'gone');
  const s = { ...nodeEntry(fixture('turncoat')), env: { TOOLS: file }, patchbay: { guard: 'off' } };
  await writeFile(join(dir, 'mcp.json'), JSON.stringify({ mcpServers: { s } }));
  await writeFile(join(dir, 'settings.json'), JSON.stringify({ version: 1, port: await freePort() }));
  return { dir, offer };
}

async function openClients(window: Page): Promise<void> {
  await window
    .getByRole('navigation')
    .getByRole('button', { name: /^Clients/ })
    .click();
}

async function whatItGets(window: Page, title: string) {
  await openClients(window);
  await window.getByRole('button', { name: `Tools ${title} sees` }).click();
  return window.getByRole('dialog', { name: `Tools ${title} sees` });
}

describe('what the packaged app knows of a client', () => {
  it('[PB-NAMES-1] [AG-US7-AC1] its outdated list is noticed and the client notified again; the list’s size is shown, unused tools are turned off', async () => {
    await using folder = await tempDir();
    const { dir, offer } = await dataFolder(folder.path);
    await using app = await startApp(dir);
    const { window } = app;
    await using client = await connectBridge(dir, 'cursor-vscode');
    let heard = 0;
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
      heard += 1;
    });
    await eventually(async () => expect(await toolNames(client)).toEqual(['s__read', 's__write', 's__gone']));
    await client.callTool({ name: 's__read' });

    await offer('read', 'write', 'new');
    await eventually(() => expect(heard).toBe(1));
    const dialog = await whatItGets(window, 'Cursor');
    const changes = dialog.getByRole('region', { name: 'What has changed' });
    await changes.getByText('s__new').waitFor();
    await changes.getByText('s__gone').waitFor();
    await dialog.getByText('was notified that its list has changed').waitFor();
    await dialog.getByRole('button', { name: 'Notify again' }).click();
    await eventually(() => expect(heard).toBe(2));
    expect(await toolNames(client)).toEqual(['s__read', 's__write', 's__new']);
    await dialog.getByText('Up to date').waitFor();

    await dialog.getByLabel('Estimating tokens').first().waitFor({ state: 'detached' });
    const row = dialog.getByRole('row', { name: /s__read/ });
    const [, characters, tokens, calls] = await row.getByRole('cell').allTextContents();
    expect([characters, calls]).toEqual(['7', '1']);
    expect(Number(tokens)).toBeGreaterThan(10);
    await dialog.getByText('Never used 2').click();
    await row.waitFor({ state: 'detached' });
    await dialog.getByRole('button', { name: 'Turn off 2 tools' }).click();
    await eventually(async () => expect(await toolNames(client)).toEqual(['s__read']));
    await window.keyboard.press('Escape');
    await window.getByRole('button', { name: 'Undo' }).click();
    await eventually(async () => expect(await toolNames(client)).toHaveLength(3));
  });

  it('[PB-NAMES-1] a client that ignores changes needs a restart, and is remembered after it has quit', async () => {
    await using folder = await tempDir();
    const { dir, offer } = await dataFolder(folder.path);
    await using app = await startApp(dir);
    const { window } = app;
    {
      await using client = await connectBridge(dir, 'claude-ai');
      await eventually(async () => expect(await toolNames(client)).toHaveLength(3));
      await client.callTool({ name: 's__read' });
      await offer('read');
      const dialog = await whatItGets(window, 'Claude Desktop');
      await dialog.getByText('keeps the list that it received at startup').waitFor();
      expect(await dialog.getByRole('button', { name: 'Notify again' }).count()).toBe(0);
      await window.keyboard.press('Escape');
    }
    await openClients(window);
    await window.getByRole('region', { name: 'Recently seen' }).waitFor();
    const dialog = await whatItGets(window, 'Claude Desktop');
    await dialog.getByText('Not connected. These are the tools it would get.').waitFor();
    await dialog.getByRole('row', { name: /s__read.*1/ }).waitFor();
  });
});
