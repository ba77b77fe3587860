import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { freePort } from '../helper/free-port.ts';
import { fixture } from '../helper/programs.ts';
import { type RunningApp, startApp, useApp } from '../helper/running-app.ts';

const noServers = '{ "mcpServers": {} }';
const entry = { command: process.execPath, args: [fixture('echo')] };
const base64 = encodeURIComponent(Buffer.from(JSON.stringify(entry)).toString('base64'));
const escaped = encodeURIComponent(JSON.stringify(entry));

async function emptyFolder(folder: string): Promise<string> {
  const dir = join(folder, 'data');
  await mkdir(dir);
  await writeFile(join(dir, 'settings.json'), JSON.stringify({ version: 1, port: await freePort() }));
  await writeFile(join(dir, 'mcp.json'), noServers);
  return dir;
}

function box(window: Page) {
  const dialog = window.getByRole('dialog', { name: 'Add server' });
  return { dialog, field: dialog.getByLabel('Paste anything') };
}

/** Drops something on the page, as a person does from outside of the window. */
async function drop(window: Page, text: string): Promise<void> {
  await window.evaluate((dropped) => {
    for (const type of ['dragenter', 'dragover', 'drop']) {
      const dataTransfer = new DataTransfer();
      dataTransfer.setData('text/plain', dropped);
      document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
    }
  }, text);
}

async function copy({ app }: RunningApp, text: string): Promise<void> {
  await app.evaluate(({ clipboard }, copied) => clipboard.writeText(copied), text);
}

describe('the paste box', () => {
  const empty = useApp(async (folder) => startApp(await emptyFolder(folder)));

  it('[PB-CLIENT-2] [PB-SAFE-1] install links in READMEs become their servers, web pages are recognized, and nothing is added without a click', async () => {
    const { app, window, folder } = empty();
    const config = join(folder, 'data', 'mcp.json');
    const { dialog, field } = box(window);
    await window.getByRole('button', { name: 'Add server' }).first().click();
    for (const [text, key] of [
      [`https://cursor.com/en/install-mcp?name=cursor-kite&config=${base64}`, 'cursor-kite'],
      [
        `https://insiders.vscode.dev/redirect/mcp/install?name=code-kite&config=${escaped}&quality=insiders`,
        'code-kite',
      ],
      [
        `[![Install](https://img.shields.io/badge/x-y)](https://vscode.dev/redirect/mcp/install?name=badge-kite&config=${escaped})`,
        'badge-kite',
      ],
    ] as const) {
      await field.fill(text);
      await dialog.getByText('Found 1 server in an install link').waitFor();
      await dialog.getByRole('textbox', { name: `Name of ${key}` }).waitFor();
    }
    await field.fill('https://github.com/acme/kite');
    await dialog.getByText('not an MCP server').waitFor();
    await field.fill('npx -y @smithery/cli install @acme/kite --client claude');
    await dialog.getByText('sets something up and exits; it is not an MCP server').waitFor();
    expect(await readFile(config, 'utf8')).toBe(noServers);
    await window.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });

    // A link that is dropped is added with one click, and taken back with another.
    await drop(window, `https://cursor.com/en/install-mcp?name=dropped&config=${base64}`);
    await dialog.getByText('Found 1 server in an install link').waitFor();
    expect(await readFile(config, 'utf8')).toBe(noServers);
    await dialog.getByRole('button', { name: 'Add 1 server' }).click();
    await app.row('dropped').getByText('Connected').first().waitFor();
    expect(JSON.parse(await readFile(config, 'utf8'))).toEqual({
      mcpServers: { dropped: entry },
    });
    await window.getByRole('button', { name: 'Undo', exact: true }).click();
    await app.row('dropped').waitFor({ state: 'detached' });
  });

  it('[PB-CLIENT-2] [PB-A11Y-1] is filled from the clipboard, and opens with what is pasted on a page', async () => {
    const { app, window } = empty();
    const { dialog, field } = box(window);
    await copy(app, JSON.stringify({ mcpServers: { copied: entry } }));
    await window.keyboard.press('Control+v');
    await dialog.getByText('Found 1 server in JSON').waitFor();
    await window.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });

    await window.keyboard.press('n');
    await dialog.getByText('Filled from the clipboard').waitFor();
    await window.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });

    await copy(app, 'a note of mine');
    await window.keyboard.press('n');
    await dialog.getByRole('button', { name: 'Paste from clipboard' }).click();
    await dialog.getByText('No server found on the clipboard').waitFor();
    expect(await field.inputValue()).toBe('');
  });
});
