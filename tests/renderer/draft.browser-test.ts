import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type OpenOptions, openStage, type Stage } from './harness/browser.ts';
import { draftScreens } from './harness/draft-screens.ts';
import { editFile, openServer } from './harness/screen.ts';

const chromium = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** Unsaved changes while the file changes too, in a real browser over a made-up hub. Needs Chromium. */
describe('a draft and the file', { timeout: 60_000 }, () => {
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

  async function show(options: OpenOptions) {
    const shown = await stage.open(options);
    open.add(shown.page);
    return shown;
  }

  const calls = (page: Page, name: string) =>
    page.evaluate(
      (wanted) => window.harness?.calls.filter((call) => call.name === wanted).map((call) => call.input),
      name,
    );

  it('[PB-CFG-2] follows the file while nothing is unsaved, and keeps both sides of changes to other fields', async () => {
    const { page } = await show({ scenario: 'rich' });
    await openServer(page, 'github', 'Config');
    await editFile(page, 'github', (text) => text.replace('"npx"', '"by-hand"'));
    const command = page.getByLabel('Command', { exact: true });
    await expect.poll(() => command.inputValue()).toBe('by-hand');
    await page.getByLabel('Working folder').fill('/mine');
    await editFile(page, 'github', (text) => text.replace('"by-hand"', '"by-hand-again"'));
    await page.getByText('The file has changed too; saving brings both together.').waitFor();
    await page.keyboard.press('Control+s');
    await page.getByText('github was saved.').waitFor();
    await expect.poll(() => command.inputValue()).toBe('by-hand-again');
    expect(await page.getByLabel('Working folder').inputValue()).toBe('/mine');
    await page.getByText('No changes').waitFor();
  });

  it('[PB-CFG-2] asks which value stays when a field changed on both sides, and saves nothing before', async () => {
    const { page } = await show({ scenario: 'rich' });
    await draftScreens.find((screen) => screen.name === 'draft-conflict')?.go?.(page);
    const dialog = page.getByRole('dialog', { name: 'github was changed in the file too' });
    const cells = () => dialog.getByRole('row', { name: /^(command|env)/ }).allInnerTexts();
    expect((await cells()).join(' ')).not.toContain('ghp_');
    await dialog.getByRole('button', { name: 'Reveal values' }).click();
    expect((await cells()).join(' ')).toMatch(/ghp_mine.*ghp_byhand/s);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await page.evaluate(() => window.harness?.text('github'))).toContain('ghp_byhand');
    await page.getByText('Unsaved changes').waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await dialog.getByRole('button', { name: 'Take the file’s' }).click();
    await dialog.waitFor({ state: 'detached' });
    const command = page.getByLabel('Command', { exact: true });
    await expect.poll(() => command.inputValue()).toBe('/usr/local/bin/npx');
    expect(await calls(page, 'server.saveText')).toHaveLength(3);
  });

  it('saves again while the message of the last save still stands', async () => {
    const { page } = await show({ scenario: 'rich', size: { width: 900, height: 600 } });
    await openServer(page, 'github', 'Config');
    for (const command of ['bunx', 'deno']) {
      await page.getByLabel('Command', { exact: true }).fill(command);
      await page.getByRole('button', { name: 'Save', exact: true }).click({ timeout: 3_000 });
      await page.getByText('github was saved.').first().waitFor();
    }
    expect(await calls(page, 'server.saveText')).toHaveLength(2);
  });

  it('[PB-CFG-2] keeps the changes to a server that was removed meanwhile, and adds it again', async () => {
    const { page } = await show({ scenario: 'rich' });
    await draftScreens.find((screen) => screen.name === 'draft-gone')?.go?.(page);
    expect(await page.getByRole('button', { name: 'github', exact: true }).count()).toBe(0);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'github', exact: true }).waitFor();
    await page.getByText('was removed from the config file').waitFor({ state: 'detached' });
    expect(await page.evaluate(() => window.harness?.text('github'))).toMatch(/added by hand[\s\S]*bunx/);
  });
});
