import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { testerScreens } from '../harness/tester-screens.ts';
import { inputsOf, useStage } from '../harness/use-stage.ts';

/** Tests the tester under the real content policy. */
describe('the tester', () => {
  const open = useStage();

  async function show(name: string) {
    const screen = testerScreens.find((one) => one.name === name);
    const page = await open({ scenario: screen?.scenario ?? 'rich' });
    const errors: string[] = [];
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
    await screen?.go?.(page);
    return { page, errors };
  }

  /** Runs even if a required field is empty. */
  async function run(page: Page): Promise<string> {
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    const anyway = page.getByRole('button', { name: 'Run anyway' });
    if (await anyway.isVisible()) await anyway.click();
    return JSON.stringify((await inputsOf(page, 'tester.call')).at(-1) ?? '');
  }

  it('[AG-US4-AC4] refuses a number that it would round, and sends the one that is written in the JSON', async () => {
    const { page } = await show('tester-form-filled');
    expect(await run(page)).not.toMatch(/12345/);
    await page.getByText('JSON', { exact: true }).first().click();
    // Uses keys, as a person would: the editor may be redrawn between a selection from outside and the text.
    await page.locator('.cm-content').click();
    await page.keyboard.press('Control+A');
    await page.keyboard.insertText('{ "page": { "number": 12345678901234567890 }, "odd": 1.0 }');
    await page.getByText('Form', { exact: true }).click();
    await page.getByText('The form would round this number.').waitFor();
    await page.getByLabel(/^owner/).fill('ada');
    const sent = await run(page);
    for (const part of ['12345678901234567890', '\\"odd\\": 1.0', '\\"owner\\": \\"ada\\"'])
      expect(sent).toContain(part);
  });

  it('runs by keyboard, shows its progress, and is cancelled', async () => {
    const { page } = await show('tester-running');
    expect(await page.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('25');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Cancelled', { exact: true }).waitFor();
    await page.getByLabel(/^owner/).fill('ada');
    await page.getByLabel(/^repo/).fill('engine');
    await page.getByRole('button', { name: 'list_issues', exact: true }).focus();
    await page.keyboard.press('Control+Enter');
    await page.getByText('2 of 8: Reading the second page').waitFor();
    expect(await inputsOf(page, 'tester.call')).toHaveLength(2);
  });

  it('shows pictures and sound, and fetches nothing that an answer names', async () => {
    const media = await show('tester-media');
    await media.page.getByRole('img', { name: /Part 2/ }).waitFor();
    expect(await media.page.locator('audio').count()).toBe(1);
    expect(media.errors).toEqual([]);
    const { page, errors } = await show('tester-answer');
    await page.getByText('<script>alert(1)</script>').waitFor();
    expect(await page.locator('main img').count()).toBe(0);
    await page.getByText('90071992547409931').waitFor();
    await page.getByRole('button', { name: 'the list' }).click();
    expect(await inputsOf(page, 'app.openExternal')).toEqual([{ url: 'https://example.com/issues' }]);
    expect(errors).toEqual([]);
  });

  it('asks before it runs a disabled tool', async () => {
    const { page } = await show('tester');
    await page.evaluate(() => {
      const { tools = [] } = window.harness?.state ?? {};
      const off = tools
        .filter(({ serverKey }) => serverKey === 'github')
        .map((tool) => (tool.name === 'create_issues' ? { ...tool, enabled: false } : tool));
      window.harness?.push('tools.changed', { tools: { github: off } });
    });
    await page.getByText('off', { exact: true }).first().waitFor();
    await run(page);
    await page.getByText('create_issues is turned off').waitFor();
    expect(await inputsOf(page, 'tester.call')).toEqual([]);
    await page.getByRole('button', { name: 'Run once' }).click();
    await expect.poll(() => inputsOf(page, 'tester.call')).toMatchObject([{ evenIfOff: true }]);
  });
});
