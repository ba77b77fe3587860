import { describe, expect, it } from 'vitest';
import { stayingScreens } from '../harness/staying-screens.ts';
import { inputsOf, useStage } from '../harness/use-stage.ts';

/** Tests the question before quitting, and quitting. */
describe('a quit', () => {
  const open = useStage();
  const screen = (name: string) => stayingScreens.find((one) => one.name === name);

  it('[PB-APP-1] [PB-A11Y-1] asks before a quit; Escape stays, and the safe choice has the focus', async () => {
    const page = await open();
    await screen('quit')?.go?.(page);
    const dialog = page.getByRole('dialog', { name: 'Quit Patchbay?' });
    const safe = dialog.getByRole('button', { name: 'Keep running in the tray' });
    await expect.poll(() => safe.evaluate((button) => button === document.activeElement)).toBe(true);
    await dialog.getByText('chroma, for Cursor').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => dialog.count()).toBe(0);
    const plan = await page.evaluate(() => window.harness?.bridge.call('app.quitPlan', undefined));
    if (plan?.ok !== true) throw new Error('no plan');
    await page.evaluate(
      (value) => window.harness?.push('command.run', { kind: 'confirm-quit', plan: value }),
      plan.value,
    );
    await safe.click();
    await expect.poll(() => inputsOf(page, 'app.closeWindow')).toHaveLength(1);
    await expect.poll(() => dialog.count()).toBe(0);
    expect(await inputsOf(page, 'app.quit')).toEqual([]);
  });

  it('[PB-APP-1] [AG-US6-AC3] waits for active calls, shows them finish, and can be sped up', async () => {
    const page = await open();
    await screen('quit-draining')?.go?.(page);
    const dialog = page.getByRole('dialog');
    await page.keyboard.press('Escape');
    await expect.poll(() => dialog.getByRole('listitem').count()).toBe(3);
    await expect.poll(() => dialog.getByRole('listitem').count()).toBe(2);
    await dialog.getByRole('button', { name: 'Quit now' }).click();
    await expect.poll(() => inputsOf(page, 'app.quit')).toEqual([{ how: 'drain' }, { how: 'now' }]);
  });

  it('[PB-APP-1] [AG-US6-AC3] can be cancelled while waiting for the last calls', async () => {
    const page = await open();
    await screen('quit-draining')?.go?.(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Keep running' }).click();
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    expect(await inputsOf(page, 'app.stay')).toHaveLength(1);
  });

  it('[PB-APP-1] quits at once when nobody is connected', async () => {
    const page = await open({ scenario: 'alone' });
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('Search commands, servers and tools').fill('quit');
    await page.getByText('Quit Patchbay').click();
    await expect.poll(() => inputsOf(page, 'app.quit')).toEqual([{ how: 'now' }]);
    expect(await page.getByRole('dialog', { name: 'Quit Patchbay?' }).count()).toBe(0);
  });
});
