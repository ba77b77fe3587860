import type { Page } from 'playwright-core';
import { largeDifference } from './sample-resilience.ts';
import { openServer, type Screen } from './screen.ts';

/** Screens of servers that sleep, wake, are checked, explained, and updated while they serve. */
export const stayingScreens: readonly Screen[] = [
  { name: 'server-asleep', scenario: 'rich', go: (page) => openServer(page, 'brave-search') },
  { name: 'server-processes', scenario: 'rich', go: (page) => scrollTo(page, 'github', 'Processes') },
  {
    name: 'server-per-client',
    scenario: 'rich',
    go: async (page) => {
      await scrollTo(page, 'chroma', 'Processes');
      await page
        .getByRole('button', { name: /^Child processes of/ })
        .nth(1)
        .click();
    },
  },
  { name: 'server-health', scenario: 'rich', go: (page) => scrollTo(page, 'github', 'Health') },
  {
    name: 'server-health-bad',
    scenario: 'rich',
    go: async (page) => {
      await scrollTo(page, 'slack', 'Health');
      await page.getByRole('slider').focus();
      for (let step = 0; step < 6; step += 1) await page.keyboard.press('ArrowLeft');
    },
  },
  { name: 'server-circuits', scenario: 'rich', go: (page) => openServer(page, 'slack') },
  { name: 'server-keeps-failing', scenario: 'rich', go: (page) => openServer(page, 'mysql') },
  { name: 'server-command', scenario: 'rich', go: (page) => explain(page, 'github') },
  {
    name: 'server-command-pinned',
    scenario: 'rich',
    go: async (page) => {
      await explain(page, 'github');
      await page.getByText(/folders searched/).click();
      await page
        .getByRole('button', { name: /^Use this one/ })
        .nth(1)
        .click();
      await page.getByRole('button', { name: 'Unpin this file' }).waitFor();
    },
  },
  { name: 'server-command-missing', scenario: 'rich', go: (page) => explain(page, 'obsidian') },
  { name: 'server-update-failed', scenario: 'rich', go: (page) => openServer(page, 'notion') },
  {
    name: 'config-options',
    scenario: 'rich',
    go: async (page) => {
      await openServer(page, 'github', 'Config');
      await page.getByText('Start and stop').click();
      await page.getByText('On first call', { exact: true }).click();
      await page.getByText('Health checks').click();
      await page.getByText('Calls', { exact: true }).click();
      await page.getByRole('button', { name: 'Add fallback' }).click();
      await page.getByRole('combobox', { name: 'Tool of fallback 1' }).fill('search_issues');
      await page.getByRole('combobox', { name: 'Fallbacks for search_issues' }).focus();
      await page.keyboard.type('linear:list_issues,brave-search:web_search,');
      await page.keyboard.press('Escape');
      await page.getByLabel('Concurrent calls').scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'config-options-start',
    scenario: 'rich',
    go: async (page) => {
      await openServer(page, 'brave-search', 'Config');
      await page.getByText('Start and stop').click();
      await page
        .getByText('Start and stop')
        .evaluate((element) => element.scrollIntoView({ block: 'start' }));
    },
  },
  {
    name: 'config-trying',
    scenario: 'rich',
    go: (page) => tryEntry(page, 'slow', 'Starting this config next to'),
  },
  { name: 'config-trial', scenario: 'rich', go: (page) => tryEntry(page, 'debug2', 'It works.') },
  { name: 'config-trial-large', scenario: 'rich', go: (page) => tryEntry(page, 'thousand', 'It works.') },
  {
    name: 'config-trial-failed',
    scenario: 'rich',
    go: (page) => tryEntry(page, 'broken', 'exited with code 1'),
  },
  {
    name: 'config-updated',
    scenario: 'rich',
    go: async (page) => {
      await openServer(page, 'github', 'Config');
      await page.getByLabel('Command', { exact: true }).fill('bunx');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByText('New config in use').waitFor();
    },
  },
  {
    name: 'server-updated-large',
    scenario: 'rich',
    go: async (page) => {
      await openServer(page, 'github');
      await page.evaluate(
        (difference) =>
          window.harness?.changeServer('github', {
            update: { kind: 'done', at: Date.now() - 8_000, draining: true, difference },
          }),
        largeDifference,
      );
      await page.getByRole('button', { name: 'and 938 more' }).click();
    },
  },
  { name: 'quit', scenario: 'rich', go: (page) => askToQuit(page) },
  {
    name: 'quit-draining',
    scenario: 'rich',
    go: async (page) => {
      await askToQuit(page);
      await page.getByRole('button', { name: 'Finish calls, then quit' }).click();
      await page.getByText('Patchbay quits when').waitFor();
    },
  },
];

async function askToQuit(page: Page): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByPlaceholder('Search commands, servers and tools').fill('quit');
  await page.getByText('Quit Patchbay').click();
  await page.getByRole('dialog', { name: 'Quit Patchbay?' }).waitFor();
}

async function scrollTo(page: Page, key: string, section: string): Promise<void> {
  await openServer(page, key);
  const part = page.getByRole('region', { name: section, exact: true });
  await part.waitFor();
  await part.evaluate((element) => element.scrollIntoView({ block: 'start' }));
}

/** Edits the command so that the fake hub knows the outcome, and tries it. */
async function tryEntry(page: Page, word: string, text: string): Promise<void> {
  await openServer(page, 'github', 'Config');
  await page.getByLabel('Argument 2', { exact: true }).fill(`@modelcontextprotocol/server-github@${word}`);
  await page.getByRole('button', { name: 'Try it' }).click();
  await page.getByText(text).first().waitFor();
}

async function explain(page: Page, key: string): Promise<void> {
  await openServer(page, key);
  await page.getByRole('button', { name: 'Which version runs?' }).last().click();
  const panel = page.getByRole('region', { name: 'Which version runs' });
  await panel.getByRole('button', { name: 'Reload' }).waitFor();
  await panel.evaluate((element) => element.scrollIntoView({ block: 'end' }));
}
