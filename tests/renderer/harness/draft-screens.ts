import type { Page } from 'playwright-core';
import { editFile, openServer, type Screen } from './screen.ts';

/** Screens of unsaved changes while the file changes too, and of degraded servers. */
export const draftScreens: readonly Screen[] = [
  { name: 'draft-conflict', scenario: 'rich', go: (page) => conflict(page) },
  {
    name: 'draft-conflict-revealed',
    scenario: 'rich',
    go: async (page) => {
      await conflict(page);
      await page.getByRole('dialog').getByRole('button', { name: 'Reveal values' }).click();
    },
  },
  {
    name: 'draft-file-changed',
    scenario: 'rich',
    go: async (page) => {
      await openServer(page, 'github', 'Config');
      await page.getByLabel('Command', { exact: true }).fill('bunx');
      await editFile(page, 'github', (text) => text.replace('"debug"', '"warn"'));
      await page.getByText('The file has changed too').waitFor();
    },
  },
  {
    name: 'draft-gone',
    scenario: 'rich',
    go: async (page) => {
      await openServer(page, 'github', 'Config');
      await page.getByLabel('Command', { exact: true }).fill('bunx');
      await page.evaluate(() => window.harness?.editFile('github', undefined));
      await page.getByText('was removed from the config file').waitFor();
    },
  },
  {
    name: 'servers-degraded',
    scenario: 'rich',
    go: async (page) => {
      await listFailed(page);
      await page.getByText(/^Attention/).click();
    },
  },
  { name: 'server-tools-unfit', scenario: 'rich', go: (page) => openServer(page, 'sentry', 'Tools') },
  {
    name: 'server-degraded',
    scenario: 'rich',
    go: async (page) => {
      await listFailed(page);
      await openServer(page, 'memory');
    },
  },
];

async function conflict(page: Page): Promise<void> {
  await openServer(page, 'github', 'Config');
  await page.getByLabel('Command', { exact: true }).fill('bunx');
  await page.getByLabel('Value of API_TOKEN').fill('ghp_mine');
  await editFile(page, 'github', (text) =>
    text.replace('"npx"', '"/usr/local/bin/npx"').replace('ghp_x7Qm2vL9sT4wY8', 'ghp_byhand'),
  );
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('dialog', { name: 'github was changed in the file too' }).waitFor();
}

/** Shows a connected server whose list failed. */
async function listFailed(page: Page): Promise<void> {
  await page.evaluate(() =>
    window.harness?.changeServer('memory', {
      status: 'degraded',
      counts: { tools: 0, disabledTools: 0, resources: 0, prompts: 0 },
      warnings: [
        {
          code: 'server.list_failed',
          sentence: 'memory did not answer tools/list within 30 s.',
          fix: 'Look at the log of the server, or restart it.',
          evidence: [{ label: 'method', value: 'tools/list' }],
        },
      ],
    }),
  );
}
