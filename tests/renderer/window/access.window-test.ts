import { describe, expect, it } from 'vitest';
import { openAccess, openTools } from '../harness/access-screens.ts';
import { hasFocus, inputsOf, useStage } from '../harness/use-stage.ts';

/** Tests access control and waiting calls in the window, with a fake hub. */
describe('access and approvals', () => {
  const show = useStage();

  it('[PB-A11Y-1] arrow keys move through the matrix, to cells that were not rendered before', async () => {
    const page = await show({ scenario: 'many' });
    await openAccess(page);
    await page.getByRole('rowheader').first().getByRole('button').focus();
    const last = () => page.evaluate(() => document.activeElement?.getAttribute('data-cell'));
    for (let pages = 0; pages < 5; pages += 1) await page.keyboard.press('PageDown');
    await expect.poll(last).toBe('49:-1');
    await page.keyboard.press('End');
    const column = Number((await page.getByRole('grid').getAttribute('aria-colcount')) ?? 0) - 2;
    await expect.poll(last).toBe(`49:${column}`);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(last).toBe(`49:${column}`);
    for (let pages = 0; pages < 5; pages += 1) await page.keyboard.press('PageUp');
    await expect.poll(last).toBe(`-1:${column}`);
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
  });

  it('[REQ-MCP-AUTH-001] servers are rows, and two clients are seen with all of them without scrolling sideways', async () => {
    const page = await show({ size: { width: 960, height: 640 } });
    await openAccess(page);
    const grid = page.getByRole('grid');
    expect(await grid.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true);
    await page.getByRole('rowheader', { name: /^github/ }).waitFor();
    await page.getByRole('columnheader', { name: /^Cursor/ }).waitFor();
  });

  it('[REQ-MCP-AUTH-001] a cell distinguishes tools that ask from allowed ones', async () => {
    const page = await show();
    await page.evaluate(async () => {
      const scope = { kind: 'tool', serverKey: 'github', tool: 'get_issues' } as const;
      await window.patchbay?.call('access.grant', { identityId: 'night', effect: 'ask', scope });
    });
    await openAccess(page);
    const cell = page.getByRole('button', { name: /^night job, github: / });
    expect(await cell.getAttribute('title')).toBe('45 allowed, 1 ask first, 5 denied by its own rule');
    expect(await cell.locator('[data-effect]').allTextContents()).toEqual(['45', '1', '5']);
  });

  it('[REQ-MCP-AUTH-001] a second click on a choice goes back to the general rules', async () => {
    const page = await show();
    await openTools(page, 'Cursor', 'github');
    const deny = page.getByRole('button', { name: 'Deny get_issues' });
    await deny.click();
    await expect.poll(() => deny.getAttribute('aria-pressed')).toBe('true');
    await deny.click();
    await expect.poll(() => deny.getAttribute('aria-pressed')).toBe('false');
    expect(await inputsOf(page, 'access.revokeGrant')).toHaveLength(1);
  });

  it('[REQ-MCP-AUTH-002] calls are answered in front of an open dialog, which is as it was afterwards', async () => {
    const page = await show({ scenario: 'asked' });
    await page.getByRole('region', { name: 'Calls that need approval' }).waitFor();
    await page.keyboard.press('n');
    const command = page.getByLabel('Paste anything', { exact: true });
    await command.fill('npx');
    await page.keyboard.press('Control+Shift+A');
    const calls = page.getByRole('dialog', { name: /calls need approval$/ });
    await calls.getByText('wants to run merge_pull_request').waitFor();
    await expect.poll(() => calls.evaluate((dialog) => dialog.contains(document.activeElement))).toBe(true);
    await page.keyboard.press('ArrowDown');
    await calls.getByText('wants to run read_file').waitFor();
    await page.keyboard.press('Escape');
    await calls.waitFor({ state: 'detached' });
    await expect.poll(() => command.evaluate(hasFocus)).toBe(true);

    await page.keyboard.press('Control+k');
    await page.keyboard.type('answer calls');
    await page.getByText('Approve or deny waiting calls').waitFor();
    await page.keyboard.press('Enter');
    await calls.getByText('wants to run read_file').waitFor();
    await expect
      .poll(() => calls.getByRole('button', { name: 'Deny' }).getAttribute('aria-disabled'))
      .toBe('false');
    await calls.getByRole('button', { name: 'Deny' }).click();
    await expect.poll(() => inputsOf(page, 'access.answer')).toHaveLength(1);
    await page.keyboard.press('Escape');
    await calls.waitFor({ state: 'detached' });
    await expect.poll(() => command.evaluate(hasFocus)).toBe(true);
    expect(await command.inputValue()).toBe('npx');
  });

  it('[PB-A11Y-1] a long name does not push the close button out of its dialog', async () => {
    const page = await show();
    await page.setViewportSize({ width: 960, height: 640 });
    const name = 'W'.repeat(100);
    await page.evaluate(
      (long) => window.patchbay?.call('access.create', { kind: 'agent', name: long }),
      name,
    );
    await openAccess(page);
    await page.getByRole('columnheader', { name }).getByRole('button').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Revoke access' }).waitFor();
    const edge = await dialog.boundingBox();
    const close = await dialog.getByRole('button', { name: 'Close' }).boundingBox();
    expect((close?.x ?? 0) + (close?.width ?? 0)).toBeLessThan((edge?.x ?? 0) + (edge?.width ?? 0));
  });

  it('[REQ-MCP-AUTH-002] revoked access is restored by undo, and by the button that the message does not cover', async () => {
    const page = await show();
    await page.setViewportSize({ width: 960, height: 700 });
    await openAccess(page);
    await page.getByRole('columnheader', { name: 'night job' }).getByRole('button').click();
    await page.getByRole('button', { name: 'Revoke access' }).click();
    await page.getByText('night job no longer has access.').waitFor();
    // A message over the next button would stay as long as the pointer is there.
    await page.getByRole('button', { name: 'Restore access' }).click();
    await page.getByRole('button', { name: 'Revoke access' }).click();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'Revoke access' }).waitFor();
    expect(await inputsOf(page, 'access.restore')).toEqual([{ id: 'night' }, { id: 'night' }]);
  });
});
