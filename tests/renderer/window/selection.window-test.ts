import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { inputsOf, useStage } from '../harness/use-stage.ts';

const bar = (page: Page) => page.getByRole('toolbar', { name: 'Selected servers' });
const names = (page: Page) => page.locator('main [data-row]').allTextContents();
const selected = async (page: Page) =>
  (await page.locator('[role="row"][data-selected="true"] [data-row]').allTextContents()).toSorted();

/** Tests the selection of several servers, with a fake hub. */
describe('selecting servers', () => {
  const show = useStage();

  it('[PB-A11Y-1] works from the keyboard: Shift+arrows, Ctrl+A, Escape', async () => {
    const page = await show();
    const [first = '', second = '', third = ''] = await names(page);
    await page.locator('[data-row="0"]').focus();
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Shift+ArrowDown');
    await bar(page).getByText('3 selected').waitFor();
    expect(await selected(page)).toEqual([first, second, third].toSorted());
    await page.keyboard.press('Shift+ArrowUp');
    await bar(page).getByText('2 selected').waitFor();
    await page.keyboard.press('Control+a');
    await expect.poll(async () => (await selected(page)).length).toBe((await names(page)).length);
    await page.keyboard.press('Escape');
    await bar(page).waitFor({ state: 'detached' });
  });

  it('works with the mouse, and one undo restores all that were removed, in their places', async () => {
    const page = await show();
    const before = await names(page);
    const [first = '', second = '', third = ''] = before;
    await page.getByRole('button', { name: first, exact: true }).click({ modifiers: ['Control'] });
    await page.getByRole('button', { name: third, exact: true }).click({ modifiers: ['Shift'] });
    await bar(page).getByText('3 selected').waitFor();
    await page.getByRole('button', { name: second, exact: true }).click({ modifiers: ['Control'] });
    await bar(page).getByRole('button', { name: 'Remove 2' }).click();
    await page.getByText('2 servers removed.').waitFor();
    await bar(page).waitFor({ state: 'detached' });
    expect(await names(page)).not.toContain(first);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => names(page)).toEqual(before);
    expect(await inputsOf(page, 'server.change')).toEqual([
      {
        changes: [
          { kind: 'remove', key: first },
          { kind: 'remove', key: third },
        ],
      },
    ]);
  });

  it('acts on what is shown only, and filters by tag', async () => {
    const page = await show();
    await page.locator('[data-row="0"]').focus();
    await page.keyboard.press('Control+a');
    await page.getByRole('combobox', { name: 'Tag' }).click();
    await page.getByRole('option', { name: 'work' }).click();
    await bar(page).getByText('1 selected').waitFor();
    expect(await names(page)).toEqual(['github']);
    await bar(page).getByRole('button', { name: 'Tags…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Tags of github' });
    await dialog.getByRole('combobox', { name: 'Tags' }).fill('daily');
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Save tags' }).click();
    await page.getByText('Tags of github saved.').waitFor();
    expect(await inputsOf(page, 'server.change')).toEqual([
      { changes: [{ kind: 'tags', key: 'github', tags: ['work', 'daily'] }] },
    ]);
  });
});
