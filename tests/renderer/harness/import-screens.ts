import type { Page } from 'playwright-core';
import type { Screen } from './screen.ts';

export async function openImport(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Add server' }).first().click();
  await page.getByText('Import from apps', { exact: true }).click();
  await page.getByRole('status').first().waitFor();
  await page.waitForTimeout(100);
}

/** Fills in everything required before the apps' servers can be imported. */
async function fillIn(page: Page): Promise<void> {
  await openImport(page);
  await page.getByText('6 servers in 2 apps').waitFor();
  await page.getByRole('button', { name: 'Choose: Workspace folder' }).click();
  await page.locator('input[type=password]').fill('hush');
}

async function importAll(page: Page): Promise<void> {
  await fillIn(page);
  await page.getByRole('button', { name: 'Import 3 servers' }).click();
  await page.getByText('Replace these servers in Claude Desktop and Cursor with Patchbay?').waitFor();
}

/** Screens of importing servers. */
export const importScreens: readonly Screen[] = [
  { name: 'import-apps', scenario: 'rich', go: openImport },
  { name: 'import-no-apps', scenario: 'empty', go: openImport },
  {
    name: 'import-to-fill-in',
    scenario: 'rich',
    go: async (page) => {
      await fillIn(page);
      await page.locator('input[type=password]').scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'import-move',
    scenario: 'rich',
    go: async (page) => {
      await importAll(page);
      await page.getByText('Show the change').last().click();
      await page.getByText('is the only file changed').waitFor();
    },
  },
  {
    name: 'import-done',
    scenario: 'rich',
    go: async (page) => {
      await importAll(page);
      await page.getByRole('button', { name: 'Quit Claude Desktop' }).click();
      await page.getByRole('button', { name: 'Replace in 2 apps' }).click();
      await page.getByRole('button', { name: 'Undo' }).waitFor();
    },
  },
  {
    name: 'import-failed',
    scenario: 'rich',
    go: async (page) => {
      await page.evaluate(() =>
        window.harness?.failNext('import.readApps', {
          code: 'hub.unreachable',
          sentence: 'Patchbay is not running.',
          fix: 'Start it again.',
          evidence: [],
        }),
      );
      await openImport(page);
      await page.getByText('Patchbay is not running.').waitFor();
    },
  },
];
