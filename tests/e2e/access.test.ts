import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { eventually } from '../helper/eventually.ts';
import { freePort } from '../helper/free-port.ts';
import { fixture, nodeEntry } from '../helper/programs.ts';
import { connectBridge, startApp, textOf, toolNames, useApp } from '../helper/running-app.ts';
import { tempDir } from '../helper/temp-dir.ts';

const tool = (name: string) => ({ name, description: `Does ${name}.`, inputSchema: { type: 'object' } });
const denied = { data: { code: 'call.approval_denied' } };

/** A data folder with the server `s`, and what clients get that are new. */
async function dataFolder(folder: string, newClients: 'everything' | 'ask') {
  const dir = join(folder, 'data');
  const file = join(folder, 'tools.json');
  await mkdir(dir);
  await writeFile(file, JSON.stringify([tool('read'), tool('write')]));
  const entry = { ...nodeEntry(fixture('turncoat')), env: { TOOLS: file } };
  await writeFile(join(dir, 'mcp.json'), JSON.stringify({ mcpServers: { s: entry } }));
  const settings = { version: 1, port: await freePort(), newClients };
  await writeFile(join(dir, 'settings.json'), JSON.stringify(settings));
  return dir;
}

const panelOf = (window: Page) => window.getByRole('region', { name: 'Calls that need approval' });
const all = ['s__read', 's__write'];

describe('packaged approvals', () => {
  const asking = useApp(async (folder) => startApp(await dataFolder(folder, 'ask')));

  it('[REQ-MCP-AUTH-002] [PB-A11Y-1] a call waits for an answer in the window: once, denied, always, with the mouse', async () => {
    const { window, folder } = asking();
    await using client = await connectBridge(join(folder, 'data'), 'mouse');
    await eventually(async () => expect(await toolNames(client)).toEqual(all));
    const panel = panelOf(window);

    const once = client.callTool({ name: 's__write', arguments: { path: 'a.md', password: 'hunter2' } });
    await panel.getByText('mouse wants to run write on s').waitFor();
    await panel.getByText('a.md').waitFor();
    await panel.getByText('High risk').waitFor();
    expect(await panel.textContent()).not.toContain('hunter2');
    const { violations } = await new AxeBuilder({ page: window }).setLegacyMode(true).analyze();
    expect(violations).toEqual([]);
    await panel.getByRole('button', { name: 'Allow once' }).click();
    expect(textOf(await once)).toBe('write ran');
    await panel.waitFor({ state: 'detached' });

    const refused = client.callTool({ name: 's__write' });
    const expected = expect(refused).rejects.toMatchObject(denied);
    await panel.getByRole('button', { name: 'Deny' }).click();
    await expected;

    const always = client.callTool({ name: 's__write' });
    await panel.getByRole('button', { name: 'Always allow' }).click();
    expect(textOf(await always)).toBe('write ran');
    expect(textOf(await client.callTool({ name: 's__write' }))).toBe('write ran');

    await window.getByRole('button', { name: 'Undo' }).click();
    await window.getByText('mouse asks again before it runs s:write.').waitFor();
    const again = client.callTool({ name: 's__write' });
    await panel.getByRole('button', { name: 'Allow once' }).click();
    expect(textOf(await again)).toBe('write ran');
  });

  it('[REQ-MCP-AUTH-002] [PB-A11Y-1] by keyboard alone, among several, and back to where it was', async () => {
    const { window, folder } = asking();
    await using client = await connectBridge(join(folder, 'data'), 'keyboard');
    await eventually(async () => expect(await toolNames(client)).toEqual(all));
    const panel = panelOf(window);
    const focused = () => window.evaluate(() => document.activeElement?.textContent ?? '');
    await window.getByRole('button', { name: 's', exact: true }).focus();

    const write = client.callTool({ name: 's__write', arguments: { path: 'a.md' } });
    await panel.getByText('keyboard wants to run write on s').waitFor();
    expect(await focused()).toBe('s');
    const read = client.callTool({ name: 's__read' });
    const refused = expect(read).rejects.toMatchObject(denied);
    await panel.getByText('2 calls need approval').waitFor();
    await window.keyboard.press('Control+Shift+A');
    await window.keyboard.press('ArrowDown');
    await panel.getByText('keyboard wants to run read on s').waitFor();
    await window.keyboard.press('Escape');
    await panel.getByRole('button', { name: 'Answer' }).waitFor();
    expect(await focused()).toBe('s');

    await window.keyboard.press('Control+Shift+A');
    await pressOn(window, 'Deny');
    await refused;
    await panel.getByText('keyboard wants to run write on s').waitFor();
    await pressOn(window, 'Allow for 15 minutes', 'Shift+Tab');
    expect(textOf(await write)).toBe('write ran');
    await panel.waitFor({ state: 'detached' });
    expect(await focused()).toBe('s');
    expect(textOf(await client.callTool({ name: 's__write' }))).toBe('write ran');
  });
});

