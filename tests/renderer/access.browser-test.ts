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

  it('[REQ-MCP-AUTH-001] a cell tells those that only ask apart from those that are allowed', async () => {
    const { page } = await show();
    await page.evaluate(async () => {
      const scope = { kind: 'tool', serverKey: 'github', tool: 'get_issues' } as const;
      await window.patchbay?.call('access.grant', { identityId: 'night', effect: 'ask', scope });
    });
    await openAccess(page);
    const cell = page.getByRole('button', { name: /^night job, github: / });
    expect(await cell.getAttribute('title')).toBe('45 allowed, 1 ask first, 5 denied by a rule of its own');
    expect(await cell.locator('[data-effect]').allTextContents()).toEqual(['45', '1', '5']);
  });

  it('[REQ-MCP-AUTH-002] calls are answered in front of an open dialog, which is as it was afterwards', async () => {
    const { page } = await show('asked');
    await page.getByRole('region', { name: 'Calls that wait for you' }).waitFor();
    await page.keyboard.press('n');
    const command = page.getByLabel('Command', { exact: true });
    await command.fill('npx');
    await page.keyboard.press('Control+Shift+A');
    const calls = page.getByRole('dialog', { name: /calls wait for you$/ });
    await calls.getByText('wants to run merge_pull_request').waitFor();
    await expect.poll(() => calls.evaluate((dialog) => dialog.contains(document.activeElement))).toBe(true);
    await page.keyboard.press('ArrowDown');
    await calls.getByText('wants to run read_file').waitFor();
    await page.keyboard.press('Escape');
    await calls.waitFor({ state: 'detached' });
    await expect.poll(() => command.evaluate((field) => field === document.activeElement)).toBe(true);

    await page.keyboard.press('Control+k');
    await page.keyboard.type('answer calls');
    await page.getByText('Answer calls that wait').waitFor();
    await page.keyboard.press('Enter');
    await calls.getByText('wants to run read_file').waitFor();
    await expect
      .poll(() => calls.getByRole('button', { name: 'Deny' }).getAttribute('aria-disabled'))
      .toBe('false');
    await calls.getByRole('button', { name: 'Deny' }).click();
    await expect.poll(() => inputs(page, 'access.answer')).toHaveLength(1);
    await page.keyboard.press('Escape');
    await calls.waitFor({ state: 'detached' });
    await expect.poll(() => command.evaluate((field) => field === document.activeElement)).toBe(true);
    expect(await command.inputValue()).toBe('npx');
  });

  it('[PB-A11Y-1] a long name leaves the way out of its dialog where it is', async () => {
    const { page } = await show();
    await page.setViewportSize({ width: 960, height: 640 });
    const name = 'W'.repeat(100);
    await page.evaluate(
      (long) => window.patchbay?.call('access.create', { kind: 'agent', name: long }),
      name,
    );
    await openAccess(page);
    await page.getByRole('rowheader', { name }).getByRole('button').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Revoke access' }).waitFor();
    const edge = await dialog.boundingBox();
    const close = await dialog.getByRole('button', { name: 'Close' }).boundingBox();
    expect((close?.x ?? 0) + (close?.width ?? 0)).toBeLessThan((edge?.x ?? 0) + (edge?.width ?? 0));
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
