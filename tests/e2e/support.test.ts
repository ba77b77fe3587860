import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { freePort } from '../helper/free-port.ts';
import { packagedApp } from '../helper/packaged-app.ts';
import { fixture } from '../helper/programs.ts';
import { startApp } from '../helper/running-app.ts';
import { tempDir } from '../helper/temp-dir.ts';

const secret = 'cAnary-e2e-7fQ2Zz81';

describe('a support bundle', () => {
  it('[PB-SAFE-1] is read in the window, saved as it was shown, and made without a window too', async () => {
    await using folder = await tempDir();
    const dataDir = join(folder.path, 'data');
    const saved = join(folder.path, 'saved.txt');
    await mkdir(dataDir);
    await writeFile(join(dataDir, 'settings.json'), JSON.stringify({ version: 1, port: await freePort() }));
    const echo = { command: process.execPath, args: [fixture('echo')], env: { ANY: secret } };
    await writeFile(join(dataDir, 'mcp.json'), JSON.stringify({ mcpServers: { echo } }));
    await using app = await startApp(dataDir);
    const { window } = app;
    await app.row('echo').getByText('Connected').first().waitFor();
    await app.app.evaluate(({ dialog }, filePath) => {
      dialog.showSaveDialog = async () => ({ canceled: false, filePath });
    }, saved);

    await window.getByRole('button', { name: 'Settings' }).click();
    await window.getByText('About', { exact: true }).click();
    await window.getByText(/Electron \d+\..*Chromium \d+\./).waitFor();
    await window.getByRole('button', { name: 'Create support bundle' }).click();
    const bundle = window.getByRole('dialog', { name: 'Support bundle' });
    await bundle.getByText('== Server echo').waitFor();
    await bundle.getByRole('button', { name: 'Save…' }).click();
    await bundle.waitFor({ state: 'detached' });
    const text = await readFile(saved, 'utf8');
    expect(text).toContain('connected since');
    expect(text).toMatch(/Electron +\d+\./);
    expect(text).not.toContain(secret);

    await window.getByRole('button', { name: 'Show' }).click();
    await window.getByRole('dialog', { name: 'Licenses' }).getByText('MIT License').first().waitFor();

    const out = join(folder.path, 'headless.txt');
    await promisify(execFile)(packagedApp.launcher('patchbay'), [
      'support',
      '--data-dir',
      dataDir,
      '--out',
      out,
    ]);
    const headless = await readFile(out, 'utf8');
    expect(headless).toContain('== mcp.json');
    expect(headless).not.toContain(secret);
  });
});
