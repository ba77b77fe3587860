import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { accessScreens, openTools } from './harness/access-screens.ts';
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

  it('[REQ-MCP-AUTH-001] a second click on a choice goes back to the general rules', async () => {
    const { page } = await show();
    await openTools(page, 'Cursor', 'github');
    const deny = page.getByRole('button', { name: 'Deny get_issues' });
    await deny.click();
    await expect.poll(() => deny.getAttribute('aria-pressed')).toBe('true');
    await deny.click();
    await expect.poll(() => deny.getAttribute('aria-pressed')).toBe('false');
    expect(await inputs(page, 'access.revokeGrant')).toHaveLength(1);
  });
});
