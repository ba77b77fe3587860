// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references in config text look like this.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { freePort } from '../helper/free-port.ts';
import { keyServer } from '../helper/key-server.ts';
import { fixture, nodeEntry } from '../helper/programs.ts';
import { connectBridge, startApp, toolNames } from '../helper/running-app.ts';
import { tempDir } from '../helper/temp-dir.ts';

async function dataFolder(folder: string, config: string): Promise<{ dataDir: string; file: string }> {
  const dataDir = join(folder, 'data');
  const file = join(dataDir, 'mcp.json');
  await mkdir(dataDir);
  await writeFile(join(dataDir, 'settings.json'), JSON.stringify({ version: 1, port: await freePort() }));
  await writeFile(file, config);
  return { dataDir, file };
}

describe('a server that lacks a value', () => {
  it('[NFR-SEC1] [FR-002] wants an API key: a wrong one is refused in its words, the right one lists its tools', async () => {
    await using remote = await keyServer();
    await using folder = await tempDir();
    const config = `{\n  // Mine.\n  "mcpServers": {\n    "acme": { "url": "${remote.url}" }\n  }\n}\n`;
    const { dataDir, file } = await dataFolder(folder.path, config);
    await using app = await startApp(dataDir);
    const { window } = app;
    await window.getByRole('button', { name: 'acme', exact: true }).click();
    const page = window.getByRole('region', { name: 'Server acme' });
    await page.getByText('This server needs an API key.').waitFor();
    await page.getByText('API key missing').waitFor();
    await page.getByLabel('API key', { exact: true }).fill('a-wrong-key');
    await page.getByRole('button', { name: 'Save and connect' }).click();
    await page.getByText('The server refused this key.').waitFor();
    await page.getByText('Unknown key: •••').waitFor();
    await page.getByLabel('API key', { exact: true }).fill(remote.key);
    await page.getByLabel('API key', { exact: true }).press('Enter');
    await page.getByText('Connected').first().waitFor();
    await page.getByRole('tab', { name: 'Tools 1' }).click();
    await page.getByText('find_order').first().waitFor();
    const written = await readFile(file, 'utf8');
    expect(written).toContain('"Authorization": "Bearer ${secret:ACME_TOKEN}"');
    expect(written).toContain('// Mine.');
    expect(written).not.toContain(remote.key);
    await using client = await connectBridge(dataDir);
    expect(await toolNames(client)).toContain('acme__find_order');
  });

  it('[FR-002] refers to a variable that is not set: its value is entered in place, and the server starts', async () => {
    await using folder = await tempDir();
    const echo = { ...nodeEntry(fixture('echo')), env: { NAME: '${ACME_NAME_OF_NOBODY}' } };
    const { dataDir } = await dataFolder(folder.path, JSON.stringify({ mcpServers: { echo } }));
    await using app = await startApp(dataDir);
    const { window } = app;
    await window.getByRole('button', { name: 'echo', exact: true }).click();
    const page = window.getByRole('region', { name: 'Server echo' });
    await page.getByRole('button', { name: 'Enter the value' }).click();
    await page.getByLabel('ACME_NAME_OF_NOBODY', { exact: true }).fill('entered-by-ada');
    await page.getByRole('button', { name: 'Save and start' }).click();
    await page.getByText('Connected').first().waitFor();
    await window.getByText('echo uses the new secret ACME_NAME_OF_NOBODY.').waitFor();
    await page.getByText('entered-by-ada').waitFor();
  });
});
