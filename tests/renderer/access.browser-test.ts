import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { accessScreens, openAccess, openTools } from './harness/access-screens.ts';
import { approvalScreens } from './harness/approval-screens.ts';
import { openStage, type Stage } from './harness/browser.ts';

const chromium = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** Who may call what, and calls that wait, as the window shows them over a made-up hub. Needs Chromium. */
describe('access and approvals', { timeout: 60_000 }, () => {
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

  async function show(scenario = 'rich', theme: 'light' | 'dark' = 'light') {
    const shown = await stage.open({ scenario, theme });
    open.add(shown.page);
    return shown;
  }

  const inputs = (page: Page, name: string) =>
    page.evaluate(
      (wanted) => window.harness?.calls.filter((call) => call.name === wanted).map(({ input }) => input),
      name,
    );

  const looks = [...accessScreens, ...approvalScreens].flatMap((screen) =>
    (['light', 'dark'] as const).map((theme) => ({ ...screen, theme })),
  );

  it.each(looks)(
    '[PB-A11Y-1] $name ($theme) is clean for axe and keeps to the content policy',
    async (look) => {
      const { page, errors } = await show(look.scenario, look.theme);
      await look.go?.(page);
      await page.waitForTimeout(250);
      const { violations } = await new AxeBuilder({ page })
        .exclude('[data-portal]:has([role="tooltip"])')
        .analyze();
      expect(violations).toEqual([]);
      expect(errors).toEqual([]);
    },
  );

  it('[PB-A11Y-1] the matrix is gone through by arrow keys, to cells that were not drawn before', async () => {
    const { page } = await show('many');
    await openAccess(page);
    await page.getByRole('rowheader').first().getByRole('button').focus();
    await page.keyboard.press('End');
    const last = () => page.evaluate(() => document.activeElement?.getAttribute('data-cell'));
    await expect.poll(last).toBe('0:49');
    await page.keyboard.press('PageDown');
    await expect.poll(last).toBe('10:49');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(last).toBe('10:49');
  });

  it('[REQ-MCP-AUTH-001] a second click on a choice goes back to the general rules', async () => {
    const { page } = await show();
    await openTools(page, 'cursor', 'github');
    const deny = page.getByRole('button', { name: 'Deny get_issues' });
    await deny.click();
    await expect.poll(() => deny.getAttribute('aria-pressed')).toBe('true');
    await deny.click();
    await expect.poll(() => deny.getAttribute('aria-pressed')).toBe('false');
    expect(await inputs(page, 'access.revokeGrant')).toHaveLength(1);
  });

  it('[REQ-MCP-AUTH-002] what is revoked comes back by its undo, and by the button that the message leaves free', async () => {
    const { page } = await show();
    await page.setViewportSize({ width: 960, height: 700 });
    await openAccess(page);
    await page.getByRole('rowheader', { name: 'night job' }).getByRole('button').click();
    await page.getByRole('button', { name: 'Revoke access' }).click();
    await page.getByText('night job may do nothing any more.').waitFor();
    // A message over what is pressed next would stay as long as the pointer is there.
    await page.getByRole('button', { name: 'Restore access' }).click();
    await page.getByRole('button', { name: 'Revoke access' }).click();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'Revoke access' }).waitFor();
    expect(await inputs(page, 'access.restore')).toEqual([{ id: 'night' }, { id: 'night' }]);
  });
});
