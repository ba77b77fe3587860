import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openStage, type Stage } from './harness/browser.ts';
import { guardScreens } from './harness/guard-screens.ts';
import { openServer } from './harness/screen.ts';

const chromium = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** Held tools as the window shows them, over a made-up hub. Needs Chromium. */
describe('the guard', { timeout: 60_000 }, () => {
  let stage: Stage;
  const open = new Set<Page>();

  beforeAll(async () => {
    stage = await openStage(chromium);
  }, 60_000);
  afterEach(async () => {
    for (const page of open) await page.context().close();
    open.clear();
  });
  afterAll(() => stage?.close());

  async function show(theme: 'light' | 'dark' = 'light') {
    const shown = await stage.open({ scenario: 'rich', theme });
    open.add(shown.page);
    return shown;
  }

  const decided = (page: Page) =>
    page.evaluate(() =>
      window.harness?.calls.filter(({ name }) => name === 'guard.decide').map(({ input }) => input),
    );

  const looks = guardScreens.flatMap((screen) =>
    (['light', 'dark'] as const).map((theme) => ({ screen, theme })),
  );

  it.each(looks)(
    '[PB-A11Y-1] $screen.name ($theme) is clean for axe and keeps to the content policy',
    async (look) => {
      const { page, errors } = await show(look.theme);
      await look.screen.go?.(page);
      await page.waitForTimeout(250);
      const { violations } = await new AxeBuilder({ page })
        .exclude('[data-portal]:has([role="tooltip"])')
        .analyze();
      expect(violations).toEqual([]);
      expect(errors).toEqual([]);
    },
  );

  it('[PB-SAFE-1] [PB-A11Y-1] shows a difference and takes the decision, by keyboard alone', async () => {
    const { page } = await show();
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('Search commands, servers and tools').fill('review changed');
    await page.getByText('Review changed tools', { exact: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Review changed tools in “github”' }).waitFor();
    await page.getByText(', newest first').waitFor();

    await page.getByRole('button', { name: /^get_issues/ }).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByText('This looks like prompt injection').waitFor();
    await page.getByRole('button', { name: 'Block', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('merge_pull_request is blocked.').waitFor();
    expect(await decided(page)).toEqual([
      {
        serverKey: 'github',
        decision: 'block',
        tools: [{ name: 'merge_pull_request', digest: 'digest-of-merge_pull_request' }],
      },
    ]);
    await page.getByRole('button', { name: 'Undo' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Approve 2 without warnings' }).click();
    await page.getByRole('button', { name: 'Approve anyway' }).click();
    await page.getByText('Nothing to review').waitFor();
  });

  it('[PB-SAFE-1] is one decision when a server is added, and an option of it later', async () => {
    const { page } = await show();
    await page.getByRole('button', { name: 'Add server' }).click();
    await page.getByText('Form', { exact: true }).click();
    await page.getByLabel('Name', { exact: true }).fill('notes');
    await page.getByLabel('Command', { exact: true }).fill('npx');
    await page.getByText('Advanced').click();
    await page.getByRole('combobox', { name: 'Tool changes' }).click();
    await page.getByRole('option', { name: 'Ask about each' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Add server' }).click();
    await page.getByText('notes was added.').waitFor();
    const added = await page.evaluate(
      () => window.harness?.calls.find(({ name }) => name === 'server.add')?.input,
    );
    expect(added).toMatchObject({ servers: [{ key: 'notes', entry: { patchbay: { guard: 'each' } } }] });

    await openServer(page, 'github', 'Config');
    await page.getByText('Asks about new and changed tools').click();
    await page.getByRole('combobox', { name: 'Tool changes' }).click();
    await page.getByRole('option', { name: 'Do not guard' }).click();
    await page.locator('.cm-content', { hasText: '"guard": "off"' }).waitFor();
  });
});
