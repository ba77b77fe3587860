import { describe, expect, it } from 'vitest';
import { openView } from '../harness/screen.ts';
import { openSkills } from '../harness/search-screens.ts';
import { hasFocus, inputsOf, useStage } from '../harness/use-stage.ts';

/** Tests the window by keyboard alone, with a fake hub. */
describe('the keyboard', () => {
  const show = useStage();

  it('[PB-A11Y-1] is used from the keyboard alone: add a server, open it, leave it, remove it, undo', async () => {
    const page = await show({ scenario: 'empty' });
    await page.keyboard.press('n');
    await page.getByRole('dialog', { name: 'Add server' }).waitFor();
    await page.keyboard.type('{"files": {"command": "npx server-files"}}');
    await page.getByText('Found 1 server').waitFor();
    await page.keyboard.press('Control+Enter');
    await page.getByRole('heading', { name: 'files' }).waitFor();
    expect(await inputsOf(page, 'import.add')).toMatchObject([{ entries: [{ id: '0', key: 'files' }] }]);
    await page.getByText('Connected', { exact: true }).first().waitFor();
    await page.keyboard.press('Delete');
    await page.getByText('One plug for all your MCP servers').waitFor();
    await page.keyboard.press('Control+z');
    await page.getByRole('button', { name: 'files', exact: true }).waitFor();
    await page.keyboard.press('Control+5');
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
  });

  it('[PB-A11Y-1] moves through lists with arrow keys and back with Escape', async () => {
    const page = await show();
    const second = (await page.locator('[data-row="1"]').textContent()) ?? '';
    await page.keyboard.press('/');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: second, level: 2 }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { name: second, level: 2 }).waitFor({ state: 'detached' });
    for (const typed of ['', 'github log']) {
      await page.keyboard.press('Control+k');
      await page.getByPlaceholder('Search commands, servers and tools').fill(typed);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
  });

  it('[PB-A11Y-1] sends keys typed before the palette has been loaded only to it', async () => {
    const page = await show();
    await page.getByRole('button', { name: 'Add server' }).first().focus();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('github rx');
    await page.keyboard.press('Backspace');
    await page.keyboard.type('estart');
    const field = page.getByPlaceholder('Search commands, servers and tools');
    await expect.poll(() => field.inputValue()).toBe('github restart');
    await page.getByText('github: restart').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(1);
  });

  it('[PB-A11Y-1] Escape closes the front element, and the focus returns to where it was', async () => {
    const page = await show();
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('placeholder'));
    const add = page.getByRole('button', { name: 'Add server' }).first();
    await add.focus();
    await page.keyboard.press('Enter');
    await page.getByText('Form', { exact: true }).click();
    await page.getByText('Advanced').click();
    await page.getByLabel('Working folder').focus();
    await page.keyboard.press('Control+k');
    await expect.poll(focused).toBe('Search commands, servers and tools');
    await page.keyboard.press('Escape');
    await expect.poll(focused).toBe('Optional');
    await page.getByRole('dialog', { name: 'Command palette' }).waitFor({ state: 'detached' });
    await page.getByRole('dialog', { name: 'Add server' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => add.evaluate(hasFocus)).toBe(true);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('keyboard shortcuts');
    await page.getByText('Keyboard shortcuts', { exact: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => add.evaluate(hasFocus)).toBe(true);
  });

  it('[PB-A11Y-1] the focus moves to a view opened from within another one', async () => {
    const page = await show();
    await page.getByRole('button', { name: 'filesystem', exact: true }).focus();
    await page.keyboard.press('Control+5');
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
    await expect.poll(() => page.locator('main').evaluate(hasFocus)).toBe(true);
    await page.keyboard.press('Tab');
    const inMain = () => page.evaluate(() => document.activeElement?.closest('main')?.id);
    expect(await inMain()).toBe('content');
  });

  it('[PB-A11Y-1] the focus stays with the server whose page opens and closes, and at its position when it is removed', async () => {
    const page = await show();
    const row = (name: string) => page.getByRole('button', { name, exact: true });
    const names = await page.locator('main [data-row]').allTextContents();
    const [next = '', afterNext = ''] = names.slice(names.indexOf('filesystem') + 1);
    await row('filesystem').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'filesystem', level: 2 }).waitFor();
    await expect.poll(() => row('filesystem').evaluate(hasFocus)).toBe(true);
    await page.getByRole('tab', { name: 'Overview' }).focus();
    await page.keyboard.press('Escape');
    await expect.poll(() => row('filesystem').evaluate(hasFocus)).toBe(true);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'filesystem', level: 2 }).waitFor();
    await page.keyboard.press('Delete');
    await row('filesystem').waitFor({ state: 'detached' });
    await expect.poll(() => row(next).evaluate(hasFocus)).toBe(true);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: `Actions for ${next}` }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Remove', exact: true }).press('Enter');
    await row(next).waitFor({ state: 'detached' });
    await expect.poll(() => row(afterNext).evaluate(hasFocus)).toBe(true);
  });

  it('[PB-A11Y-1] closing a page returns the focus to its row', async () => {
    const page = await show();
    await openView(page, 'Activity');
    const line = page.locator('[data-row="2"]');
    await line.focus();
    await page.keyboard.press('Enter');
    await page
      .getByRole('region', { name: /^Details of/ })
      .getByRole('button', { name: 'Close' })
      .press('Enter');
    await expect.poll(() => line.evaluate(hasFocus)).toBe(true);
  });

  it('[PB-A11Y-1] the focus stays at its position in the list when a tool is moved away', async () => {
    const page = await show();
    await openSkills(page);
    await page
      .getByRole('button', { name: /^Actions for/ })
      .first()
      .focus();
    const [moved = '', next = ''] = await page
      .getByRole('list', { name: 'Tools of this skill' })
      .locator('[data-row]')
      .allInnerTexts();
    await page.keyboard.press('Enter');
    const move = page.getByRole('menuitem', { name: 'Move to skill…' });
    await expect.poll(() => move.evaluate(hasFocus)).toBe(true);
    expect(await page.getByRole('menu').locator('> :not([role="menuitem"])').count()).toBe(0);
    await page.keyboard.press('Enter');
    await page.getByLabel('Skill', { exact: true }).fill('web brows');
    await page.keyboard.press('Enter');
    await page.getByText(`${moved} is now under Web browsing.`).waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe(next);
  });

  it('[AG-US3-AC2] moves a tool by keyboard, undoes it, and moves it again by dragging', async () => {
    const page = await show();
    await openSkills(page);
    await page.getByRole('button', { name: 'Actions for list_issues of github' }).focus();
    await page.keyboard.press('Enter');
    const move = page.getByRole('menuitem', { name: 'Move to skill…' });
    await expect.poll(() => move.evaluate(hasFocus)).toBe(true);
    await page.keyboard.press('Enter');
    await page.getByLabel('Skill', { exact: true }).fill('messages');
    await page.keyboard.press('Enter');
    await page.getByText('list_issues is now under Messages and mail.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    const tool = { serverKey: 'github', name: 'list_issues' };
    await expect.poll(() => inputsOf(page, 'skill.release')).toEqual([tool]);

    const line = page
      .getByRole('list', { name: 'Tools of this skill' })
      .getByRole('listitem')
      .filter({ has: page.getByRole('button', { name: 'Actions for list_issues of github' }) });
    await line.dragTo(page.getByRole('button', { name: /^Files and folders/ }));
    await page.getByText('list_issues is now under Files and folders.').waitFor();
    expect(await inputsOf(page, 'skill.correct')).toEqual([
      { ...tool, skills: ['messaging'] },
      { ...tool, skills: ['files'] },
    ]);
  });
});
