import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { eventually } from '../helper/eventually.ts';
import { freePort } from '../helper/free-port.ts';
import { fixture, nodeEntry } from '../helper/programs.ts';
import { startApp, useApp } from '../helper/running-app.ts';

const offers = {
  bench: ['create_order', 'delete_everything', 'list_orders'],
  shop: ['create_order', 'make_purchase', 'place_order'],
  crm: ['create_contact', 'new_order', 'order_status'],
};

/** Three servers whose tools are found for one another's names; one tool is off from the start. */
async function dataFolder(folder: string): Promise<string> {
  const dir = join(folder, 'data');
  await mkdir(dir);
  const entries = Object.entries(offers).map(async ([key, names]) => {
    const file = join(folder, `${key}.json`);
    const tools = names.map((name) => ({
      name,
      description: 'Creates or changes an order of a customer.',
      inputSchema: { type: 'object' },
    }));
    await writeFile(file, JSON.stringify(tools));
    const off = key === 'crm' ? { patchbay: { disabledTools: ['order_status'] } } : {};
    return [key, { ...nodeEntry(fixture('turncoat')), env: { TOOLS: file }, ...off }] as const;
  });
  const mcpServers = Object.fromEntries(await Promise.all(entries));
  await writeFile(
    join(dir, 'mcp.json'),
    `// mine\n${JSON.stringify({ mcpServers }, undefined, 2)}\n// the end\n`,
  );
  await writeFile(join(dir, 'settings.json'), JSON.stringify({ version: 1, port: await freePort() }));
  return dir;
}

async function search(window: Page, query: string): Promise<void> {
  await window
    .getByRole('navigation')
    .getByRole('button', { name: /^Tools/ })
    .click();
  await window.getByLabel('Search name, description or server').fill(query);
}

const configText = (dir: string) => readFile(join(dir, 'mcp.json'), 'utf8');

async function offInFile(dir: string): Promise<Record<string, readonly string[]>> {
  const text = (await configText(dir)).replace(/^\/\/.*$/gm, '');
  const { mcpServers } = JSON.parse(text) as {
    mcpServers: Record<string, { patchbay?: { disabledTools?: readonly string[] } }>;
  };
  return Object.fromEntries(
    Object.entries(mcpServers).map(([key, { patchbay }]) => [key, patchbay?.disabledTools ?? []]),
  );
}

describe('packaged bulk actions', () => {
  const shop = useApp(async (folder) => startApp(await dataFolder(folder)));

  it('[AG-US2-AC1] turn off only the tool whose name was searched for, and undo restores the file to the byte', async () => {
    const { app, window, folder } = shop();
    const dir = join(folder, 'data');
    const before = await configText(dir);
    for (const key of Object.keys(offers)) await app.row(key).getByText('Connected').first().waitFor();

    await search(window, 'bench create_order');
    await window.getByText(/^1 match, \d+ related$/).waitFor();
    await window.getByRole('heading', { name: 'Related' }).waitFor();
    await window.getByRole('button', { name: 'Turn off 1 tool', exact: true }).click();
    await window.getByText('1 tool turned off in bench.').waitFor();
    await eventually(async () =>
      expect(await offInFile(dir)).toEqual({ bench: ['create_order'], shop: [], crm: ['order_status'] }),
    );
    await window
      .getByRole('navigation')
      .getByRole('button', { name: /^Servers/ })
      .click();
    await window.getByRole('button', { name: 'Undo', exact: true }).click();
    await window.getByText('1 tool restored.').waitFor();
    expect(await configText(dir)).toBe(before);
  });

  it('[AG-US2-AC1] ask with each server and its count where several are affected, and one undo restores what was, also what was off', async () => {
    const { app, window, folder } = shop();
    const dir = join(folder, 'data');
    const before = await configText(dir);
    for (const key of Object.keys(offers)) await app.row(key).getByText('Connected').first().waitFor();

    await search(window, 'order');
    await window.getByText(/matches?$|related$/).waitFor();
    await window.getByLabel('Search name, description or server').fill('create');
    await window.getByRole('button', { name: 'Turn off 3 tools', exact: true }).click();
    const question = window.getByRole('dialog', { name: 'Turn off 3 tools in 3 servers?' });
    await question.getByRole('button', { name: 'Cancel' }).waitFor();
    expect(await question.getByRole('listitem').count()).toBe(3);
    await question.getByRole('button', { name: 'Cancel' }).click();
    expect(await configText(dir)).toBe(before);

    await window.getByRole('button', { name: 'Turn off 3 tools', exact: true }).click();
    await question.getByRole('button', { name: 'Turn off 3 tools' }).click();
    await window.getByText('3 tools turned off in 3 servers.').waitFor();
    expect(await offInFile(dir)).toEqual({
      bench: ['create_order'],
      shop: ['create_order'],
      crm: ['order_status', 'create_contact'],
    });
    await window.getByRole('button', { name: 'Turn on 3 tools', exact: true }).waitFor();
    await window
      .getByRole('navigation')
      .getByRole('button', { name: /^Activity/ })
      .click();
    await window.getByText('3 tools turned off in 3 servers.').waitFor({ state: 'visible' });
    await window.keyboard.press('Control+z');
    await window.getByText('3 tools restored.').waitFor();
    expect(await configText(dir)).toBe(before);
  });
});
