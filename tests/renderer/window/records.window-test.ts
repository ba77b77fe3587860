import { describe, expect, it } from 'vitest';
import { openView } from '../harness/screen.ts';
import { inputsOf, useStage } from '../harness/use-stage.ts';

/** Tests activity and the audit log, with a fake hub. */
describe('what was recorded', () => {
  const open = useStage();

  async function showActivity(scenario = 'rich') {
    const page = await open({ scenario });
    await openView(page, 'Activity');
    await page.locator('[data-row="0"]').waitFor();
    return page;
  }

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
    const page = await showActivity('many');
    expect(await page.locator('[data-row]').count()).toBeLessThan(80);
    await page.locator('[data-row="0"]').focus();
    // Another page is loaded each time the end is reached.
    await expect
      .poll(async () => {
        await page.keyboard.press('End');
        return Number(await page.evaluate(() => document.activeElement?.getAttribute('data-row')));
      })
      .toBeGreaterThan(950);
    expect(await page.locator('[data-row]').count()).toBeLessThan(80);
  });

  it('is cleared without a question, and comes back', async () => {
    const page = await showActivity();
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByText('No activity yet').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.locator('[data-row="0"]').waitFor();
    expect(await inputsOf(page, 'activity.undoClear')).toHaveLength(1);
  });

  it('[PB-A11Y-1] the audit log is read and narrowed by keyboard alone', async () => {
    const page = await showActivity();
    await page.locator('label', { hasText: /^Audit$/ }).click();
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
    expect((await inputsOf(page, 'audit.query')).at(-1)).toEqual({ serverKey: 'long-gone', limit: 200 });
    await page.getByRole('button', { name: 'Show everything' }).first().click();
    await page.locator('[data-row="0"]').waitFor();
  });
});
