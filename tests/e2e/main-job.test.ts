import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect, it } from 'vitest';
import { eventually } from '../helper/eventually.ts';
import { fixture, realServer } from '../helper/programs.ts';
import { connectBridge, hubGone, processGone, startApp, textOf, toolNames } from '../helper/running-app.ts';
import { tempDir } from '../helper/temp-dir.ts';
import { startTrayHost } from '../helper/tray-host.ts';

/** Number of tools each real server says it has, asked directly. */
const toolCounts = { files: 14, memory: 9 } as const;

it('[PB-APP-1] [PB-BRIDGE-1] [PB-TRAY-1] [PB-PROC-1] [AG-US6-AC1] does the main job from first start to quit', async () => {
  await using folder = await tempDir();
  await using trayHost = await startTrayHost();
  const dataDir = join(folder.path, 'data');
  const app = await startApp(dataDir);
  const { window } = app;

  // First start: empty.
  await window.getByText('One plug for all your MCP servers').waitFor();

  // Add by form.
  await window.getByRole('button', { name: 'Add server' }).first().click();
  const dialog = window.getByRole('dialog');
  await dialog.getByText('Form', { exact: true }).click();
  await dialog.getByLabel('Name', { exact: true }).fill('files');
  await dialog.getByLabel('Command', { exact: true }).fill(process.execPath);
  for (const [index, argument] of [realServer('filesystem'), folder.path].entries()) {
    await dialog.getByRole('button', { name: 'Add argument' }).click();
    await dialog.getByLabel(`Argument ${index + 1}`, { exact: true }).fill(argument);
  }
  await dialog.getByRole('button', { name: 'Add server' }).click();
  await app.row('files').getByText('Connected').first().waitFor();

  // Add by paste.
  await window.keyboard.press('Control+Shift+V');
  const pasted = {
    mcpServers: {
      memory: {
        command: process.execPath,
        args: [realServer('memory')],
        env: { MEMORY_FILE_PATH: join(folder.path, 'memory.json') },
      },
      echo: { command: process.execPath, args: [fixture('echo')] },
    },
  };
  await dialog.getByLabel('Paste anything').fill(`// from a README\n${JSON.stringify(pasted, undefined, 2)}`);
  await dialog.getByText('Found 2 servers').waitFor();
  await dialog.getByRole('button', { name: 'Add 2 servers' }).click();
  for (const key of ['memory', 'echo']) await app.row(key).getByText('Connected').first().waitFor();

  // The right tool counts.
  for (const [key, count] of Object.entries(toolCounts)) {
    // A bare number in the list's column, with its noun beside an open server page.
    await app
      .row(key)
      .getByText(new RegExp(`(^|· )${count}( tools)?$`))
      .waitFor();
  }

  // A client through the bridge lists and calls.
  await using client = await connectBridge(dataDir);
  let notices = 0;
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
    notices += 1;
  });
  const all = await toolNames(client);
  expect(all).toHaveLength(toolCounts.files + toolCounts.memory + 2);
  expect(textOf(await client.callTool({ name: 'echo__echo', arguments: { hello: 'world' } }))).toBe(
    '{"hello":"world"}',
  );

  // Off in the window: the client is told, and a call says why it fails.
  const toggle = app.row('echo').getByRole('switch');
  await toggle.press('Space');
  await app.row('echo').getByText('Off').first().waitFor();
  await eventually(() => expect(notices).toBe(1));
  expect(await toolNames(client)).not.toContain('echo__echo');
  await expect(client.callTool({ name: 'echo__echo' })).rejects.toMatchObject({
    message: expect.stringContaining('echo is turned off'),
    data: { code: 'call.server_unavailable' },
  });

  // On again.
  await toggle.press('Space');
  await eventually(() => expect(notices).toBe(2));
  expect(await toolNames(client)).toEqual(all);

  // The tray switches it off and on. A menu says what will be; it may lag behind the hub by a moment.
  const item = await trayHost.item();
  const clickWhen = async (checked: boolean) => {
    await eventually(async () => {
      expect((await item.entries()).find(({ label }) => label === 'echo')).toMatchObject({
        checked,
        enabled: true,
      });
    });
    await item.click('echo');
  };
  await clickWhen(true);
  await eventually(() => expect(notices).toBe(3));
  await app.row('echo').getByText('Off').first().waitFor();
  expect(await toolNames(client)).not.toContain('echo__echo');
  await clickWhen(false);
  await eventually(() => expect(notices).toBe(4));
  expect(await toolNames(client)).toEqual(all);

  // A server killed with -9 comes back by itself.
  const pid = Number(textOf(await client.callTool({ name: 'echo__pid' })));
  process.kill(pid, 'SIGKILL');
  await eventually(async () => {
    const again = Number(textOf(await client.callTool({ name: 'echo__pid' })));
    expect(again).not.toBe(pid);
  });

  // The app quits and starts again under the living bridge.
  const before = Number(textOf(await client.callTool({ name: 'echo__pid' })));
  await app.quit();
  await hubGone(dataDir);
  await processGone(before);
  expect(await toolNames(client)).toEqual(all);
  await using again = await startApp(dataDir);
  await again.row('echo').getByText('Connected').first().waitFor();
  expect(textOf(await client.callTool({ name: 'echo__echo', arguments: { again: true } }))).toBe(
    '{"again":true}',
  );
  expect(await toolNames(client)).toEqual(all);

  // Quit leaves no process.
  const last = Number(textOf(await client.callTool({ name: 'echo__pid' })));
  await client.close();
  await again.quit();
  await hubGone(dataDir);
  await processGone(last);
  expect(JSON.parse(await readFile(join(dataDir, 'run', 'children.json'), 'utf8'))).toMatchObject({
    children: [],
  });
});
