import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { processIdentity } from '../../electron/engine/store/files/process-identity.ts';
import { eventually } from '../helper/eventually.ts';
import { freePort } from '../helper/free-port.ts';
import { fixture } from '../helper/programs.ts';
import { connectBridge, processGone, startApp, textOf } from '../helper/running-app.ts';
import { tempDir } from '../helper/temp-dir.ts';

const echo = { command: process.execPath, args: [fixture('echo')] };

/** A folder with this config, and a port of its own so that no other program's can be in the way. */
async function dataFolder(path: string, config: string): Promise<string> {
  const dataDir = join(path, 'data');
  await mkdir(dataDir, { recursive: true });
  await writeFile(join(dataDir, 'mcp.json'), config);
  await writeFile(join(dataDir, 'settings.json'), JSON.stringify({ version: 1, port: await freePort() }));
  return dataDir;
}

describe('the config file', () => {
  it('[PB-CFG-1] edited through the window differs only in the edited place', async () => {
    await using folder = await tempDir();
    const text = `{
  // What I run, and why.
  "mcpServers": {
    "echo": {
      "command": ${JSON.stringify(process.execPath)}, // this Node
      "args": [${JSON.stringify(fixture('echo'))}],
      "env": { "NAME": "before" },
      "x-someone-elses": { "keep": [1, 2, 3] },
    },
    /* not now */
    "second": { "command": "node", "disabled": true }
  },
  "unknownTop": true
}
`;
    const dataDir = await dataFolder(folder.path, text);
    await using app = await startApp(dataDir);
    const { window } = app;
    await window.getByRole('button', { name: 'echo', exact: true }).click();
    await window.getByRole('tab', { name: 'Config' }).click();
    const value = window.getByLabel('Value of NAME');
    await value.fill('after');
    await window.getByRole('button', { name: 'Save' }).click();
    await eventually(async () => {
      expect(await readFile(join(dataDir, 'mcp.json'), 'utf8')).toBe(text.replace('"before"', '"after"'));
    });
    await app.row('echo').getByText('Connected').first().waitFor();
  });

  it('[PB-CFG-1] when broken by hand is reported in the window, while everything runs on', async () => {
    await using folder = await tempDir();
    const dataDir = await dataFolder(folder.path, JSON.stringify({ mcpServers: { echo } }));
    await using app = await startApp(dataDir);
    await app.row('echo').getByText('Connected').first().waitFor();
    await writeFile(join(dataDir, 'mcp.json'), '{ "mcpServers": { "echo": }');
    await app.window.getByText('config.invalid_json').waitFor();
    await app.row('echo').getByText('Connected').first().waitFor();
    await writeFile(join(dataDir, 'mcp.json'), JSON.stringify({ mcpServers: { echo, again: echo } }));
    await app.row('again').getByText('Connected').first().waitFor();
    await app.window.getByText('config.invalid_json').waitFor({ state: 'detached' });
  });
});

describe('an app that is killed', () => {
  it('[PB-PROC-1] leaves nothing once it has started again', async () => {
    await using folder = await tempDir();
    const stubborn = { command: process.execPath, args: [fixture('stubborn')] };
    const dataDir = await dataFolder(folder.path, JSON.stringify({ mcpServers: { stubborn } }));
    const first = await startApp(dataDir);
    await first.row('stubborn').getByText('Connected').first().waitFor();
    await using client = await connectBridge(dataDir);
    const pid = Number(textOf(await client.callTool({ name: 'stubborn__pid' })));
    const killed = first.app.process();
    killed.kill('SIGKILL');
    await processGone(killed.pid ?? 0);
    expect(await processIdentity(pid)).toBeDefined();
    await using second = await startApp(dataDir);
    await second.row('stubborn').getByText('Connected').first().waitFor();
    await processGone(pid);
    const next = Number(textOf(await client.callTool({ name: 'stubborn__pid' })));
    expect(next).not.toBe(pid);
    await second.quit();
    await processGone(next);
  });
});
