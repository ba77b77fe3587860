import type { Page } from 'playwright-core';
import { openServer, openView, type Screen } from './screen.ts';

async function openSecrets(page: Page): Promise<void> {
  await openView(page, 'Settings');
  await page.getByText('Secrets', { exact: true }).click();
  await page.getByRole('button', { name: 'Add secret' }).first().waitFor();
  await page.waitForTimeout(100);
}

/** Screens of the vault and the ways into it. */
export const secretScreens: readonly Screen[] = [
  { name: 'secrets', scenario: 'rich', go: openSecrets },
  { name: 'secrets-empty', scenario: 'empty', go: openSecrets },
  { name: 'secrets-no-keychain', scenario: 'broken', go: openSecrets },
  {
    name: 'secret-add',
    scenario: 'rich',
    go: async (page) => {
      await openSecrets(page);
      await page.getByRole('button', { name: 'Add secret' }).click();
      await page.getByLabel('Name', { exact: true }).fill('GITHUB_TOKEN');
      await page.getByText('A secret with this name already exists.').waitFor();
    },
  },
  {
    name: 'secret-delete',
    scenario: 'rich',
    go: async (page) => {
      await openSecrets(page);
      await page.getByRole('button', { name: 'Delete GITHUB_TOKEN' }).click();
      await page.getByText('cannot be started without it').waitFor();
    },
  },
  {
    name: 'secret-in-plain-text',
    scenario: 'rich',
    go: async (page) => {
      await openServer(page, 'github', 'Config');
      await page.locator('.cm-content').waitFor({ state: 'attached' });
      await page.getByRole('button', { name: 'Store env.API_TOKEN as a secret' }).click();
      await page.getByLabel('Name of the secret').waitFor();
      await page.getByLabel('Name of the secret').scrollIntoViewIfNeeded();
    },
  },
];
