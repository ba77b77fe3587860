import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { eventually } from '../helper/eventually.ts';
import { freePort } from '../helper/free-port.ts';
import { fixture, nodeEntry } from '../helper/programs.ts';
import { connectBridge, startApp, textOf, toolNames } from '../helper/running-app.ts';
import { tempDir } from '../helper/temp-dir.ts';

const tool = (name: string, description: string) => ({ name, description, inputSchema: { type: 'object' } });
const offered = [
  tool('make_invoice', 'Makes an invoice for a customer.'),
  tool('list_files', 'Lists the files of a folder.'),
  tool('send_mail', 'Sends a letter.'),
  tool('read_calendar', 'Reads what is planned.'),
];
const short = ['search_tools', 'describe_tool', 'call_tool'];

/** A data folder with a server that offers four tools. */
async function dataFolder(folder: string) {
  const dir = join(folder, 'data');
  const file = join(folder, 'tools.json');
  await mkdir(dir);
  await writeFile(file, JSON.stringify(offered));
  const office = { ...nodeEntry(fixture('turncoat')), env: { TOOLS: file } };
  await writeFile(join(dir, 'mcp.json'), JSON.stringify({ mcpServers: { office } }));
  await writeFile(join(dir, 'settings.json'), JSON.stringify({ version: 1, port: await freePort() }));
  return dir;
}

describe('packaged compact mode', () => {
  it('[PB-SMART-1] is turned on a client’s card: the list is short, search and calls work; turned off, the list is complete again', async () => {
    await using folder = await tempDir();
    const dir = await dataFolder(folder.path);
    await using app = await startApp(dir);
    const { window } = app;
    await app.row('office').getByText('Connected').first().waitFor();
    await using client = await connectBridge(dir, 'editor');
    let told = 0;
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
      told += 1;
    });
    const whole = await toolNames(client);
    expect([...whole].sort()).toEqual(offered.map(({ name }) => `office__${name}`).sort());

    await window
      .getByRole('navigation', { name: 'Main' })
      .getByRole('button', { name: /^Clients/ })
      .click();
    const compact = (checked: boolean) =>
      window.getByRole('switch', { name: 'Compact mode of editor', checked });
    await compact(false).click();
    await eventually(async () => expect(await toolNames(client)).toEqual(short));
    await eventually(() => expect(told).toBeGreaterThan(0));
    const query = { query: 'invoice for a customer' };
    const found = textOf(await client.callTool({ name: 'search_tools', arguments: query }));
    expect(found.split('\n')[0]).toMatch(/^office__make_invoice: Makes an invoice for a customer\./);
    const asked = { name: 'office__make_invoice', arguments: {} };
    expect(textOf(await client.callTool({ name: 'call_tool', arguments: asked }))).toBe('make_invoice ran');

    await compact(true).click();
    await eventually(async () => expect(await toolNames(client)).toEqual(whole));
  });
});
