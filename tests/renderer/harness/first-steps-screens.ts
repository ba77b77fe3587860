import type { Page } from 'playwright-core';
import { openView, type Screen } from './screen.ts';

/** Simulates a computer where no client has ever been connected. */
async function withoutClients(page: Page): Promise<void> {
  await openView(page, 'Settings');
  await page.evaluate(() => {
    const settings = window.harness?.state.settings;
    const sentence = 'Patchbay is not running.';
    window.harness?.failNext('connect.list', {
      code: 'hub.unreachable',
      sentence,
      fix: 'Start it again.',
      evidence: [],
    });
    if (settings !== undefined)
      window.harness?.push('settings.changed', { ...settings, firstStepsDone: false });
  });
  await openView(page, 'Servers');
  await page.getByRole('region', { name: 'First steps' }).waitFor();
}

/** Screens of a new user's first steps. */
export const firstStepsScreens: readonly Screen[] = [
  { name: 'first-steps-nothing', scenario: 'empty', go: withoutClients },
  { name: 'first-steps-server', scenario: 'alone', go: withoutClients },
];
