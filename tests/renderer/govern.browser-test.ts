import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type OpenOptions, openStage, type Stage } from './harness/browser.ts';
import { governScreens } from './harness/govern-screens.ts';
import { openView } from './harness/screen.ts';

const patience = { timeout: 20_000 };
const chromium = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** Audit, metrics and limits as the window shows them; over a made-up hub. Needs Chromium. */
describe('the account that is kept', { timeout: 60_000 }, () => {
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

  async function showPage(view: string, title: string, options?: OpenOptions): Promise<Page> {
    const { page } = await show(options);
    await openView(page, view);
    await page.locator('label', { hasText: new RegExp(`^${title}$`) }).click();
    return page;
  }

  const inputs = (page: Page, name: string) =>
    page.evaluate(
      (wanted) => window.harness?.calls.filter((call) => call.name === wanted).map((call) => call.input),
      name,
    );

  it.each(
    governScreens.flatMap((screen) => (['light', 'dark'] as const).map((theme) => ({ screen, theme }))),
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

  it('draws only what is on screen of 100,000 rows, and goes on to the next pages', async () => {
    const page = await showPage('Activity', 'Audit', { scenario: 'many' });
    await page.locator('[data-row="0"]').focus();
    await expect
      .poll(async () => {
        await page.keyboard.press('End');
        return Number(await page.evaluate(() => document.activeElement?.getAttribute('data-row')));
      }, patience)
      .toBeGreaterThan(2_000);
    expect(await page.locator('[data-row]').count()).toBeLessThan(80);
  });

  it('[PB-A11Y-1] the audit log is read and narrowed by keyboard alone', async () => {
    const page = await showPage('Activity', 'Audit');
    await page.locator('[data-row="0"]').focus();
    for (const key of ['j', 'ArrowDown', 'k', 'Enter']) await page.keyboard.press(key);
    const details = page.getByRole('region', { name: /^Details of/ });
    await details.waitFor();
    await page.keyboard.press('Escape');
    await details.waitFor({ state: 'detached' });
    await page.getByRole('combobox', { name: 'Server' }).focus();
    await page.keyboard.type('long-gone');
    await page.getByRole('option', { name: 'long-gone' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByText('Nothing matches').waitFor();
    expect((await inputs(page, 'audit.query'))?.at(-1)).toEqual({ serverKey: 'long-gone', limit: 200 });
    await page.getByRole('button', { name: 'Show everything' }).first().click();
    await page.locator('[data-row="0"]').waitFor();
  });

  it('the chart and its table are of what is chosen in the list of servers', async () => {
    const page = await showPage('Activity', 'Metrics');
    await page.locator('label', { hasText: /^24 h$/ }).click();
    await page.getByRole('button', { name: 'Tools of github' }).click();
    await page.getByRole('button', { name: 'create_issue', exact: true }).click();
    await expect
      .poll(async () => (await inputs(page, 'metrics.summary'))?.at(-1))
      .toMatchObject({ serverKey: 'github', tool: 'create_issue', points: 96 });
    await page.getByText('Show as table').click();
    await page.getByRole('table', { name: 'Calls over the time' }).waitFor();
    const slider = page.getByRole('slider', { name: 'Calls over the time, part by part' });
    await slider.focus();
    const said = await slider.getAttribute('aria-valuetext');
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => slider.getAttribute('aria-valuetext')).not.toBe(said);
  });

  it('circuits are reset one by one, and all of a server at once', async () => {
    const page = await showPage('Activity', 'Metrics');
    await page.getByRole('button', { name: 'Reset create_issue of github' }).click();
    await page.getByText('Calls of create_issue of github are sent again.').waitFor();
    await page.getByRole('button', { name: 'Reset all circuits of slack' }).click();
    await page.getByRole('button', { name: 'Reset channels_list of slack' }).waitFor({ state: 'detached' });
    expect(await inputs(page, 'breaker.reset')).toEqual([
      { serverKey: 'github', tool: 'create_issue' },
      { serverKey: 'slack' },
    ]);
  });

  it('[REQ-MCP-CONFIG] a limit is set, refused by name, reset; one that a variable fixes cannot be set', async () => {
    const page = await showPage('Settings', 'Limits');
    const field = page.getByLabel('Retries for temporary failures', { exact: true });
    await field.fill('99');
    await page.getByText('Choose from 1 to 20 attempts.').waitFor();
    await field.fill('4');
    await page.keyboard.press('Enter');
    const reset = page.getByRole('button', {
      name: 'Reset to the default: Retries for temporary failures',
    });
    await reset.click();
    await expect.poll(() => field.inputValue()).toBe('3');
    expect(await inputs(page, 'limits.set')).toEqual([
      { name: 'retryMaxAttempts', value: 4 },
      { name: 'retryMaxAttempts', value: null },
    ]);
    const fixed = page.getByLabel('Keep the audit log for', { exact: true });
    expect(await fixed.getAttribute('readonly')).not.toBeNull();
    await page.getByText('Set by the environment variable MCP_AUDIT_RETENTION_DAYS').waitFor();
  });
});
