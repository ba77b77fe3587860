import type { Page } from 'playwright-core';
import { openServer, type Screen } from './screen.ts';

/** Servers that sleep, wake, are checked, explained, and changed while they serve. */
export const stayingScreens: readonly Screen[] = [
  { name: 'server-asleep', scenario: 'rich', go: (page) => openServer(page, 'brave-search') },
  { name: 'server-processes', scenario: 'rich', go: (page) => scrollTo(page, 'github', 'Processes') },
  {
    name: 'server-per-client',
    scenario: 'rich',
    go: async (page) => {
      await scrollTo(page, 'chroma', 'Processes');
      await page
        .getByRole('button', { name: /^Processes below/ })
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
      await page.getByRole('button', { name: 'Look it up again' }).waitFor();
    },
  },
  { name: 'server-command-missing', scenario: 'rich', go: (page) => explain(page, 'obsidian') },
  { name: 'server-update-failed', scenario: 'rich', go: (page) => openServer(page, 'notion') },
];

async function scrollTo(page: Page, key: string, section: string): Promise<void> {
  await openServer(page, key);
  const part = page.getByRole('region', { name: section, exact: true });
  await part.waitFor();
  await part.evaluate((element) => element.scrollIntoView({ block: 'start' }));
}

async function explain(page: Page, key: string): Promise<void> {
  await openServer(page, key);
  await page.getByRole('button', { name: 'Which program runs?' }).last().click();
  const panel = page.getByRole('region', { name: 'Which program runs' });
  await panel.getByRole('button', { name: 'Read it again' }).waitFor();
  await panel.evaluate((element) => element.scrollIntoView({ block: 'end' }));
}
