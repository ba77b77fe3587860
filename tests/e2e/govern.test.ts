import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { freePort } from '../helper/free-port.ts';
import { fixture, nodeEntry } from '../helper/programs.ts';
import { connectBridge, startApp, textOf } from '../helper/running-app.ts';
import { tempDir } from '../helper/temp-dir.ts';

/** A data folder with a server that fails as it is told to. */
async function dataFolder(folder: string): Promise<string> {
  const dir = join(folder, 'data');
  await mkdir(dir);
  const moody = { ...nodeEntry(fixture('fails-on-command')), env: { RUNS: join(folder, 'runs') } };
  await writeFile(join(dir, 'mcp.json'), JSON.stringify({ mcpServers: { moody } }));
  await writeFile(join(dir, 'settings.json'), JSON.stringify({ version: 1, port: await freePort() }));
  return dir;
}

async function openPage(window: Page, view: string, title: string): Promise<void> {
  await window
    .getByRole('navigation', { name: 'Main' })
    .getByRole('button', { name: new RegExp(`^${view}`) })
    .click();
  await window.locator('label', { hasText: new RegExp(`^${title}$`) }).click();
}

async function setLimit(window: Page, title: string, value: number): Promise<void> {
  await window.getByLabel(title, { exact: true }).fill(String(value));
  await window.getByRole('button', { name: `Save: ${title}` }).click();
  await window.getByRole('button', { name: `Reset to the default: ${title}` }).waitFor();
}

describe('the audit log and metrics of the packaged app', () => {
  it('[REQ-MCP-OBS-002] a call shows up in the audit log as it is made, and the log is verified and exported there', async () => {
    await using folder = await tempDir();
    const dir = await dataFolder(folder.path);
    await using app = await startApp(dir);
    const { window } = app;
    await app.row('moody').getByText('Connected').first().waitFor();
    await openPage(window, 'Activity', 'Audit');
    await using client = await connectBridge(dir, 'claude-ai');
    await client.callTool({ name: 'moody__read', arguments: { mark: 'x' } });
    await window
      .getByRole('button', { name: /Claude Desktop.*Tool call.*moody.*read.*OK/ })
      .first()
      .click();
    const details = window.getByRole('region', { name: 'Details of read' });
    await details.getByText('read x ran 1').waitFor();
    await details.getByText(/^Allowed/).waitFor();
    await window.getByRole('button', { name: 'Verify' }).click();
    await window.getByText('The audit log is intact').waitFor();

    const file = join(folder.path, 'audit.jsonl');
    await app.app.evaluate(({ dialog }, filePath) => {
      dialog.showSaveDialog = async () => ({ canceled: false, filePath });
    }, file);
    await window.getByRole('button', { name: 'Export' }).click();
    await window.getByText('of the audit log were exported').waitFor();
    const rows = (await readFile(file, 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(rows).toContainEqual(expect.objectContaining({ kind: 'invocation', tool: 'read', outcome: 'ok' }));
  });

  it('[REQ-MCP-CONFIG] [REQ-MCP-CALL-004] limits set in the window are used, and the circuit that they open is reset there', async () => {
    await using folder = await tempDir();
    const dir = await dataFolder(folder.path);
    await using app = await startApp(dir);
    const { window } = app;
    await app.row('moody').getByText('Connected').first().waitFor();
    await openPage(window, 'Settings', 'Limits');
    await setLimit(window, 'Call timeout', 0.3);
    await setLimit(window, 'Failures in a row before pausing a tool', 2);
    await using client = await connectBridge(dir);
    const act = (end: string) => client.callTool({ name: 'moody__act', arguments: { mark: 'x', end } });
    await expect(act('hang')).rejects.toThrow('did not answer');
    await expect(act('hang')).rejects.toThrow('did not answer');
    await expect(act('answer')).rejects.toMatchObject({ data: { code: 'call.circuit_open' } });

    await openPage(window, 'Activity', 'Metrics');
    await window.getByRole('button', { name: 'Reset act of moody' }).click();
    await window.getByText('No paused tools').waitFor();
    expect(textOf(await act('answer'))).toBe('act x ran 3');
    await window.getByRole('button', { name: 'Tools of moody' }).waitFor();
  });
});
