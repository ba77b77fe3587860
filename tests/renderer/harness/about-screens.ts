import type { Page } from 'playwright-core';
import { openView, type Screen } from './screen.ts';

async function openAbout(page: Page): Promise<void> {
  await openView(page, 'Settings');
  await page.getByText('About', { exact: true }).click();
  await page.getByText('Chromium').first().waitFor();
}

/** What the program is, and its support bundle. */
export const aboutScreens: readonly Screen[] = [
  { name: 'about', scenario: 'rich', go: openAbout },
  {
    name: 'about-support',
    scenario: 'rich',
    go: async (page) => {
      await openAbout(page);
      await page.getByRole('button', { name: 'Make a support bundle' }).click();
      await page.getByText('PATCHBAY SUPPORT BUNDLE').waitFor();
    },
  },
  {
    name: 'about-support-failed',
    scenario: 'rich',
    go: async (page) => {
      await openAbout(page);
      await page.getByRole('button', { name: 'Make a support bundle' }).click();
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
