// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references in config text look like this.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { eventually } from '../helper/eventually.ts';
import { freePort } from '../helper/free-port.ts';
import { fixture } from '../helper/programs.ts';
import { connectBridge, startApp, textOf, toolNames } from '../helper/running-app.ts';
import { tempDir } from '../helper/temp-dir.ts';
import { memoryOf, wholeStrings } from '../helper/window-memory.ts';

const canary = 'canary-51c0de-import';
const typed = 'canary-51c0de-typed';
const node = process.execPath;
const cursorText = `{\n  // mine\n  "mcpServers": {\n    "looker": { "command": "${node}", "args": ["${fixture('surroundings')}"], "env": { "API_TOKEN": "${canary}" } },\n    "broken": { "args": [] }\n  }\n}\n`;

/** A person with a config of Cursor, and one server that waits for a secret; the app takes both for its user's own. */
async function madeUpPerson(folder: string) {
  const home = join(folder, 'home');
  const [dir, cursor] = [join(home, '.patchbay'), join(home, '.cursor', 'mcp.json')];
  for (const path of [dir, dirname(cursor)]) await mkdir(path, { recursive: true });
  const waits = { command: node, args: [fixture('surroundings')], env: { NAME: '${secret:WHO}' } };
  await writeFile(join(dir, 'mcp.json'), JSON.stringify({ mcpServers: { waits } }));
  await writeFile(join(dir, 'settings.json'), JSON.stringify({ version: 1, port: await freePort() }));
  await writeFile(cursor, cursorText);
  vi.stubEnv('HOME', home);
  vi.stubEnv('XDG_CONFIG_HOME', '');
  return { dir, cursor };
}

/** Tells whether a text is anywhere in the memory of the page. */
async function remembers(window: Page, text: string): Promise<boolean> {
  return (await memoryOf(window)).includes(text);
}

afterEach(() => vi.unstubAllEnvs());

describe.skipIf(process.platform !== 'linux')('importing servers into the packaged app', () => {
  it('[PB-CLIENT-2] [NFR-SEC1] [PB-A11Y-1] a client’s servers are previewed, moved with their secrets stored, and restored', async () => {
    await using folder = await tempDir();
    const { dir, cursor } = await madeUpPerson(folder.path);
    await using app = await startApp(dir, wholeStrings);
    const { window } = app;
    await window.getByRole('button', { name: 'Add server' }).press('Enter');
    await window.getByText('Import from apps', { exact: true }).click();
    const dialog = window.getByRole('dialog', { name: 'Import servers' });
    await dialog.getByText('Cursor: 2 servers').waitFor();
    expect(await dialog.textContent()).not.toContain(canary);
    await dialog.getByRole('button', { name: 'Import 1 server' }).press('Enter');
    await dialog.getByText('Replace these servers in Cursor with Patchbay?').waitFor();
    await dialog.getByRole('button', { name: 'Replace in 1 app' }).press('Enter');
    await dialog.getByText('looker was added and is starting.').waitFor();
    expect(await remembers(window, canary)).toBe(false);

    await app.row('looker').getByText('Connected').waitFor();
    await using client = await connectBridge(dir);
    await eventually(async () => expect(await toolNames(client)).toContain('looker__look'));
    const seen = textOf(await client.callTool({ name: 'looker__look', arguments: {} }));
    expect(JSON.parse(seen).env.API_TOKEN).toBe(canary);
    expect(await readFile(join(dir, 'mcp.json'), 'utf8')).toContain('"API_TOKEN": "${secret:API_TOKEN}"');
    const left = await readFile(cursor, 'utf8');
    expect(left).toContain('"patchbay"');
    expect(left).toContain('"broken"');
    expect(left).not.toContain(canary);

    await dialog.getByRole('button', { name: 'Undo' }).press('Enter');
    await window.getByText('The import was undone.').waitFor();
    expect(await readFile(cursor, 'utf8')).toBe(cursorText);
    await app.row('looker').waitFor({ state: 'detached' });
  });

  it('[NFR-SEC1] [PB-A11Y-1] a missing secret is typed once, starts its server, and is not there to be read again', async () => {
    await using folder = await tempDir();
    const { dir } = await madeUpPerson(folder.path);
    await using app = await startApp(dir, wholeStrings);
    const { window } = app;
    await window.getByRole('button', { name: 'waits', exact: true }).press('Enter');
    await window.getByText('there is no stored secret "WHO"').first().waitFor();
    await window.getByRole('button', { name: 'Enter the value' }).press('Enter');
    const field = window.getByLabel('WHO', { exact: true });
    await field.fill(typed);
    await field.press('Enter');
    await window.getByText('waits uses the new secret WHO.').waitFor();
    await window.getByRole('region', { name: 'Server waits' }).getByText('Connected').first().waitFor();
    await using client = await connectBridge(dir);
    await eventually(async () => expect(await toolNames(client)).toContain('waits__look'));
    for (const name of ['mcp.json', 'secrets.json', 'catalogue.json'])
      expect(await readFile(join(dir, name), 'utf8').catch(() => '')).not.toContain(typed);
    await app.quit();

    await using again = await startApp(dir, wholeStrings);
    await again.row('waits').getByText('Connected').waitFor();
    await again.window
      .getByRole('navigation')
      .getByRole('button', { name: /^Settings/ })
      .press('Enter');
    await again.window.getByText('Secrets', { exact: true }).click();
    await again.window.getByText('1 secret', { exact: true }).waitFor();
    await again.window.getByRole('button', { name: 'waits', exact: true }).press('Enter');
    await again.window.getByText('JSON in the config file').waitFor();
    expect(await remembers(again.window, 'WHO')).toBe(true);
    expect(await remembers(again.window, typed)).toBe(false);
  });
});
