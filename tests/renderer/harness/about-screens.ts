import type { Page } from 'playwright-core';
import { openView, type Screen } from './screen.ts';

async function openAbout(page: Page): Promise<void> {
  await openView(page, 'Settings');
  await page.getByText('About', { exact: true }).click();
  await page.getByText('Chromium').first().waitFor();
}

/** Screens of the About page and its support bundle. */
export const aboutScreens: readonly Screen[] = [
  { name: 'about', scenario: 'rich', go: openAbout },
  {
    name: 'about-update-available',
    scenario: 'rich',
    go: async (page) => {
      await openAbout(page);
      await page.getByRole('button', { name: 'Check now' }).click();
      await page.getByText('Version 0.2.0 is available').waitFor();
    },
  },
  {
    name: 'about-update-downloading',
    scenario: 'rich',
    go: async (page) => {
      await openAbout(page);
      await page.getByRole('button', { name: 'Check now' }).click();
      await page.getByRole('button', { name: 'Download' }).click();
      await page.getByText('Downloading version 0.2.0').waitFor();
    },
  },
  {
    name: 'about-update-ready',
    scenario: 'rich',
    go: async (page) => {
      await openAbout(page);
      await page.getByRole('button', { name: 'Check now' }).click();
      await page.getByRole('button', { name: 'Download' }).click();
      await page.getByRole('button', { name: 'Restart and update' }).click();
      await page.getByRole('dialog', { name: 'Update Patchbay to 0.2.0?' }).waitFor();
    },
  },
  {
    name: 'about-update-failed',
    scenario: 'rich',
    go: async (page) => {
      await openAbout(page);
      await page.getByRole('button', { name: 'Check now' }).click();
      await page.getByText('Version 0.2.0 is available').waitFor();
      await page.evaluate(() =>
        window.harness?.push('update.changed', {
          kind: 'failed',
          offer: { version: '0.2.0', size: 98_400_000 },
          problem: {
            code: 'app.update_refused',
            sentence:
              'What was downloaded as version 0.2.0 does not match its published checksum and was discarded.',
            fix: 'Try again later. If it happens again, report it, and do not install this version.',
            evidence: [{ label: 'reason', value: 'sha512 checksum mismatch' }],
          },
        }),
      );
      await page.getByRole('button', { name: 'Download again' }).waitFor();
    },
  },
  {
    name: 'about-support',
    scenario: 'rich',
    go: async (page) => {
      await openAbout(page);
      await page.getByRole('button', { name: 'Create support bundle' }).click();
      await page.getByText('PATCHBAY SUPPORT BUNDLE').waitFor();
    },
  },
  {
    name: 'about-support-failed',
    scenario: 'rich',
    go: async (page) => {
      await openAbout(page);
      await page.getByRole('button', { name: 'Create support bundle' }).click();
      await page.getByText('PATCHBAY SUPPORT BUNDLE').waitFor();
      await page.evaluate(() =>
        window.harness?.failNext('support.save', {
          code: 'app.save_failed',
          sentence: '/media/stick/patchbay-support.txt could not be written.',
          fix: 'Choose another folder, or free some space.',
          evidence: [{ label: 'reason', value: 'EROFS' }],
        }),
      );
      await page.getByRole('button', { name: 'Save…' }).click();
      await page.getByText('could not be written').waitFor();
    },
  },
];
