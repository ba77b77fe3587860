import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { freePort } from '../helper/free-port.ts';
import { fixture } from '../helper/programs.ts';
import { startApp } from '../helper/running-app.ts';
import { startAgain } from '../helper/shell-app.ts';
import { tempDir } from '../helper/temp-dir.ts';

describe('a link that adds a server', () => {
  it('[PB-APP-1][PB-SAFE-1] a second start with it opens the preview in the running app, and adds nothing without a click', async () => {
    await using folder = await tempDir();
    const dataDir = join(folder.path, 'data');
    const configFile = join(dataDir, 'mcp.json');
    await mkdir(dataDir);
    await writeFile(join(dataDir, 'settings.json'), JSON.stringify({ version: 1, port: await freePort() }));
    await writeFile(configFile, '{ "mcpServers": {} }');
    await using app = await startApp(dataDir);
    const dialog = app.window.getByRole('dialog', { name: 'Add server' });
    const entry = { command: process.execPath, args: [fixture('echo')] };
    const config = Buffer.from(JSON.stringify(entry)).toString('base64');

    expect(
      await startAgain(dataDir, {
        args: [`patchbay://add?name=linked&config=${encodeURIComponent(config)}`],
      }),
    ).toBe(0);
    await dialog.getByText('Found 1 server').waitFor();
    await dialog.getByText(/A link asked Patchbay to add this server/).waitFor();
    expect(await readFile(configFile, 'utf8')).toBe('{ "mcpServers": {} }');

    expect(await startAgain(dataDir, { args: ['patchbay://add?name=linked&start=now'] })).toBe(0);
    await dialog.getByText(/A link to add a server was rejected/).waitFor();
    expect(await readFile(configFile, 'utf8')).toBe('{ "mcpServers": {} }');

    expect(
      await startAgain(dataDir, {
        args: [`patchbay://add?name=linked&config=${encodeURIComponent(config)}`],
      }),
    ).toBe(0);
    await dialog.getByRole('button', { name: 'Add 1 server' }).click();
    await app.row('linked').getByText('Connected').first().waitFor();
    expect(JSON.parse(await readFile(configFile, 'utf8'))).toEqual({ mcpServers: { linked: entry } });
  });
});
