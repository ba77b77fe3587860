import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openStage, type Stage } from './harness/browser.ts';
import { testerScreens } from './harness/tester-screens.ts';

const chromium = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** The tester in a real browser, under the real content policy, over a made-up hub. Needs Chromium. */
describe('the tester', { timeout: 120_000 }, () => {
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

  async function show(name: string) {
    const screen = testerScreens.find((one) => one.name === name);
    const shown = await stage.open({ scenario: screen?.scenario ?? 'rich' });
    open.add(shown.page);
    await screen?.go?.(shown.page);
    return shown;
  }

  const calls = async (page: Page, name: string) =>
    (await page.evaluate(
      (wanted) => window.harness?.calls.filter((call) => call.name === wanted).map((call) => call.input),
      name,
    )) as readonly { readonly arguments: string }[];
  const lastArguments = async (page: Page) => (await calls(page, 'tester.call')).at(-1)?.arguments ?? '';
  /** Also where something required is empty. */
  async function run(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    const anyway = page.getByRole('button', { name: 'Run anyway' });
    if (await anyway.isVisible()) await anyway.click();
  }

  it('[AG-US4-AC4] asks before it sends what lacks something that is required, and points it out', async () => {
    const { page } = await show('tester');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByText(/^Missing: .*owner/).waitFor();
    expect(await calls(page, 'tester.call')).toEqual([]);
    await page.getByRole('button', { name: 'Run anyway' }).click();
    await page.waitForFunction(() => window.harness?.calls.some(({ name }) => name === 'tester.call'));
  });

  it('[AG-US4-AC4] refuses a number that it would round, and sends the one that is written in the JSON', async () => {
    const { page } = await show('tester-form-filled');
    await run(page);
    expect(await lastArguments(page)).not.toMatch(/12345/);
    await page.getByText('JSON', { exact: true }).first().click();
    await page.locator('.cm-content').fill('{ "page": { "number": 12345678901234567890 }, "odd": 1.0 }');
    await page.getByText('Form', { exact: true }).click();
    await page.getByText('The form would round it.').waitFor();
    await page.getByLabel(/^owner/).fill('ada');
    await run(page);
    const sent = await lastArguments(page);
    for (const part of ['12345678901234567890', '"odd": 1.0', '"owner": "ada"']) expect(sent).toContain(part);
  });

  it('writes what is filled in into the JSON: lists, choices, members of members', async () => {
    const { page } = await show('tester');
    await page.getByRole('button', { name: 'Add to labels' }).click();
    await page.getByLabel('labels-1').fill('bug');
    await page.getByRole('button', { name: 'Add to labels' }).click();
    await page.getByLabel('labels-2').fill('ui');
    await page.getByRole('button', { name: 'Move item 2 up' }).click();
    await page.getByLabel('since').selectOption('nothing (null)');
    await page.getByLabel('sort').selectOption('custom');
    await page.getByLabel('field').fill('age');
    await page.getByRole('radiogroup', { name: 'descending' }).getByText('true').click();
    await page.getByLabel(/^number/).fill('7');
    await run(page);
    expect(JSON.parse(await lastArguments(page))).toEqual({
      state: 'open',
      labels: ['ui', 'bug'],
      since: null,
      page: { number: 7, size: 30 },
      sort: { field: 'age', descending: true },
    });
    await page.getByRole('button', { name: 'Remove item 1' }).click();
    await page.getByLabel('since').selectOption('not set');
    await page.getByLabel('state').selectOption('not set');
    await run(page);
    const sent = JSON.parse(await lastArguments(page)) as Record<string, unknown>;
    expect(sent.labels).toEqual(['bug']);
    expect(Object.keys(sent)).not.toContain('since');
    expect(Object.keys(sent)).not.toContain('state');
  });

  it('shows what the JSON says, and why a broken one is no form', async () => {
    const { page } = await show('tester-json');
    await page.locator('.cm-content').fill('{ "owner": "grace", "labels": ["a", "b"], "state": "closed" }');
    await page.getByText('Form', { exact: true }).click();
    expect(await page.getByLabel(/^owner/).inputValue()).toBe('grace');
    expect(await page.getByLabel('labels-2').inputValue()).toBe('b');
    expect(await page.getByLabel('state').locator('option:checked').textContent()).toBe('closed');
    await page.getByText('JSON', { exact: true }).first().click();
    await page.locator('.cm-content').fill('{ "owner": ');
    expect(await page.getByRole('radio', { name: 'Form' }).isDisabled()).toBe(true);
  });

  it('runs by keyboard, tells how far it is, and is cancelled', async () => {
    const { page } = await show('tester-running');
    expect(await page.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('25');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Cancelled', { exact: true }).waitFor();
    await page.getByLabel(/^owner/).fill('ada');
    await page.getByLabel(/^repo/).fill('engine');
    await page.getByRole('button', { name: 'list_issues', exact: true }).focus();
    await page.keyboard.press('Control+Enter');
    await page.getByText('2 of 8: Reading the second page').waitFor();
    expect(await calls(page, 'tester.call')).toHaveLength(2);
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
    expect(await calls(page, 'app.openExternal')).toEqual([{ url: 'https://example.com/issues' }]);
    expect(errors).toEqual([]);
  });

  it('asks before it runs what is turned off', async () => {
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
    expect(await calls(page, 'tester.call')).toEqual([]);
    await page.getByRole('button', { name: 'Run once' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).waitFor();
    expect(await calls(page, 'tester.call')).toMatchObject([{ evenIfOff: true }]);
  });

  it('answers what a server asks, as it was filled in', async () => {
    const { page } = await show('tester-question');
    await page.getByRole('dialog').getByRole('button', { name: 'Send' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const [reply] = (await calls(page, 'tester.reply')) as unknown as readonly { reply: { text: string } }[];
    expect(JSON.parse(reply?.reply.text ?? '')).toEqual({
      action: 'accept',
      content: { branch: 'main', squash: true },
    });
  });

  it.each(testerScreens.map(({ name }) => name))('[PB-A11Y-1] is clear of axe findings: %s', async (name) => {
    const { page, errors } = await show(name);
    const { violations } = await new AxeBuilder({ page })
      .exclude('[data-portal]:has([role="tooltip"])')
      .analyze();
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ target }) => target)])).toEqual([]);
    expect(errors).toEqual([]);
  });
});
