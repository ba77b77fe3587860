import type { Page } from 'playwright-core';
import { openView, type Screen } from './screen.ts';

async function openPage(page: Page, view: string, title: string): Promise<void> {
  await openView(page, view);
  await page.locator('label', { hasText: new RegExp(`^${title}$`) }).click();
}

const openAudit = (page: Page) => openPage(page, 'Activity', 'Audit');
const openMetrics = (page: Page) => openPage(page, 'Activity', 'Metrics');
const openLimits = (page: Page) => openPage(page, 'Settings', 'Limits');
const stopped = {
  code: 'hub.activity_stopped',
  sentence: 'Activity is not being recorded right now. Calls are not affected.',
  fix: 'Recording restarts automatically. If this message stays, restart Patchbay.',
  evidence: [{ label: 'reason', value: 'its thread has ended' }],
} as const;

const auditScreens: readonly Screen[] = [
  { name: 'audit', scenario: 'rich', go: openAudit },
  { name: 'audit-empty', scenario: 'empty', go: openAudit },
  { name: 'audit-many', scenario: 'many', go: openAudit },
  {
    name: 'audit-detail',
    scenario: 'rich',
    go: async (page) => {
      await openAudit(page);
      await page.locator('[data-row="3"]').click();
      await page.getByRole('region', { name: 'Hash chain' }).waitFor();
    },
  },
  {
    name: 'audit-filtered',
    scenario: 'rich',
    go: async (page) => {
      await openAudit(page);
      await page.getByRole('combobox', { name: 'Kind' }).click();
      await page.getByRole('option', { name: 'All except calls' }).click();
      await page.getByRole('button', { name: 'More filters' }).click();
      await page.getByRole('combobox', { name: 'Time' }).click();
      await page.getByRole('option', { name: 'Date range' }).click();
      await page.getByLabel('From date', { exact: true }).waitFor();
    },
  },
  {
    name: 'audit-no-match',
    scenario: 'rich',
    go: async (page) => {
      await openAudit(page);
      await page.getByLabel('Search the audit log').fill('zzz');
      await page.getByText('Nothing matches').waitFor();
    },
  },
  {
    name: 'audit-verified',
    scenario: 'rich',
    go: async (page) => {
      await openAudit(page);
      await page.getByRole('button', { name: 'Verify' }).click();
      await page.getByText('The audit log is intact').waitFor();
    },
  },
  {
    name: 'audit-broken',
    scenario: 'rich',
    go: async (page) => {
      await page.evaluate(() => window.harness?.breakAudit());
      await openAudit(page);
      await page.getByRole('button', { name: 'Verify' }).click();
      await page.getByText('The audit log is broken at row 1,204').waitFor();
    },
  },
  {
    name: 'audit-error',
    scenario: 'rich',
    go: async (page) => {
      await page.evaluate((problem) => window.harness?.failNext('audit.query', problem), stopped);
      await openAudit(page);
      await page.getByText('has stopped working').waitFor();
    },
  },
  {
    name: 'audit-off',
    scenario: 'empty',
    go: async (page) => {
      await page.evaluate(() => {
        const settings = window.harness?.state.settings;
        if (settings !== undefined) window.harness?.push('settings.changed', { ...settings, audit: false });
      });
      await openAudit(page);
    },
  },
];

const metricsScreens: readonly Screen[] = [
  { name: 'metrics', scenario: 'rich', go: openMetrics },
  { name: 'metrics-empty', scenario: 'empty', go: openMetrics },
  { name: 'metrics-many', scenario: 'many', go: openMetrics },
  {
    name: 'metrics-tool',
    scenario: 'rich',
    go: async (page) => {
      await openMetrics(page);
      await page.locator('label', { hasText: /^24 h$/ }).click();
      await page.getByRole('button', { name: 'Tools of github' }).click();
      await page.getByRole('button', { name: 'create_issue', exact: true }).click();
      await page.getByText('Show as table').click();
      await page.getByRole('table', { name: 'Calls over time' }).waitFor();
    },
  },
  {
    name: 'metrics-error',
    scenario: 'rich',
    go: async (page) => {
      await page.evaluate((problem) => window.harness?.failNext('metrics.summary', problem), stopped);
      await openMetrics(page);
      await page.getByText('has stopped working').waitFor();
    },
  },
];

const limitScreens: readonly Screen[] = [
  { name: 'limits', scenario: 'rich', go: openLimits },
  {
    name: 'limits-bad',
    scenario: 'rich',
    go: async (page) => {
      await openLimits(page);
      await page.getByLabel('Retries for temporary failures').fill('0');
      await page.getByText('Choose from 1 to 20 attempts.').waitFor();
    },
  },
  {
    name: 'limits-refused',
    scenario: 'rich',
    go: async (page) => {
      await openLimits(page);
      await page.evaluate(() =>
        window.harness?.failNext('limits.set', {
          code: 'hub.bad_limit',
          sentence: 'retryMaxAttempts is 7, which is not allowed.',
          fix: 'Set it to a whole number from 1 to 5, or take it out.',
          evidence: [{ label: 'value', value: '7' }],
        }),
      );
      await page.getByLabel('Retries for temporary failures').fill('7');
      await page.getByRole('button', { name: 'Save: Retries for temporary failures' }).click();
      await page.getByText('retryMaxAttempts is 7').waitFor();
    },
  },
  {
    name: 'limits-error',
    scenario: 'rich',
    go: async (page) => {
      await page.evaluate((problem) => window.harness?.failNext('limits.list', problem), stopped);
      await openLimits(page);
      await page.getByText('has stopped working').waitFor();
    },
  },
];

/** Screens of the audit log, metrics, circuit breakers and limits, in every state. */
export const governScreens: readonly Screen[] = [...auditScreens, ...metricsScreens, ...limitScreens];
