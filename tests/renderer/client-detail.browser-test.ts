import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openStage, type Stage } from './harness/browser.ts';
import { clientScreens } from './harness/client-screens.ts';
import { openView } from './harness/screen.ts';

const chromium = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** What clients hold and get, as the window shows it, over a made-up hub. Needs Chromium. */
describe('the truth about clients', { timeout: 60_000 }, () => {
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

  const inputs = (page: Page, name: string) =>
    page.evaluate(
      (wanted) => window.harness?.calls.filter((call) => call.name === wanted).map(({ input }) => input),
      name,
    );

  const looks = clientScreens.flatMap((screen) =>
    (['light', 'dark'] as const).map((theme) => ({ ...screen, theme })),
  );

  it.each(looks)(
    '[PB-A11Y-1] $name ($theme) is clean for axe and keeps to the content policy',
    async (look) => {
      const { page, errors } = await show(look.theme);
      await look.go?.(page);
      await page.waitForTimeout(250);
      const { violations } = await new AxeBuilder({ page })
        .exclude('[data-portal]:has([role="tooltip"])')
        .analyze();
      expect(violations).toEqual([]);
      expect(errors).toEqual([]);
    },
  );

  it('[PB-NAMES-1] switches off what a client never uses, and takes it back', async () => {
    const { page } = await show();
    await clientScreens.find(({ name }) => name === 'client-tools')?.go?.(page);
    await page.getByLabel('Search its tools').fill('memory');
    await page.getByRole('button', { name: /^Turn off \d+ tools?$/ }).click();
    await page.getByText(/turned off in/).waitFor();
    const [switched] = (await inputs(page, 'server.change')) ?? [];
    expect(switched).toMatchObject({ changes: [{ kind: 'tools', key: 'memory', enabled: false }] });
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => inputs(page, 'server.undoChange')).toHaveLength(1);
  });

  it('[PB-NAMES-1] tells a client again whose list is outdated', async () => {
    const { page } = await show();
    await page.evaluate(() => {
      const clients = window.harness?.state.clients ?? [];
      const stale = clients.map((client) => ({ ...client, stale: client.name === 'cursor-vscode' }));
      window.harness?.push('clients.changed', { clients: stale });
    });
    await openView(page, 'Clients');
    await page.getByRole('button', { name: 'Notify again' }).click();
    await expect.poll(() => inputs(page, 'client.notify')).toHaveLength(1);
  });
});
