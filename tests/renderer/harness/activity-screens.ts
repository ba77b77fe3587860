import type { Page } from 'playwright-core';
import { openView, type Screen } from './screen.ts';

const openActivity = (page: Page) => openView(page, 'Activity');

/** Screens of activity in every state. */
export const activityScreens: readonly Screen[] = [
  { name: 'activity-empty', scenario: 'empty', go: openActivity },
  { name: 'activity-many', scenario: 'many', go: openActivity },
  {
    name: 'activity-detail',
    scenario: 'rich',
    go: async (page) => {
      await openActivity(page);
      await page
        .getByRole('button', { name: /search_issues/ })
        .first()
        .click();
      await page.getByRole('region', { name: 'Arguments' }).first().waitFor();
    },
  },
  {
    name: 'activity-failed-call',
    scenario: 'rich',
    go: async (page) => {
      await openActivity(page);
      await page
        .getByRole('button', { name: /get_file_contents/ })
        .first()
        .click();
      await page.getByText('Sent', { exact: true }).waitFor();
    },
  },
  {
    name: 'activity-filtered',
    scenario: 'rich',
    go: async (page) => {
      await openActivity(page);
      await page.getByRole('combobox', { name: 'Server' }).click();
      await page.getByRole('option', { name: /github/ }).waitFor();
    },
  },
  {
    name: 'activity-more-filters',
    scenario: 'rich',
    go: async (page) => {
      await openActivity(page);
      await page.getByRole('button', { name: 'More filters' }).click();
      await page.getByRole('combobox', { name: 'Method' }).waitFor();
    },
  },
  {
    name: 'activity-no-match',
    scenario: 'rich',
    go: async (page) => {
      await openActivity(page);
      await page.getByLabel('Search activity').fill('zzz');
      await page.getByText('Nothing matches').waitFor();
    },
  },
  {
    name: 'activity-folded',
    scenario: 'rich',
    go: async (page) => {
      await openActivity(page);
      await page.getByRole('combobox', { name: 'Kind' }).click();
      await page.getByRole('option', { name: /^Calls/ }).click();
      await page.evaluate(() => {
        const row = { kind: 'hub', outcome: 'note', tone: 'bad', at: Date.now() } as const;
        const rows = Array.from({ length: 24 }, (_, index) => ({
          ...row,
          id: 100 + index,
          serverKey: index % 2 === 0 ? 'postgres' : 'linear',
          text: 'The server cannot be reached.',
        }));
        window.harness?.push('activity.added', { rows, skipped: 0 });
      });
      await page
        .getByRole('button', { name: /12 tries since/ })
        .first()
        .click();
    },
  },
  {
    name: 'activity-paused',
    scenario: 'rich',
    go: async (page) => {
      await openActivity(page);
      await page.getByRole('button', { name: 'Pause' }).click();
      await page.evaluate(() => {
        const row = { kind: 'call', outcome: 'ok', method: 'tools/call', serverKey: 'github' } as const;
        const rows = [101, 102, 103].map((id) => ({ ...row, id, at: Date.now(), name: `new-${id}` }));
        window.harness?.push('activity.added', { rows, skipped: 0 });
      });
      await page.getByRole('button', { name: '3 new' }).waitFor();
    },
  },
  {
    name: 'activity-off',
    scenario: 'empty',
    go: async (page) => {
      await switchOff(page);
      await openActivity(page);
    },
  },
  {
    name: 'activity-off-kept',
    scenario: 'rich',
    go: async (page) => {
      await switchOff(page);
      await openActivity(page);
    },
  },
  {
    name: 'activity-error',
    scenario: 'rich',
    go: async (page) => {
      await page.evaluate(() =>
        window.harness?.failNext('activity.query', {
          code: 'hub.activity_stopped',
          sentence: 'Activity is not being recorded right now. Calls are not affected.',
          fix: 'Recording restarts automatically. If this message stays, restart Patchbay.',
          evidence: [{ label: 'reason', value: 'its thread has ended' }],
        }),
      );
      await openActivity(page);
    },
  },
];

async function switchOff(page: Page): Promise<void> {
  await page.evaluate(() => {
    const settings = window.harness?.state.settings;
    if (settings !== undefined)
      window.harness?.push('settings.changed', { ...settings, recordActivity: false });
  });
}
