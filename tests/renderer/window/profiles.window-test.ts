import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { profileScreens } from '../harness/profile-screens.ts';
import { inputsOf, useStage } from '../harness/use-stage.ts';

/** Tests profiles, with a fake hub. */
describe('profiles', () => {
  const open = useStage();
  const goTo = (page: Page, name: string) => profileScreens.find((one) => one.name === name)?.go?.(page);

  it('[AG-US7-AC1] [PB-A11Y-1] is made, named and filled by keyboard', async () => {
    const page = await open();
    await goTo(page, 'profiles');
    await page.getByRole('button', { name: 'New profile' }).focus();
    await page.keyboard.press('Enter');
    const name = page.getByLabel('Profile name');
    await expect.poll(() => name.inputValue()).toBe('New profile');
    await expect.poll(() => name.evaluate((field) => field === document.activeElement)).toBe(true);
    await page.keyboard.type('Research');
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Profile Research' }).waitFor();
    await page.getByRole('checkbox', { name: 'memory in Research' }).focus();
    await page.keyboard.press('Space');
    await page.getByText('all tools, including new ones').waitFor();
    await page.getByRole('button', { name: /^github/ }).focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('get_issues').focus();
    await page.keyboard.press('Space');
    await page.getByText('1 tool, no new ones').waitFor();
    expect(await inputsOf(page, 'profile.setTools')).toEqual([
      { name: 'Research', serverKey: 'github', names: ['get_issues'], on: true },
    ]);
  });

  it('[AG-US7-AC1] is deleted with the clients named that have it, and comes back', async () => {
    const page = await open();
    await goTo(page, 'profile-delete');
    await page.getByText('Cursor uses this profile and will get all servers and tools without it.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('The profile Coding was deleted.').waitFor();
    const coding = page.getByRole('button', { name: /^Coding/ });
    await coding.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await coding.waitFor();
  });
});
