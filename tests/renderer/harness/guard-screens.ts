import type { Page } from 'playwright-core';
import { openServer, openView, type Screen } from './screen.ts';

/** Screens of quarantined tools and decisions about them. */
export const guardScreens: readonly Screen[] = [
  { name: 'held-in-list', scenario: 'rich' },
  { name: 'held-notice', scenario: 'rich', go: (page) => openServer(page, 'github') },
  { name: 'review', scenario: 'rich', go: openReview },
  {
    name: 'review-poisoned',
    scenario: 'rich',
    go: async (page) => {
      await openReview(page);
      await page.getByRole('button', { name: /^merge_pull_request/ }).click();
      await page.getByText('This looks like prompt injection').waitFor();
    },
  },
  {
    name: 'review-new',
    scenario: 'rich',
    go: async (page) => {
      await openReview(page);
      await page.getByRole('button', { name: /^create_gist/ }).click();
      await page.getByText('This is its full definition').waitFor();
    },
  },
  {
    name: 'review-done',
    scenario: 'rich',
    go: async (page) => {
      await openReview(page);
      await page.getByRole('button', { name: 'Approve 2 without warnings' }).click();
      await page.getByRole('button', { name: 'Approve anyway' }).click();
      await page.getByText('Nothing to review').waitFor();
    },
  },
  {
    name: 'review-failed',
    scenario: 'rich',
    go: async (page) => {
      await page.evaluate(() =>
        window.harness?.failNext('guard.list', {
          code: 'hub.unreachable',
          sentence: 'Patchbay is not running.',
          fix: 'Start it again.',
          evidence: [],
        }),
      );
      await page.getByRole('button', { name: 'Review 3 changed tools of github' }).click();
      await page.getByText('Patchbay is not running.').waitFor();
    },
  },
  {
    name: 'tool-held',
    scenario: 'rich',
    go: async (page) => {
      await openView(page, 'Tools');
      await page.getByLabel('Search name, description or server').fill('merge_pull');
      await page.getByRole('button', { name: 'merge_pull_request' }).first().click();
      await page.getByText('This looks like prompt injection').waitFor();
    },
  },
];

async function openReview(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Review 3 changed tools of github' }).click();
  await page.getByRole('dialog', { name: 'Review changed tools in “github”' }).waitFor();
  await page.getByText('Changes since the').waitFor();
}
