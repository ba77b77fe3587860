import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { activityScreens } from './harness/activity-screens.ts';
import { type OpenOptions, openStage, type Stage } from './harness/browser.ts';
import { openView } from './harness/screen.ts';

const patience = { timeout: 20_000 };
const chromium = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** Activity as the window shows it; over a made-up hub. Needs Chromium. */
describe('activity', { timeout: 60_000 }, () => {
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

  async function show(options: OpenOptions = { scenario: 'rich' }) {
    const shown = await stage.open(options);
    open.add(shown.page);
    return shown;
  }

  async function showActivity(options?: OpenOptions): Promise<Page> {
    const { page } = await show(options);
    await openView(page, 'Activity');
    await page.locator('[data-row="0"]').waitFor();
    return page;
  }

  const inputs = (page: Page, name: string) =>
    page.evaluate(
      (wanted) => window.harness?.calls.filter((call) => call.name === wanted).map((call) => call.input),
      name,
    );

  it.each(
    activityScreens.flatMap((screen) => (['light', 'dark'] as const).map((theme) => ({ screen, theme }))),
  )(
    '[PB-A11Y-1] $screen.name ($theme) is clean for axe and keeps to the content policy',
    async ({ screen, theme }) => {
      const { page, errors } = await show({ scenario: screen.scenario, theme });
      await screen.go?.(page);
      await page.waitForTimeout(250);
      const { violations } = await new AxeBuilder({ page })
        .exclude('[data-portal]:has([role="tooltip"])')
        .analyze();
      expect(violations.map(({ id, nodes }) => `${id} ${nodes[0]?.target}`)).toEqual([]);
      expect(errors).toEqual([]);
    },
  );

  it('[PB-A11Y-1] is read by keyboard alone: arrows, j and k, Enter, Escape', async () => {
    const page = await showActivity();
    await page.locator('[data-row="0"]').focus();
    for (const key of ['j', 'j', 'k', 'ArrowDown', 'ArrowDown', 'k']) await page.keyboard.press(key);
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('data-row'))).toBe('2');
    await page.keyboard.press('Enter');
    const details = page.getByRole('region', { name: 'Details of query' });
    await details.waitFor();
    expect(await details.getByText('postgres is not running').count()).toBeGreaterThan(0);
    await page.keyboard.press('Escape');
    await details.waitFor({ state: 'detached' });
  });

  it('draws only what is on screen of 10,000 rows, and gets to the end of them', async () => {
    const page = await showActivity({ scenario: 'many' });
    expect(await page.locator('[data-row]').count()).toBeLessThan(80);
    await page.locator('[data-row="0"]').focus();
    // Each time the end is reached there is another page of them.
    await expect
      .poll(async () => {
        await page.keyboard.press('End');
        return Number(await page.evaluate(() => document.activeElement?.getAttribute('data-row')));
      }, patience)
      .toBeGreaterThan(950);
    expect(await page.locator('[data-row]').count()).toBeLessThan(80);
  });

  it('goes on as it comes, waits while one looks, and catches up', async () => {
    const page = await showActivity();
    const push = (id: number) =>
      page.evaluate((made) => {
        const row = { kind: 'call', outcome: 'ok', serverKey: 'github', method: 'tools/call' } as const;
        const rows = [{ ...row, id: made, at: Date.now(), name: `fresh-${made}` }];
        window.harness?.push('activity.added', { rows, skipped: 0 });
      }, id);
    await push(500);
    await page.getByRole('button', { name: /fresh-500/ }).click();
    await push(501);
    await push(502);
    await page.getByRole('button', { name: '2 new' }).click();
    await page.getByRole('button', { name: /fresh-502/ }).waitFor();
    expect(await page.locator('[data-row="0"]').textContent()).toContain('fresh-502');
  });

  it('[PB-A11Y-1] filters are gone through by Tab, those behind the button too, and Escape leads back to it', async () => {
    const page = await showActivity();
    const label = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
    await page.getByRole('combobox', { name: 'Server' }).focus();
    await page.getByRole('option', { name: /github/ }).waitFor();
    await page.keyboard.press('Tab');
    expect(await label()).toBe('Outcome');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const method = page.getByRole('combobox', { name: 'Method' });
    await method.waitFor();
    for (let tabs = 0; tabs < 3; tabs += 1) await page.keyboard.press('Tab');
    await expect.poll(label).toBe('Method');
    await page.keyboard.press('Escape');
    await method.waitFor({ state: 'detached' });
    await expect.poll(label).toBe('More filters');
  });

  it('is cleared without a question, and comes back', async () => {
    const page = await showActivity();
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByText('Quiet so far').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.locator('[data-row="0"]').waitFor();
    expect(await inputs(page, 'activity.undoClear')).toHaveLength(1);
  });

  it('is exported as it is filtered, and tried again in the tester', async () => {
    const page = await showActivity();
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('menuitem', { name: 'Table (CSV)' }).click();
    await page.getByText('entries were exported').waitFor();
    expect(await inputs(page, 'activity.export')).toEqual([{ filter: { kind: 'call' }, format: 'csv' }]);
    await page
      .getByRole('button', { name: /search_issues/ })
      .first()
      .click();
    await page.getByRole('button', { name: 'Open in tester' }).click();
    await expect
      .poll(() => page.getByRole('heading', { level: 1 }).first().textContent())
      .not.toBe('Activity');
  });

  it('is switched on where nothing is recorded', async () => {
    const { page } = await show({ scenario: 'empty' });
    await activityScreens.find(({ name }) => name === 'activity-off')?.go?.(page);
    await page.getByRole('button', { name: 'Turn on recording' }).click();
    await expect.poll(() => inputs(page, 'settings.set')).toEqual([{ recordActivity: true }]);
  });
});
