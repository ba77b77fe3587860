import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { embeddingServer } from '../helper/embedding-server.ts';
import { freePort } from '../helper/free-port.ts';
import { fixture, nodeEntry } from '../helper/programs.ts';
import { hubGone, startApp } from '../helper/running-app.ts';
import { tempDir } from '../helper/temp-dir.ts';

const invoice = {
  name: 'create_invoice',
  description: 'Makes an invoice for a customer.',
  inputSchema: { type: 'object', properties: { amount: { type: 'number' } } },
};

/** A data folder with one server that offers these tools. */
async function dataFolder(folder: string, tools: readonly object[] = [invoice]) {
  const dir = join(folder, 'data');
  const file = join(folder, 'tools.json');
  await mkdir(dir);
  await writeFile(file, JSON.stringify(tools));
  const billing = { ...nodeEntry(fixture('turncoat')), env: { TOOLS: file } };
  await writeFile(join(dir, 'mcp.json'), JSON.stringify({ mcpServers: { billing } }));
  await writeFile(join(dir, 'settings.json'), JSON.stringify({ version: 1, port: await freePort() }));
  return dir;
}

const openTools = (window: Page) =>
  window
    .getByRole('navigation')
    .getByRole('button', { name: /^Tools/ })
    .click();

async function openSkills(window: Page): Promise<void> {
  await openTools(window);
  await window.locator('label', { hasText: /^By skill$/ }).click();
}

describe('packaged search', () => {
  it('[AG-US2-AC1] [AG-US3-AC2] finds a misspelled tool and opens it; a moved tool keeps its skill', async () => {
    await using folder = await tempDir();
    const dir = await dataFolder(folder.path);
    {
      await using app = await startApp(dir);
      const { window } = app;
      await app.row('billing').getByText('Connected').first().waitFor();
      await openTools(window);
      await window.getByLabel('Search name, description or server').fill('creat invocie');
      await window.getByText('1 match', { exact: true }).waitFor();
      expect(await window.locator('main mark').allInnerTexts()).toContain('invoice');
      await window.getByRole('button', { name: 'create_invoice', exact: true }).click();
      await window.getByText('billing:create_invoice').waitFor();
      await window.getByRole('button', { name: 'Close the tool' }).click();

      await openSkills(window);
      await window.getByRole('button', { name: 'Actions for create_invoice of billing' }).click();
      await window.getByRole('menuitem', { name: 'Move to skill…' }).click();
      await window.getByLabel('Skill', { exact: true }).fill('calendar');
      await window.keyboard.press('Enter');
      await window.getByText('create_invoice is now under').waitFor();
    }
    await hubGone(dir);

    await using app = await startApp(dir);
    await openSkills(app.window);
    await app.window.getByRole('button', { name: /^Calendar.*1$/ }).click();
    await app.window.getByRole('button', { name: 'create_invoice', exact: true }).waitFor();
    await app.window.getByText('by you', { exact: true }).waitFor();
  });

  it('[AG-US2-AC1] finds what is meant by a model that Ollama runs', async () => {
    await using folder = await tempDir();
    const tool = (name: string) => ({ name, inputSchema: { type: 'object' } });
    const dir = await dataFolder(folder.path, [tool('feline'), tool('canine')]);
    await using model = await embeddingServer();
    await using app = await startApp(dir);
    const { window } = app;
    await app.row('billing').getByText('Connected').first().waitFor();
    await window
      .getByRole('navigation')
      .getByRole('button', { name: /^Settings/ })
      .click();
    await window.locator('label', { hasText: /^Search$/ }).click();
    await window.getByRole('combobox', { name: 'Search by meaning' }).click();
    await window.getByRole('option', { name: 'Ollama' }).click();
    const group = window.getByRole('region', { name: 'Semantic search' });
    await group.getByLabel('Address').fill(model.source.url);
    await group.getByLabel('Model').fill(model.source.model);
    await group.getByRole('button', { name: 'Use it' }).click();
    await group.getByText('Ready: 2 texts are indexed.').waitFor();
    await openTools(window);
    await window.getByLabel('Search name, description or server').fill('kitten');
    await window.getByRole('button', { name: 'feline', exact: true }).waitFor();
    await window.getByText('similar meaning').first().waitFor();
  });
});
