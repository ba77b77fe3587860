import type { Page } from 'playwright-core';
import { openView, type Screen } from './screen.ts';

async function openBackup(page: Page): Promise<void> {
  await openView(page, 'Settings');
  await page.getByRole('button', { name: 'Back up…' }).click();
  await page.getByRole('dialog', { name: 'Back up Patchbay' }).waitFor();
}

async function openRestore(page: Page): Promise<void> {
  await openView(page, 'Settings');
  await page.getByRole('button', { name: 'Restore…' }).click();
  await page.getByRole('dialog', { name: 'Restore a backup' }).waitFor();
}

/** Screens of backup and restore. */
export const backupScreens: readonly Screen[] = [
  {
    name: 'backup',
    scenario: 'rich',
    go: async (page) => {
      await openBackup(page);
      await page.getByLabel('Include secrets').check();
      await page.getByLabel('Passphrase', { exact: true }).fill('correct horse');
      await page.getByLabel('Confirm passphrase').fill('correct house');
    },
  },
  { name: 'restore', scenario: 'rich', go: openRestore },
  {
    name: 'restore-wrong-passphrase',
    scenario: 'rich',
    go: async (page) => {
      await openRestore(page);
      await page.evaluate(() =>
        window.harness?.failNext('app.restoreBackup', {
          code: 'backup.wrong_passphrase',
          sentence: 'The passphrase is wrong.',
          fix: 'Enter the passphrase this backup was made with, or restore without secrets.',
          evidence: [],
        }),
      );
      await page.getByLabel('Backup passphrase').fill('wrong');
      await page.getByRole('button', { name: 'Restore', exact: true }).click();
      await page.getByText('The passphrase is wrong.').waitFor();
    },
  },
  {
    name: 'restored',
    scenario: 'rich',
    go: async (page) => {
      await openRestore(page);
      await page.getByLabel('Backup passphrase').fill('correct horse');
      await page.keyboard.press('Enter');
      await page.getByRole('dialog', { name: 'Backup restored' }).waitFor();
    },
  },
];