describe('packaged access', () => {
  it('[REQ-MCP-AUTH-003] after a lost database the window says how to go on, and does', async () => {
    await using folder = await tempDir();
    const dir = await dataFolder(folder.path, 'everything');
    await writeFile(join(dir, 'state.db'), 'no database '.repeat(500));
    await using app = await startApp(dir);
    const { window } = app;
    await window.getByRole('button', { name: 'Open Access' }).click();
    await window.getByRole('button', { name: 'Continue…' }).click();
    const dialog = window.getByRole('dialog', { name: 'Continue with the recovered data?' });
    await dialog.getByText('This cannot be undone').waitFor();
    await dialog.getByRole('button', { name: 'Continue', exact: true }).click();
    await window.getByText('The recovered access rules are in force').waitFor();
    await window.getByRole('button', { name: 'Open Access' }).waitFor({ state: 'detached' });
    await using client = await connectBridge(dir, 'editor');
    // Known again from now on; what its tools are has to be seen once more.
    await window.getByRole('columnheader', { name: /^editor/ }).waitFor();
    await toolNames(client);
  });

  it('[REQ-MCP-AUTH-001] a tool that is denied in the matrix leaves the list of its client', async () => {
    await using folder = await tempDir();
    const dir = await dataFolder(folder.path, 'everything');
    await using app = await startApp(dir);
    const { window } = app;
    await using client = await connectBridge(dir, 'editor');
    await eventually(async () => expect(await toolNames(client)).toEqual(all));

    await window
      .getByRole('navigation', { name: 'Main' })
      .getByRole('button', { name: /^Clients/ })
      .click();
    await window.locator('label', { hasText: /^Access$/ }).click();
    await window.getByRole('button', { name: 'editor, s: allowed by default' }).click();
    const dialog = window.getByRole('dialog', { name: 'What editor can use in s' });
    await dialog.getByRole('button', { name: 'Deny write' }).click();
    await dialog.getByText('A rule denies s:write.').waitFor();
    await eventually(async () => expect(await toolNames(client)).toEqual(['s__read']));
    await window.keyboard.press('Escape');
    await window.getByRole('button', { name: 'editor, s: 1 allowed, 1 denied by its own rule' }).click();
    await dialog.getByRole('button', { name: 'Deny write' }).click();
    await eventually(async () => expect(await toolNames(client)).toEqual(all));
  });
});

/** Goes by Tab to a button, and presses it once it takes answers. */
async function pressOn(window: Page, name: string, by = 'Tab'): Promise<void> {
  const button = panelOf(window).getByRole('button', { name, exact: true });
  const isThere = () => button.evaluate((element) => element === document.activeElement);
  for (let step = 0; step < 20 && !(await isThere()); step += 1) await window.keyboard.press(by);
  expect(await isThere()).toBe(true);
  await eventually(async () => expect(await button.getAttribute('aria-disabled')).toBe('false'));
  await window.keyboard.press('Enter');
}
