import type { Page } from 'playwright-core';
import type { Screen } from './screen.ts';

export async function openImport(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Add server' }).first().click();
  await page.getByText('Import', { exact: true }).click();
  await page.getByRole('heading', { name: 'From a program on this computer' }).waitFor();
  await page.waitForTimeout(100);
}

export async function lookIntoCursor(page: Page): Promise<void> {
  await openImport(page);
  await page.getByRole('button', { name: /^Look into Cursor/ }).click();
  await page.getByText('Cursor: 5 servers').waitFor();
}

/** Bringing servers along. */
export const importScreens: readonly Screen[] = [
  { name: 'import-sources', scenario: 'rich', go: openImport },
  { name: 'import-no-sources', scenario: 'empty', go: openImport },
  { name: 'import-preview', scenario: 'rich', go: lookIntoCursor },
  {
    name: 'import-to-fill-in',
    scenario: 'rich',
    go: async (page) => {
      await lookIntoCursor(page);
      await page.getByRole('button', { name: 'Choose: Workspace folder' }).click();
      await page.getByLabel('Take them out of Cursor').check();
      await page.getByLabel('Take them out of Cursor').scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'import-done',
    scenario: 'rich',
    go: async (page) => {
      await lookIntoCursor(page);
      await page.getByRole('button', { name: 'Choose: Workspace folder' }).click();
      await page.locator('input[type=password]').fill('hush');
      await page.getByLabel('Take them out of Cursor').check();
      await page.getByRole('button', { name: 'Import 3 servers' }).click();
      await page.getByRole('button', { name: 'Undo' }).waitFor();
    },
  },
  {
    name: 'import-failed',
    scenario: 'rich',
    go: async (page) => {
      await openImport(page);
      await page.evaluate(() =>
        window.harness?.failNext('import.read', {
          code: 'import.unreadable',
          sentence:
            '/home/ada/.cursor/mcp.json cannot be read: it is not valid JSON: a comma is missing (line 4, column 3).',
          fix: 'Correct the file, or paste the part that holds the servers.',
          evidence: [{ label: 'file', value: '/home/ada/.cursor/mcp.json' }],
        }),
      );
      await page.getByRole('button', { name: /^Look into Cursor/ }).click();
      await page.getByText('cannot be read').waitFor();
    },
  },
];
