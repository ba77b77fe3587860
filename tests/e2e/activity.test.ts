import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { freePort } from '../helper/free-port.ts';
import { fixture, nodeEntry } from '../helper/programs.ts';
import { connectBridge, hubGone, type RunningApp, startApp, textOf } from '../helper/running-app.ts';
import { tempDir } from '../helper/temp-dir.ts';

const token = 'sk-live-4f9d2c7b1a8e6053';
const password = 'correct horse battery';

/** A data folder with a server that knows a secret. */
async function dataFolder(folder: string): Promise<string> {
  const dir = join(folder, 'data');
  await mkdir(dir);
  const it = { ...nodeEntry(fixture('tells-secrets')), env: { API_TOKEN: token } };
  await writeFile(join(dir, 'mcp.json'), JSON.stringify({ mcpServers: { it } }));
  await writeFile(join(dir, 'settings.json'), JSON.stringify({ version: 1, port: await freePort() }));
  return dir;
}

async function openActivity({ window }: RunningApp) {
  await window
    .getByRole('navigation')
    .getByRole('button', { name: /^Activity/ })
    .click();
  await window.getByRole('heading', { name: 'Activity', level: 1 }).waitFor();
}

const lineOf = ({ window }: RunningApp, text: RegExp) => window.getByRole('button', { name: text }).first();

describe('calls in progress', () => {
  it('[PB-APP-1] are listed while they last; cancelling one ends it for its client, and its server keeps running', async () => {
    await using folder = await tempDir();
    const dir = join(folder.path, 'data');
    await mkdir(dir);
    const mcpServers = { stateful: nodeEntry(fixture('stateful')) };
    await writeFile(join(dir, 'mcp.json'), JSON.stringify({ mcpServers }));
    await writeFile(join(dir, 'settings.json'), JSON.stringify({ version: 1, port: await freePort() }));
    await using app = await startApp(dir);
    await openActivity(app);
    await using client = await connectBridge(dir, 'claude-ai');
    const pid = textOf(await client.callTool({ name: 'stateful__pid' }));
    const held = client.callTool({ name: 'stateful__hold' });
    const outcome = expect(held).rejects.toMatchObject({ code: -31024, data: { code: 'call.stopped' } });
    const underway = app.window.getByRole('region', { name: 'Calls in progress' });
    await underway.getByText('stateful, for Claude Desktop').waitFor();
    await underway.getByRole('button', { name: 'Cancel hold of stateful' }).click();
    await outcome;
    await underway.waitFor({ state: 'detached' });
    expect(textOf(await client.callTool({ name: 'stateful__pid' }))).toBe(pid);
  });
});

describe('the packaged activity', () => {
  it('[PB-APP-1] [PB-IPC-1] shows a real client’s calls as they come, after a restart, and exported, without secrets', async () => {
    await using folder = await tempDir();
    const dir = await dataFolder(folder.path);
    {
      await using app = await startApp(dir);
      await openActivity(app);
      await using client = await connectBridge(dir, 'claude-ai');
      await client.callTool({ name: 'it__tell', arguments: { how: 'result', city: 'Oslo', password } });
      await client.callTool({ name: 'it__tell', arguments: { how: 'failure', password } });
      // Live: nothing was done in the window since.
      await lineOf(app, /tell.*Claude Desktop → it.*Tool error/).waitFor();
      await lineOf(app, /tell.*Claude Desktop → it.*OK/).click();
      const details = app.window.getByRole('region', { name: 'Details of tell' });
      await details.getByText('Oslo').first().waitFor();
      const shown = await app.window.content();
      expect(shown).not.toContain(token);
      expect(shown).not.toContain(password);
    }
    await hubGone(dir);
    {
      await using app = await startApp(dir);
      await openActivity(app);
      await lineOf(app, /tell.*Claude Desktop → it.*OK/).waitFor();
      const file = join(folder.path, 'export.jsonl');
      await app.app.evaluate(({ dialog }, filePath) => {
        dialog.showSaveDialog = async () => ({ canceled: false, filePath });
      }, file);
      await app.window.getByRole('button', { name: 'Export' }).click();
      await app.window.getByRole('menuitem', { name: /JSON/ }).click();
      await app.window.getByText('entries exported').waitFor();
      const exported = await readFile(file, 'utf8');
      const calls = exported
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
        .filter(({ kind }) => kind === 'call');
      expect(calls).toMatchObject([
        { outcome: 'tool-error', arguments: { password: '•••' } },
        { outcome: 'ok', arguments: { city: 'Oslo', password: '•••' } },
      ]);
      const files = (await readdir(dir)).filter((name) => /^activity\.db/.test(name));
      expect(files).toContain('activity.db');
      const bytes = await Promise.all(files.map((name) => readFile(join(dir, name), 'latin1')));
      for (const text of [exported, ...bytes]) {
        expect(text).not.toContain(token);
        expect(text).not.toContain(password);
      }
      // Nothing is kept from now on, and what was is gone.
      await app.window.getByRole('button', { name: 'Clear' }).click();
      await app.window.getByText('Activity cleared.').waitFor();
      await app.window.evaluate(`window.patchbay.call('settings.set', { recordActivity: false })`);
      await using client = await connectBridge(dir, 'claude-ai');
      await client.callTool({ name: 'it__tell', arguments: { how: 'result', city: 'unseen-city' } });
      await app.window.getByText('Recording is off').first().waitFor();
    }
    await hubGone(dir);
    const left = await readFile(join(dir, 'activity.db'), 'latin1');
    expect(left).not.toContain('Oslo');
    expect(left).not.toContain('unseen-city');
  });
});
