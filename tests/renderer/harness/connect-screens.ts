import type { Page } from 'playwright-core';
import { openView, type Screen } from './screen.ts';

async function openDialog(page: Page, button: string): Promise<void> {
  await openView(page, 'Clients');
  await page.getByRole('button', { name: button }).click();
  await page.getByRole('dialog').waitFor();
  await page.waitForTimeout(250);
}

/** Screens of connecting a client, with everything that can interrupt it. */
export const connectScreens: readonly Screen[] = [
  {
    name: 'connect-preview',
    scenario: 'rich',
    go: (page) => openDialog(page, 'Connect Cursor'),
  },
  {
    name: 'connect-disconnect',
    scenario: 'rich',
    go: async (page) => {
      await openView(page, 'Clients');
      await page.getByRole('button', { name: 'More for Claude Code' }).click();
      await page.getByRole('menuitem', { name: 'Disconnect…' }).click();
      await page.getByRole('dialog', { name: 'Disconnect Claude Code?' }).waitFor();
    },
  },
  {
    name: 'connect-running',
    scenario: 'rich',
    go: (page) => openDialog(page, 'Connect Claude Desktop'),
  },
  {
    name: 'connect-proved',
    scenario: 'rich',
    go: async (page) => {
      await openDialog(page, 'Connect Cursor');
      await page.getByRole('button', { name: 'Connect and test' }).click();
      await page.getByText(/^Connected\./).waitFor();
      await page.getByText('Transcript').first().click();
      await page.waitForTimeout(150);
    },
  },
  {
    name: 'connect-snippet',
    scenario: 'rich',
    go: async (page) => {
      await openView(page, 'Clients');
      await page.getByText('Not found, or set up by hand').click();
      await page.getByRole('button', { name: 'Show the snippet for Another client' }).click();
      await page.getByText('Over HTTP').click();
      await page.getByText('Bearer').waitFor();
    },
  },
];
