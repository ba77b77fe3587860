import type { Page } from 'playwright-core';

/** A screen to look at: its scenario, and how to get there. */
export interface Screen {
  readonly name: string;
  readonly scenario: string;
  readonly go?: (page: Page) => Promise<unknown>;
}

export async function openServer(page: Page, key: string, tab?: string): Promise<void> {
  await page.getByRole('button', { name: key, exact: true }).click();
  if (tab !== undefined) await page.getByRole('tab', { name: tab }).click();
  await page.waitForTimeout(150);
}

export async function openView(page: Page, title: string): Promise<void> {
  await page
    .getByRole('navigation')
    .getByRole('button', { name: new RegExp(`^${title}`) })
    .click();
  await page.getByRole('heading', { name: title, level: 1 }).waitFor();
}

/** Changes a server's text as another program would. */
export async function editFile(page: Page, key: string, change: (text: string) => string): Promise<void> {
  const text = await page.evaluate((name) => window.harness?.text(name) ?? '', key);
  await page.evaluate(([name, next]) => window.harness?.editFile(name, next), [key, change(text)] as const);
}
