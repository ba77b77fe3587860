// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references in config text look like this.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { freePort } from '../helper/free-port.ts';
import { fixture, nodeEntry } from '../helper/programs.ts';
import { type RunningApp, startApp } from '../helper/running-app.ts';
import { callFromWindow } from '../helper/shell-app.ts';
import { tempDir } from '../helper/temp-dir.ts';
import { memoryOf, wholeStrings } from '../helper/window-memory.ts';

const passphrase = 'plumtree-of-the-passphrase';
const secret = 'plumtree-of-the-backup';

/** Dialogs of the system's that name this file. */
function answerWith({ app }: RunningApp, file: string): Promise<void> {
  return app.evaluate(({ dialog }, filePath) => {
    dialog.showSaveDialog = async () => ({ canceled: false, filePath });
    dialog.showOpenDialog = async () => ({ canceled: false, filePaths: [filePath] });
  }, file);
}

/** Runs a command by the palette. */
async function run(window: Page, query: string, title: string): Promise<void> {
  await window.keyboard.press('Control+k');
  await window.getByPlaceholder('Search commands, servers and tools').fill(query);
  await window.getByText(title).first().waitFor();
  await window.keyboard.press('Enter');
}

/** Files of a folder in which a text stands as it is. */
async function filesWith(dir: string, text: string): Promise<readonly string[]> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const found = await Promise.all(
    files.map(async ({ parentPath, name }) => {
      const path = join(parentPath, name);
      return (await readFile(path, 'latin1')).includes(text) ? [relative(dir, path)] : [];
    }),
  );
  return found.flat();
}

it('[NFR-SEC1] a setup is backed up with its secrets, restored over another one, and the restore is undone', async () => {
  await using folder = await tempDir();
  const dir = join(folder.path, 'data');
  const [config, backup] = [join(dir, 'mcp.json'), join(folder.path, 'backup.json')];
  await mkdir(dir);
  const echo = { ...nodeEntry(fixture('echo')), env: { NAME: '${secret:API}' } };
  const saved = `// mine\n${JSON.stringify({ mcpServers: { echo } })}\n`;
  await writeFile(config, saved);
  await writeFile(join(dir, 'settings.json'), JSON.stringify({ version: 1, port: await freePort() }));
  await using app = await startApp(dir, wholeStrings);
  const { window } = app;
  await answerWith(app, backup);
  await callFromWindow(window, 'secret.set', { name: 'API', value: secret, replace: false });
  await app.row('echo').getByText('Connected').first().waitFor();

  await run(window, 'export settings', 'Create a backup…');
  await window.getByLabel('Include secrets').check();
  await window.getByLabel('Passphrase', { exact: true }).fill(passphrase);
  await window.getByLabel('Confirm passphrase').fill(passphrase);
  await window.getByRole('button', { name: 'Save…' }).click();
  await window.getByText('Backup with 1 server and 1 secret saved as').waitFor();

  const changed = JSON.stringify({ mcpServers: { other: nodeEntry(fixture('echo')) } });
  await writeFile(config, changed);
  await app.row('other').getByText('Connected').first().waitFor();
  await callFromWindow(window, 'secret.delete', { name: 'API', force: true });

  await run(window, 'restore', 'Restore a backup…');
  await window.getByText('Removes 1 server not in the backup: other.').waitFor();
  await window.getByLabel('Backup passphrase').fill(passphrase);
  await window.getByRole('button', { name: 'Restore', exact: true }).click();
  await window.getByText('1 server and 1 secret restored.').waitFor();
  await app.row('echo').getByText('Connected').first().waitFor();
  expect(await readFile(config, 'utf8')).toBe(saved);
  await window.getByRole('button', { name: 'Undo', exact: true }).click();
  await app.row('other').getByText('Connected').first().waitFor();
  expect(await readFile(config, 'utf8')).toBe(changed);

  const memory = await memoryOf(window);
  for (const text of [passphrase, secret]) {
    expect(await filesWith(folder.path, text)).toEqual([]);
    expect(memory).not.toContain(text);
  }
});
