import { describe, expect, it } from 'vitest';
import { openServer } from '../harness/screen.ts';
import { inputsOf, useStage } from '../harness/use-stage.ts';

/** Tests quarantined tools, with a fake hub. */
describe('the guard', () => {
  const open = useStage();

  it('[PB-SAFE-1] [PB-A11Y-1] shows a difference and takes the decision, by keyboard alone', async () => {
    const page = await open();
    const row = page
      .getByRole('row')
      .filter({ has: page.getByRole('button', { name: 'github', exact: true }) });
    await row.getByText('Needs review', { exact: true }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('Search commands, servers and tools').fill('review changed');
    await page.getByText('Review changed tools', { exact: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Review changed tools in “github”' }).waitFor();
    await page.getByText(', newest first').waitFor();

    await page.getByRole('button', { name: /^get_issues/ }).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByText('This looks like prompt injection').waitFor();
    await page.getByRole('button', { name: 'Block', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('merge_pull_request is blocked.', { exact: true }).waitFor();
    expect(await inputsOf(page, 'guard.decide')).toEqual([
      {
        serverKey: 'github',
        decision: 'block',
        tools: [{ name: 'merge_pull_request', digest: 'digest-of-merge_pull_request' }],
      },
    ]);
    await page.getByRole('button', { name: 'Undo' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Approve 2 without warnings' }).click();
    await page.getByRole('button', { name: 'Approve anyway' }).click();
    await page.getByText('Nothing to review').waitFor();
  });

  it('[PB-SAFE-1] is an option of a server in its form', async () => {
    const page = await open();
    await openServer(page, 'github', 'Config');
    await page.getByText('Asks when a change raises risk').click();
    await page.getByRole('combobox', { name: 'Tool changes' }).click();
    await page.getByRole('option', { name: 'Never ask' }).click();
    await page.locator('.cm-content', { hasText: '"guard": "off"' }).waitFor();
    await page.getByText('Tool review', { exact: true }).click();
    await page.getByText('Never asks', { exact: true }).waitFor();
  });
});
