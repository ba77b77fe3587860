import { describe, expect, it } from 'vitest';
import { openServer } from '../harness/screen.ts';
import { inputsOf, useStage } from '../harness/use-stage.ts';

/** Tests a server’s page, with a fake hub. */
describe('the page of a server', () => {
  const open = useStage();

  it('[PB-PROC-1] shows the tree of each client’s own processes, folds it by keyboard, and samples only while seen', async () => {
    const page = await open();
    await openServer(page, 'chroma');
    const table = page.getByRole('region', { name: 'Processes' }).getByRole('table');
    await expect.poll(() => table.getByRole('row').count()).toBe(4);
    const first = table.getByRole('button').first();
    expect(await first.getAttribute('aria-expanded')).toBe('false');
    await first.focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => table.getByRole('row').count()).toBe(6);
    await table.getByRole('button', { name: /^Child processes of sh/ }).click();
    await expect.poll(() => table.getByRole('row').count()).toBe(5);
    await page.getByRole('tab', { name: 'Log' }).click();
    await expect.poll(async () => (await inputsOf(page, 'process.watch')).at(-1)).toEqual({ on: false });
    await page.getByRole('tab', { name: 'Overview' }).click();
    await expect.poll(async () => (await inputsOf(page, 'process.watch')).at(-1)).toEqual({ on: true });
  });

  it('[AG-US5-AC7] reads the history span by span from the keyboard, checks now, and stops following when left', async () => {
    const page = await open();
    await openServer(page, 'slack');
    const chart = page.getByRole('slider', { name: /^Health over the last 30 minutes/ });
    await chart.focus();
    await page.keyboard.press('Home');
    expect(await chart.getAttribute('aria-valuetext')).toMatch(/answers in \d+ ms/);
    await page.keyboard.press('End');
    expect(await chart.getAttribute('aria-valuetext')).toMatch(/answers in 1\.\d s, \d+ calls, \d failed/);
    const health = page.getByRole('region', { name: 'Health', exact: true });
    await health.getByText('1 of 3').waitFor();
    await health.getByRole('button', { name: 'Check now' }).click();
    await health.getByText('1 of 3').waitFor({ state: 'detached' });
    await page.getByRole('tab', { name: 'Log' }).click();
    await expect.poll(() => inputsOf(page, 'server.unwatchHealth')).toEqual([{ key: 'slack' }]);
  });

  it('[PB-A11Y-1] shows the Markdown of a tool’s description', async () => {
    const page = await open();
    await openServer(page, 'github', 'Tools');
    await page.getByRole('button', { name: 'create_issues', exact: true }).click();
    const description = page.getByRole('region', { name: 'Tool create_issues' });
    await description.locator('strong', { hasText: 'Needs write access' }).waitFor();
    expect(await description.getByText('**').count()).toBe(0);
  });
});
