import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fixture, nodeEntry, realServer } from '../helper/programs.ts';
import { startApp } from '../helper/running-app.ts';
import { tempDir } from '../helper/temp-dir.ts';

it('[AG-US4-AC2] [AG-US4-AC5] [PB-PASS-1] [PB-APP-1] tries tools, a prompt and a question of a real server', async () => {
  await using folder = await tempDir();
  const config = { mcpServers: { everything: nodeEntry(realServer('everything')) } };
  await writeFile(join(folder.path, 'mcp.json'), JSON.stringify(config));
  await using app = await startApp(folder.path);
  const { window } = app;
  const errors: string[] = [];
  window.on('pageerror', (error) => errors.push(error.message));
  window.on('console', (message) => message.type() === 'error' && errors.push(message.text()));

  // From the page of a tool to its form.
  await window
    .getByRole('navigation')
    .getByRole('button', { name: /^Tools/ })
    .click();
  await window.getByRole('button', { name: 'get-sum', exact: true }).click();
  await window.getByRole('button', { name: 'Try it' }).click();
  await window.getByLabel(/^a/).fill('19');
  await window.getByLabel(/^b/).fill('23');
  await window.keyboard.press('Control+Enter');
  await window.getByText('The sum of 19 and 23 is 42.').waitFor();
  await window.getByText('Succeeded').waitFor();

  // Saved as a check, and run again.
  await window.getByRole('button', { name: 'Save as check' }).click();
  const dialog = window.getByRole('dialog');
  await dialog.getByLabel('The result contains').fill('42');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  await window.getByText(/^Checks/).click();
  await window.getByRole('button', { name: 'Run all' }).click();
  await window.getByRole('img', { name: 'Passed' }).waitFor();
  await window.getByText('Try', { exact: true }).click();

  // A result with a structure, checked against what the tool promises, and a picture.
  await choose('get-structured-content');
  await window.getByLabel(/^location/).selectOption('Chicago');
  await runIt();
  await window.getByText('Matches the output schema.').waitFor();
  await choose('get-tiny-image');
  await runIt();
  const picture = window.getByRole('img', { name: /of the result/ });
  await picture.waitFor();
  expect(await picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);

  // Progress, and a cancellation.
  await choose('trigger-long-running-operation');
  await window.getByLabel(/^duration/).fill('60');
  await window.getByLabel(/^steps/).fill('600');
  await runIt();
  await window.getByText(/^\d+ of 600/).waitFor();
  await window.getByRole('button', { name: 'Cancel' }).click();
  await window.getByText('Cancelled', { exact: true }).waitFor();

  // The server asks, the person answers.
  await choose('trigger-elicitation-request');
  await runIt();
  await dialog
    .getByLabel(/^String/)
    .first()
    .fill('Ada');
  await dialog.getByRole('button', { name: 'Send' }).click();
  await dialog.waitFor({ state: 'detached' });
  await window.getByText('Ada').first().waitFor();

  // A prompt.
  await choose('Arguments Prompt');
  await window.getByLabel(/^city/).fill('Paris');
  await window.getByRole('button', { name: 'Get', exact: true }).click();
  await window.getByText(/weather in Paris/).waitFor();
  expect(errors).toEqual([]);

  async function choose(title: string): Promise<void> {
    await window.getByLabel('Search tools and prompts').fill(title);
    await window.getByRole('button', { name: title, exact: true }).click();
    await window.locator('[aria-current="true"]', { hasText: title }).last().waitFor();
  }
  async function runIt(): Promise<void> {
    await window.getByRole('button', { name: 'Run', exact: true }).click();
    const anyway = window.getByRole('button', { name: 'Run anyway' });
    if (await anyway.isVisible()) await anyway.click();
  }
});

/** Schemas of all kinds, with words that their form shows. */
const schemas: Readonly<Record<string, readonly [schema: object, words: readonly string[]]>> = {
  ref: [
    {
      properties: { point: { $ref: '#/$defs/point' } },
      $defs: { point: { type: 'object', properties: { across: { type: 'number' } } } },
    },
    ['point', 'across'],
  ],
  'one-of': [
    {
      properties: {
        shape: {
          oneOf: [
            { title: 'Circle', type: 'object', properties: { radius: { type: 'number' } } },
            { title: 'Square', type: 'object', properties: { side: { type: 'number' } } },
          ],
        },
      },
    },
    ['shape'],
  ],
  'any-of': [{ properties: { value: { anyOf: [{ type: 'string' }, { type: 'integer' }] } } }, ['value']],
  pattern: [
    {
      properties: { plain: { type: 'string' } },
      patternProperties: { '^x_': { type: 'string' } },
      additionalProperties: false,
    },
    ['plain'],
  ],
  recursive: [
    {
      properties: { root: { $ref: '#/$defs/node' } },
      $defs: {
        node: {
          type: 'object',
          properties: {
            label: { type: 'string' },
            children: { type: 'array', items: { $ref: '#/$defs/node' } },
          },
        },
      },
    },
    ['root', 'label', 'children'],
  ],
};

it('[AG-US4-AC2] [PB-SAFE-2] draws schemas with references, choices, patterns and recursion, without evaluating code', async () => {
  await using folder = await tempDir();
  const offered = join(folder.path, 'tools.json');
  const tools = Object.entries(schemas).map(([name, [schema]]) => ({
    name,
    inputSchema: { type: 'object', ...schema },
  }));
  await writeFile(offered, JSON.stringify(tools));
  const s = { ...nodeEntry(fixture('turncoat')), env: { TOOLS: offered } };
  await writeFile(join(folder.path, 'mcp.json'), JSON.stringify({ mcpServers: { s } }));
  await using app = await startApp(folder.path);
  const { window } = app;
  const errors: string[] = [];
  window.on('pageerror', (error) => errors.push(error.message));
  window.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  await app.row('s').getByText('Connected').first().waitFor();
  await window.keyboard.press('Control+k');
  await window.getByPlaceholder('Search commands, servers and tools').fill('s: try tools');
  await window.getByText('s: try tools').waitFor();
  await window.keyboard.press('Enter');
  for (const [name, [, words]] of Object.entries(schemas)) {
    await window.getByRole('button', { name, exact: true }).click();
    await window.getByRole('heading', { name, exact: true }).waitFor();
    const form = window.getByRole('form').or(window.locator('main')).first();
    for (const word of words) await form.getByText(word, { exact: true }).first().waitFor();
    await window.getByRole('button', { name: 'Run', exact: true }).click();
    // A required argument is empty here.
    const anyway = window.getByRole('button', { name: 'Run anyway' });
    if (await anyway.isVisible()) await anyway.click();
    await window.getByText(`${name} ran`).waitFor();
  }
  expect(errors).toEqual([]);
});
