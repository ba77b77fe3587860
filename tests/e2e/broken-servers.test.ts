import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eventually } from '../helper/eventually.ts';
import { freePort } from '../helper/free-port.ts';
import { fixture } from '../helper/programs.ts';
import { startApp } from '../helper/running-app.ts';
import { tempDir } from '../helper/temp-dir.ts';

async function dataFolder(path: string, mcpServers: object): Promise<string> {
  const dataDir = join(path, 'data');
  await mkdir(dataDir, { recursive: true });
  await writeFile(join(dataDir, 'mcp.json'), JSON.stringify({ mcpServers }));
  await writeFile(join(dataDir, 'settings.json'), JSON.stringify({ version: 1, port: await freePort() }));
  return dataDir;
}

const node = (code: string, more = {}) => ({ command: process.execPath, args: ['-e', code], ...more });

describe('[US1.6] a server that does not start', () => {
  it('shows its cause in the list and on its page, with the button that helps', async () => {
    await using folder = await tempDir();
    const taken = createTcpServer().listen(0, '127.0.0.1');
    const registry = createServer((_request, response) => {
      response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":"Not found"}');
    }).listen(0, '127.0.0.1');
    await Promise.all([once(taken, 'listening'), once(registry, 'listening')]);
    const { port } = taken.address() as AddressInfo;
    const env = {
      npm_config_registry: `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`,
      npm_config_cache: join(folder.path, 'npm'),
      // `npm test --silent` hands its own level down.
      npm_config_loglevel: 'notice',
    };
    const missing = join(folder.path, 'plants-and-flowers', 'src', 'server.js');
    const servers = {
      package: { command: 'npx', args: ['-y', '@acme/no-such-server'], env },
      file: { command: process.execPath, args: [missing] },
      variable: node("throw new Error('ACME_API_KEY environment variable is required')"),
      program: { command: 'uvx', args: ['mcp-acme'], env: { PATH: folder.path } },
      help: node("console.log('Usage: acme-server FOLDER')"),
      port: node(`require('node:net').createServer().listen(${port}, '127.0.0.1')`),
    };
    const dataDir = await dataFolder(folder.path, servers);
    await using app = await startApp(dataDir);
    const { window } = app;
    const told = [
      ['package', 'npm has no package @acme/no-such-server.', 'Edit config'],
      ['file', '…/src/server.js does not exist.', 'Choose the file…'],
      ['variable', 'The server needs ACME_API_KEY.', 'Enter the value'],
      ['program', 'uv is not installed, or not on the PATH.', 'Install uv'],
      ['help', 'The program printed its help text and quit; it may need another argument.', 'Edit config'],
      ['port', `Port ${port} is in use by another program.`, 'Try now'],
    ] as const;
    for (const [key, sentence] of told) await app.row(key).getByText(sentence).first().waitFor();
    for (const [key, sentence, button] of told) {
      await app.row(key).getByRole('button', { name: key, exact: true }).click();
      const card = window.getByRole('region', { name: `Problem: ${sentence}` }).first();
      await card.getByRole('button', { name: button, exact: true }).first().waitFor();
      await card.getByText('last stderr lines').or(card.getByText('searched PATH')).first().waitFor();
      await window.getByRole('button', { name: 'Close the server page' }).click();
    }
    await app.row('program').getByRole('button', { name: 'program', exact: true }).click();
    await window.getByRole('button', { name: 'Install uv' }).click();
    const dialog = window.getByRole('dialog', { name: 'Install uv' });
    await dialog.getByText('winget install --id=astral-sh.uv -e').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    taken.close();
    registry.close();
  });

  it('shows how long it has been starting, and what it said last', async () => {
    await using folder = await tempDir();
    const code = "console.error('Loading model, please wait…'); process.stdin.resume()";
    await using app = await startApp(await dataFolder(folder.path, { slow: node(code) }));
    await app
      .row('slow')
      .getByText(/Starting, \d+ ?s: Loading model, please wait…/)
      .waitFor();
  });
});

describe('a broken config file', () => {
  it('[PB-CFG-1] is replaced by the last good one, and that is undone', async () => {
    await using folder = await tempDir();
    const echo = { command: process.execPath, args: [fixture('echo')] };
    const dataDir = await dataFolder(folder.path, { echo });
    const file = join(dataDir, 'mcp.json');
    const good = await readFile(file, 'utf8');
    await using app = await startApp(dataDir);
    await app.row('echo').getByText('Connected').first().waitFor();
    await writeFile(file, '{ "mcpServers": { "echo": }');
    await app.window.getByRole('button', { name: 'Restore the last good config' }).click();
    await eventually(async () => expect(await readFile(file, 'utf8')).toBe(good));
    await app.window.getByText('config.invalid_json').waitFor({ state: 'detached' });
    await app.window.getByRole('button', { name: 'Undo', exact: true }).click();
    await eventually(async () => expect(await readFile(file, 'utf8')).toBe('{ "mcpServers": { "echo": }'));
  });
});
