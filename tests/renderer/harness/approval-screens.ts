import type { Page } from 'playwright-core';
import { openView, type Screen } from './screen.ts';

/** Screens of waiting calls, in front of several views. */
export const approvalScreens: readonly Screen[] = [
  { name: 'approvals', scenario: 'asked', go: panel },
  {
    name: 'approvals-second',
    scenario: 'asked',
    go: async (page) => {
      await panel(page);
      await openView(page, 'Tools');
      await page.getByRole('button', { name: /^filesystem:read_file/ }).click();
      await page.getByText('/home/ada/notes.md').waitFor();
    },
  },
  {
    name: 'approvals-one',
    scenario: 'asked',
    go: async (page) => {
      await panel(page);
      for (const tool of ['merge_pull_request', 'read_file']) {
        await page.getByText(`wants to run ${tool}`).waitFor();
        await page.getByRole('button', { name: 'Deny' }).click();
      }
      await page.getByRole('heading', { name: 'Approval needed' }).waitFor();
    },
  },
  {
    name: 'approvals-left',
    scenario: 'asked',
    go: async (page) => {
      await panel(page);
      await page.keyboard.press('Control+Shift+A');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Answer' }).waitFor();
    },
  },
];

async function panel(page: Page): Promise<void> {
  await page.getByRole('region', { name: 'Calls that need approval' }).waitFor();
}
