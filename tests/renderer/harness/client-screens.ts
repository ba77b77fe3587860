import type { Page } from 'playwright-core';
import { openView, type Screen } from './screen.ts';

/** Screens of client details. */
export const clientScreens: readonly Screen[] = [
  { name: 'client-outdated', scenario: 'rich', go: (page) => openDetail(page, 'Claude Desktop') },
  {
    name: 'client-tools',
    scenario: 'rich',
    go: async (page) => {
      await openDetail(page, 'Cursor');
      await page.getByText('Never used').first().click();
      await page.getByRole('button', { name: /^Turn off \d+ tools?$/ }).waitFor();
    },
  },
  {
    name: 'client-left-out',
    scenario: 'rich',
    go: async (page) => {
      await openDetail(page, 'Cursor');
      await page.getByRole('tab', { name: /^Hidden/ }).click();
      await page.getByText('turned off by you').waitFor();
    },
  },
  {
    name: 'client-compact',
    scenario: 'rich',
    go: async (page) => {
      await openDetail(page, 'Cursor');
      await page.getByRole('button', { name: 'See what it saves' }).click();
      await page.getByText('To find and read one tool').waitFor();
    },
  },
  {
    name: 'client-compact-on',
    scenario: 'rich',
    go: async (page) => {
      await openDetail(page, 'Codex');
      await page.getByRole('tab', { name: 'Compact mode' }).click();
      await page.getByText('Pinned tools').waitFor();
    },
  },
  { name: 'client-known', scenario: 'rich', go: (page) => openDetail(page, 'Codex') },
  {
    name: 'client-gone',
    scenario: 'rich',
    go: async (page) => {
      await openView(page, 'Clients');
      await page.evaluate(() =>
        window.harness?.failNext('client.detail', {
          code: 'client.gone',
          sentence: 'This client is no longer connected.',
          fix: 'Connect it again.',
          evidence: [],
        }),
      );
      await page.getByRole('button', { name: 'Tools Cursor sees' }).click();
      await page.getByText('no longer connected').waitFor();
    },
  },
];

async function openDetail(page: Page, title: string): Promise<void> {
  await openView(page, 'Clients');
  await page.getByRole('button', { name: `Tools ${title} sees` }).click();
  const dialog = page.getByRole('dialog', { name: `Tools ${title} sees` });
  await dialog.getByText('Longest name').waitFor();
  await dialog.getByLabel('Estimating tokens').first().waitFor({ state: 'detached' });
}
