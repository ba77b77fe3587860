import type { Page } from 'playwright-core';
import { openView, type Screen } from './screen.ts';

/** Screens of access control. */
export const accessScreens: readonly Screen[] = [
  { name: 'access', scenario: 'rich', go: openAccess },
  { name: 'access-many', scenario: 'many', go: openAccess },
  {
    name: 'access-many-scrolled',
    scenario: 'many',
    go: async (page) => {
      await openAccess(page);
      await page.getByRole('grid').evaluate((grid) => grid.scrollTo(1500, 300));
    },
  },
  {
    name: 'access-empty',
    scenario: 'empty',
    go: async (page) => {
      await openView(page, 'Clients');
      await page.getByText('Access', { exact: true }).click();
      await page.getByText('No clients yet').waitFor();
    },
  },
  {
    name: 'access-no-match',
    scenario: 'rich',
    go: async (page) => {
      await openAccess(page);
      await page.getByLabel('Search clients and servers').fill('zzz');
      await page.getByText('Nothing matches').waitFor();
    },
  },
  {
    name: 'access-failed',
    scenario: 'rich',
    go: async (page) => {
      await page.evaluate(() =>
        window.harness?.failNext('access.get', {
          code: 'access.unreadable',
          sentence: 'The access rules cannot be read, so all calls are blocked.',
          fix: 'Fix the database problem shown in Patchbay, then restart Patchbay.',
          evidence: [],
        }),
      );
      await openView(page, 'Clients');
      await page.getByText('Access', { exact: true }).click();
      await page.getByText('cannot be read').waitFor();
    },
  },
  { name: 'access-lost', scenario: 'lost-state', go: openAccess },
  {
    name: 'access-lost-going-on',
    scenario: 'lost-state',
    go: async (page) => {
      await openAccess(page);
      await page.getByRole('button', { name: 'Continue…' }).click();
      await page.getByText('This cannot be undone').waitFor();
    },
  },
  {
    name: 'access-tools',
    scenario: 'rich',
    go: async (page) => {
      await openTools(page, 'night job', 'github');
      await page.getByRole('button', { name: 'Deny get_issues' }).click();
      await page.getByText('A rule denies github:get_issues.').waitFor();
    },
  },
  {
    name: 'access-tools-pattern',
    scenario: 'rich',
    go: (page) => openTools(page, 'Claude Desktop', 'github'),
  },
  { name: 'access-identity', scenario: 'rich', go: (page) => openIdentity(page, 'night job') },
  { name: 'access-revoked', scenario: 'rich', go: (page) => openIdentity(page, 'old script') },
  {
    name: 'access-new-token',
    scenario: 'rich',
    go: async (page) => {
      await openIdentity(page, 'night job');
      await page.getByRole('button', { name: 'Copy a new token' }).click();
      await page.getByText('Replace and copy token').waitFor();
    },
  },
  {
    name: 'access-new-agent',
    scenario: 'rich',
    go: async (page) => {
      await openAccess(page);
      await page.getByRole('button', { name: 'New agent' }).click();
      await page.getByLabel('Name', { exact: true }).fill('nightly report');
    },
  },
];

export async function openAccess(page: Page): Promise<void> {
  await openView(page, 'Clients');
  await page.getByText('Access', { exact: true }).click();
  await page.getByRole('grid', { name: 'Who may call what' }).waitFor();
}

export async function openTools(page: Page, who: string, serverKey: string): Promise<void> {
  await openAccess(page);
  await page.getByRole('button', { name: new RegExp(`^${who}, ${serverKey}:`) }).click();
  await page.getByRole('dialog', { name: `What ${who} can use in ${serverKey}` }).waitFor();
}

async function openIdentity(page: Page, who: string): Promise<void> {
  await openAccess(page);
  await page.getByRole('columnheader', { name: who }).getByRole('button').click();
  await page.getByRole('dialog', { name: who }).waitFor();
}
