import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type OpenOptions, openStage, type Stage } from './harness/browser.ts';
import { openServer } from './harness/screen.ts';
import { stayingScreens } from './harness/staying-screens.ts';

const chromium = process.env.CHROMIUM ?? '/usr/bin/chromium';

const screen = (name: string) => stayingScreens.find((one) => one.name === name);
const looked = [
  'server-asleep',
  'server-per-client',
  'server-health-bad',
  'server-keeps-failing',
  'server-command-pinned',
  'server-command-missing',
  'server-update-failed',
  'server-updated-large',
  'config-options',
  'config-trial-failed',
  'quit',
  'quit-draining',
];

/** Servers that stay up, end when told and never leak, as the window shows it; over a made-up hub. Needs Chromium. */
describe('the life of servers', { timeout: 60_000 }, () => {
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

  async function show(options: OpenOptions = { scenario: 'rich' }) {
    const shown = await stage.open(options);
    open.add(shown.page);
    return shown;
  }

  const calls = (page: Page, name: string) =>
    page.evaluate(
      (wanted) => window.harness?.calls.filter((call) => call.name === wanted).map((call) => call.input),
      name,
    );

  it.each(looked.flatMap((name) => (['light', 'dark'] as const).map((theme) => [name, theme] as const)))(
    '[PB-A11Y-1] %s (%s) is clean for axe and keeps to the content policy',
    async (name, theme) => {
      const { page, errors } = await show({ scenario: 'rich', theme });
      await screen(name)?.go?.(page);
      await page.waitForTimeout(250);
      const { violations } = await new AxeBuilder({ page })
        .exclude('[data-portal]:has([role="tooltip"])')
        .analyze();
      expect(violations.map(({ id, nodes }) => `${id} ${nodes[0]?.target}`)).toEqual([]);
      expect(errors).toEqual([]);
    },
  );

  it('[PB-PROC-1] shows the tree of each client’s own processes, folds it by keyboard, and samples only while seen', async () => {
    const { page } = await show();
    await openServer(page, 'chroma');
    const table = page.getByRole('region', { name: 'Processes' }).getByRole('table');
    await expect.poll(() => table.getByRole('row').count()).toBe(4);
    const first = table.getByRole('button').first();
    expect(await first.getAttribute('aria-expanded')).toBe('false');
    await first.focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => table.getByRole('row').count()).toBe(6);
    await table.getByRole('button', { name: /^Processes below sh/ }).click();
    await expect.poll(() => table.getByRole('row').count()).toBe(5);
    await page.getByRole('tab', { name: 'Log' }).click();
    await expect.poll(async () => (await calls(page, 'process.watch'))?.at(-1)).toEqual({ on: false });
    await page.getByRole('tab', { name: 'Overview' }).click();
    await expect.poll(async () => (await calls(page, 'process.watch'))?.at(-1)).toEqual({ on: true });
  });

  it('[AG-US5-AC7] reads the history span by span from the keyboard, checks now, and stops following when left', async () => {
    const { page } = await show();
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
    await health.getByText('just now').waitFor();
    expect(await health.getByText('1 of 3').count()).toBe(0);
    await page.getByRole('tab', { name: 'Log' }).click();
    await expect.poll(() => calls(page, 'server.unwatchHealth')).toEqual([{ key: 'slack' }]);
  });

  it('[PB-DEMAND-1] puts a server to sleep from its menu and wakes it from its page', async () => {
    const { page } = await show();
    await page.getByRole('button', { name: 'Actions for memory' }).click();
    await page.getByRole('menuitem', { name: 'Put to sleep' }).click();
    const row = page.getByRole('row', { name: /memory/ });
    await row.getByText('Asleep').waitFor();
    await page
      .getByText(/3 asleep/)
      .first()
      .waitFor();
    await openServer(page, 'memory');
    const note = page.getByText('Asleep, 115 MB saved', { exact: true });
    await note.waitFor();
    await page.getByRole('button', { name: 'Wake', exact: true }).click();
    await page.getByRole('heading', { name: 'memory' }).waitFor();
    await expect.poll(() => calls(page, 'server.restart')).toEqual([{ key: 'memory' }]);
    await expect.poll(() => note.count()).toBe(0);
  });

  it('explains a command, pins another file, takes it back, and reads the environment again', async () => {
    const { page } = await show();
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('Search commands, servers and tools').fill('github which program');
    await page.getByText('github: where does this run from').click();
    const panel = page.getByRole('region', { name: 'Which version runs', exact: true });
    const chosen = panel.locator('li[data-chosen="true"]');
    await chosen.getByText('.nvm/versions/node/v22.11.0/bin/npx').waitFor();
    await panel.getByRole('button', { name: 'Use this one: /usr/bin/npx' }).click();
    await chosen.getByText('/usr/bin/npx').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await chosen.getByText('.nvm/versions').first().waitFor();
    await panel.getByText('8 folders searched').click();
    await panel.getByText('well known, missing').first().waitFor();
    await panel.getByRole('button', { name: 'Reload' }).click();
    await page.getByText('Changed: PATH and NVM_BIN.').waitFor();
    expect(await calls(page, 'server.setCommand')).toEqual([
      { key: 'github', command: '/usr/bin/npx' },
      { key: 'github', command: 'npx' },
    ]);
  });

  it('[PB-CFG-1] tries a config before it is saved, and tells what the saved one does to the tools', async () => {
    const { page } = await show();
    await screen('config-trial-large')?.go?.(page);
    expect(await calls(page, 'server.saveText')).toEqual([]);
    const outcome = page.getByRole('region', { name: 'Outcome' });
    await outcome.getByRole('button', { name: 'and 938 more' }).click();
    await expect.poll(() => outcome.getByRole('listitem').count()).toBe(962);
    await page.getByLabel('Argument 2', { exact: true }).fill('@modelcontextprotocol/server-github@2');
    await expect.poll(() => outcome.count()).toBe(0);
    await page.keyboard.press('Control+s');
    await outcome.getByText('Starting the new config beside the old one…').waitFor();
    await outcome.getByText('The new config serves: 2 tools added, 1 removed, 1 changed.').waitFor();
    await outcome.getByRole('button', { name: 'Dismiss' }).click();
    await expect.poll(() => outcome.count()).toBe(0);
  });

  it('[PB-CFG-1] leaves it to the user what becomes of a config that did not start', async () => {
    const { page } = await show();
    await openServer(page, 'notion');
    const card = page.getByRole('region', { name: /^Problem: The new config was not taken over/ });
    await card.getByRole('button', { name: 'Use the new one anyway' }).click();
    await expect.poll(() => calls(page, 'server.forceUpdate')).toEqual([{ key: 'notion' }]);
    await expect.poll(() => card.count()).toBe(0);
  });

  it('[PB-DEMAND-1] [PB-ISO-1] writes every option of a server from its field', async () => {
    const { page } = await show();
    await screen('config-options')?.go?.(page);
    await page.getByText('Once for each client', { exact: true }).click();
    await page.getByLabel('At most at one time').fill('5');
    await page.getByLabel('After how many minutes without a call').fill('3');
    await page.getByLabel('Health URL').fill('http://127.0.0.1:8080/healthz');
    await page.getByLabel('Check every').fill('60');
    await page.getByLabel('Answer within').fill('2');
    await page.getByLabel('Calls at one time').fill('4');
    await page.keyboard.press('Control+s');
    await page.getByText('github was saved.').waitFor();
    const [saved] = (await calls(page, 'server.saveText')) as { readonly text: string }[];
    const { patchbay } = JSON.parse(String(saved?.text).replace(/\/\/.*/, ''));
    expect(patchbay).toEqual({
      start: 'on-demand',
      idleStop: 180_000,
      isolation: 'per-client',
      maxInstances: 5,
      healthCheckUrl: 'http://127.0.0.1:8080/healthz',
      healthInterval: 60_000,
      healthTimeout: 2_000,
      concurrency: 4,
      fallback: { search_issues: ['linear:list_issues', 'brave-search:web_search'] },
    });
  });

  it('[PB-APP-1] [PB-A11Y-1] asks before a quit; Escape stays, and the safe choice has the focus', async () => {
    const { page } = await show();
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
    await expect.poll(() => calls(page, 'app.closeWindow')).toHaveLength(1);
    await expect.poll(() => dialog.count()).toBe(0);
    expect(await calls(page, 'app.quit')).toEqual([]);
  });

  it('[PB-APP-1] [AG-US6-AC3] waits for the calls under way, shows them end, and can be hurried', async () => {
    const { page } = await show();
    await screen('quit-draining')?.go?.(page);
    const dialog = page.getByRole('dialog');
    await page.keyboard.press('Escape');
    await expect.poll(() => dialog.getByRole('listitem').count()).toBe(3);
    await expect.poll(() => dialog.getByRole('listitem').count(), { timeout: 10_000 }).toBe(2);
    await dialog.getByRole('button', { name: 'Quit now' }).click();
    await expect.poll(() => calls(page, 'app.quit')).toEqual([{ how: 'drain' }, { how: 'now' }]);
  });

  it('[PB-APP-1] [AG-US6-AC3] can be called off while the last calls are waited for', async () => {
    const { page } = await show();
    await screen('quit-draining')?.go?.(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Keep running' }).click();
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    expect(await calls(page, 'app.stay')).toHaveLength(1);
  });

  it('[PB-APP-1] quits at once when nobody is connected', async () => {
    const { page } = await show({ scenario: 'alone' });
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('Search commands, servers and tools').fill('quit');
    await page.getByText('Quit Patchbay').click();
    await expect.poll(() => calls(page, 'app.quit')).toEqual([{ how: 'now' }]);
    expect(await page.getByRole('dialog', { name: 'Quit Patchbay?' }).count()).toBe(0);
  });
});
