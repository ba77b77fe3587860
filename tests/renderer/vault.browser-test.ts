import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type OpenOptions, openStage, type Stage } from './harness/browser.ts';
import { importScreens, openImport } from './harness/import-screens.ts';
import { openServer, openView } from './harness/screen.ts';
import { secretScreens } from './harness/secret-screens.ts';

const chromium = process.env.CHROMIUM ?? '/usr/bin/chromium';
const screens = [...secretScreens, ...importScreens];

/** The vault and what is brought along, as the window shows it; over a made-up hub. Needs Chromium. */
describe('secrets and imports', { timeout: 60_000 }, () => {
  let stage: Stage;
  const open = new Set<Page>();

  beforeAll(async () => {
    stage = await openStage(chromium);
  }, 60_000);
  afterEach(async () => {
    for (const page of open) await page.context().close();
    open.clear();
  });
  afterAll(() => stage?.close());

  async function show(options: OpenOptions = { scenario: 'rich' }) {
    const shown = await stage.open(options);
    open.add(shown.page);
    return shown;
  }

  const calls = (page: Page, name: string) =>
    page.evaluate(
      (wanted) => window.harness?.calls.filter((call) => call.name === wanted).map((call) => call.input),
      name,
    );

  it.each(
    screens.flatMap((screen) =>
      (['light', 'dark'] as const).map((theme) => [screen.name, theme, screen] as const),
    ),
  )('[PB-A11Y-1] %s (%s) is clean for axe and keeps to the content policy', async (_name, theme, screen) => {
    const { page, errors } = await show({ scenario: screen.scenario, theme });
    await screen.go?.(page);
    await page.waitForTimeout(250);
    const { violations } = await new AxeBuilder({ page })
      .exclude('[data-portal]:has([role="tooltip"])')
      .analyze();
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ target }) => String(target))])).toEqual([]);
    expect(errors).toEqual([]);
  });

  it('[NFR-SEC1] [PB-A11Y-1] a secret is added and replaced by keyboard, and only ever sent one way', async () => {
    const { page } = await show();
    await openView(page, 'Settings');
    await page.getByText('Secrets', { exact: true }).click();
    await page.getByRole('button', { name: 'Add secret' }).press('Enter');
    await page.getByLabel('Name', { exact: true }).fill('NEW_TOKEN');
    await page.keyboard.press('Tab');
    await page.keyboard.type('hush');
    await page.keyboard.press('Enter');
    await page.getByText('NEW_TOKEN is in the vault.').waitFor();
    await page.getByRole('button', { name: 'Replace the value of NEW_TOKEN' }).press('Enter');
    await page.keyboard.type('other');
    await page.keyboard.press('Enter');
    await page.getByText('NEW_TOKEN has a new value.').waitFor();
    expect(await calls(page, 'secret.set')).toEqual([
      { name: 'NEW_TOKEN', value: 'hush', replace: false },
      { name: 'NEW_TOKEN', value: 'other', replace: true },
    ]);
    expect(await page.content()).not.toContain('hush');
  });

  it('[NFR-SEC1] a secret in plain text moves to the vault from the form, and back', async () => {
    const { page } = await show();
    await openServer(page, 'github', 'Config');
    await page.getByRole('button', { name: 'Move env.API_TOKEN to the vault' }).press('Enter');
    await page.getByLabel('Name of the secret').press('Enter');
    await page.getByText('API_TOKEN is in the vault.').waitFor();
    await page.getByRole('textbox', { name: 'Value of API_TOKEN' }).waitFor();
    expect(await page.getByRole('textbox', { name: 'Value of API_TOKEN' }).inputValue()).toBe(
      `\${secret:API_TOKEN}`,
    );
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('No changes').waitFor();
    expect(await calls(page, 'secret.delete')).toEqual([{ name: 'API_TOKEN', force: false }]);
  });

  it('[PB-CLIENT-2] [PB-A11Y-1] servers are imported by keyboard, what is missing first, and the import is forgotten', async () => {
    const { page } = await show();
    await openImport(page);
    await page.getByText('6 servers in 2 apps').waitFor();
    const add = page.getByRole('button', { name: 'Import 3 servers' });
    expect(await add.isDisabled()).toBe(true);
    await page.getByRole('checkbox', { name: 'Import jira' }).press('Space');
    await page.getByRole('textbox', { name: /^Workspace folder/ }).fill('/home/ada/work');
    await page.getByRole('button', { name: 'Import 2 servers' }).press('Enter');
    await page.getByRole('button', { name: 'Leave them as they are' }).press('Enter');
    await page.getByText('airtable and mcp-playwright were added').waitFor();
    await page.getByRole('button', { name: 'Done' }).press('Enter');
    expect(await calls(page, 'import.move')).toEqual([]);
    expect(await calls(page, 'import.add')).toEqual([
      {
        session: 's3',
        entries: [
          {
            id: '0',
            key: 'airtable',
            secrets: [{ id: 'env.AIRTABLE_TOKEN:0', secretName: 'AIRTABLE_TOKEN' }],
          },
          { id: '1', key: 'mcp-playwright', secrets: [] },
        ],
        inputs: [{ id: 'workspaceFolder', value: '/home/ada/work' }],
      },
    ]);
    expect(await calls(page, 'import.close')).toEqual([{ session: 's3' }]);
  });
});
