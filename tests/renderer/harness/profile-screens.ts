import type { Page } from 'playwright-core';
import { openView, type Screen } from './screen.ts';

/** Screens of profiles and their contents. */
export const profileScreens: readonly Screen[] = [
  { name: 'profiles', scenario: 'rich', go: openProfiles },
  { name: 'profiles-empty', scenario: 'empty', go: openProfiles },
  {
    name: 'profile-tools',
    scenario: 'rich',
    go: async (page) => {
      await openProfiles(page);
      await page.getByRole('button', { name: /^github/ }).click();
      await page.getByLabel('list_issues').waitFor();
    },
  },
  {
    name: 'profile-compact',
    scenario: 'rich',
    go: async (page) => {
      await openProfiles(page);
      await page.getByRole('switch', { name: 'Compact mode for clients with this profile' }).press('Space');
      await page.getByText('Most used tools').waitFor();
    },
  },
  {
    name: 'profile-search',
    scenario: 'rich',
    go: async (page) => {
      await openProfiles(page);
      await page.getByLabel('Search servers and tools').fill('merge');
      await page.getByRole('button', { name: /^Add \d+ tools?$/ }).waitFor();
    },
  },
  {
    name: 'profiles-many',
    scenario: 'many',
    go: async (page) => {
      await openProfiles(page);
      await page.getByLabel('Search servers and tools').fill('issues');
      await page.getByRole('button', { name: /^Add \d+ tools?$/ }).waitFor();
    },
  },
  {
    name: 'profile-delete',
    scenario: 'rich',
    go: async (page) => {
      await openProfiles(page);
      await page.getByRole('button', { name: 'Actions for Coding' }).click();
      await page.getByRole('menuitem', { name: 'Delete' }).click();
      await page.getByRole('dialog', { name: 'Delete Coding?' }).waitFor();
    },
  },
  {
    name: 'profiles-broken',
    scenario: 'rich',
    go: async (page) => {
      await openProfiles(page);
      await page.evaluate(() =>
        window.harness?.push('profiles.changed', {
          profiles: [],
          clients: {},
          problem: {
            code: 'profile.unreadable',
            sentence: 'profiles.json cannot be used: a comma is missing in line 4, column 7.',
            fix: 'Fix the file. Until then, Patchbay uses the profiles that it last read.',
            evidence: [{ label: 'file', value: '/home/ada/.patchbay/profiles.json' }],
          },
        }),
      );
      await page.getByText('cannot be used').waitFor();
    },
  },
];

async function openProfiles(page: Page): Promise<void> {
  await openView(page, 'Clients');
  await page.getByText('Profiles', { exact: true }).click();
  await page.getByRole('button', { name: 'New profile' }).first().waitFor();
}
