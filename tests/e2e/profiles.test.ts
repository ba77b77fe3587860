import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { eventually } from '../helper/eventually.ts';
import { freePort } from '../helper/free-port.ts';
import { fixture, nodeEntry } from '../helper/programs.ts';
import { connectBridge, hubGone, startApp, textOf, toolNames } from '../helper/running-app.ts';
import { tempDir } from '../helper/temp-dir.ts';

const tool = (name: string) => ({ name, description: `Does ${name}.`, inputSchema: { type: 'object' } });
const outside = { data: { code: 'call.outside_profile' } };

/** A data folder with the servers `s` and `t`, which offer the same two tools. */
async function dataFolder(folder: string) {
  const dir = join(folder, 'data');
  const file = join(folder, 'tools.json');
  await mkdir(dir);
  await writeFile(file, JSON.stringify([tool('read'), tool('write')]));
  const entry = { ...nodeEntry(fixture('turncoat')), env: { TOOLS: file } };
  await writeFile(join(dir, 'mcp.json'), JSON.stringify({ mcpServers: { s: entry, t: entry } }));
  await writeFile(join(dir, 'settings.json'), JSON.stringify({ version: 1, port: await freePort() }));
  return dir;
}

const openClients = (window: Page) =>
  window
    .getByRole('navigation')
    .getByRole('button', { name: /^Clients/ })
    .click();

describe('packaged profiles', () => {
  it('[AG-US7-AC1] [PB-NAMES-1] are created in the window, assigned on a card, and saved; unknown ones give nothing', async () => {
    await using folder = await tempDir();
    const dir = await dataFolder(folder.path);
    const all = ['s__read', 's__write', 't__read', 't__write'];
    {
      await using app = await startApp(dir);
      const { window } = app;
      await using client = await connectBridge(dir, 'editor');
      await eventually(async () => expect(await toolNames(client)).toEqual(all));

      await openClients(window);
      await window.locator('label', { hasText: /^Profiles$/ }).click();
      await window.getByRole('button', { name: 'New profile' }).first().click();
      await window.getByLabel('Profile name').fill('Research');
      await window.keyboard.press('Enter');
      await window.getByRole('region', { name: 'Profile Research' }).waitFor();
      await window.getByRole('button', { name: /^s / }).click();
      await window.getByLabel('read').click();
      await window.getByText('1 tool, no new ones').waitFor();

      await window.locator('label', { hasText: /^Clients$/ }).click();
      await window.getByRole('combobox', { name: 'Profile of editor' }).click();
      await window.getByRole('option', { name: 'Profile Research' }).click();
      await eventually(async () => expect(await toolNames(client)).toEqual(['s__read']));
      expect(textOf(await client.callTool({ name: 's__read' }))).toBe('read ran');
      await expect(client.callTool({ name: 't__read' })).rejects.toMatchObject(outside);
    }
    await hubGone(dir);

    await using app = await startApp(dir);
    await using client = await connectBridge(dir, 'editor');
    expect(await toolNames(client)).toEqual(['s__read']);
    await using other = await connectBridge(dir, 'other');
    await eventually(async () => expect(await toolNames(other)).toEqual(all));
    await using asking = await connectBridge(dir, 'asking', '--profile', 'Research');
    expect(await toolNames(asking)).toEqual(['s__read']);
    await using lost = await connectBridge(dir, 'lost', '--profile', 'Nowhere');
    await expect(toolNames(lost)).rejects.toMatchObject({ data: { code: 'profile.unknown' } });
    await openClients(app.window);
    await app.window.getByText('Profile Nowhere does not exist, so this client gets nothing.').waitFor();
    expect(JSON.parse(await readFile(join(dir, 'profiles.json'), 'utf8'))).toMatchObject({
      clients: { editor: 'Research' },
    });
  });
});
