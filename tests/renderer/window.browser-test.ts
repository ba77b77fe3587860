import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type OpenOptions, openStage, type Stage } from './harness/browser.ts';
import { openServer, openView } from './harness/screen.ts';
import { screens } from './harness/screens.ts';

const chromium = process.env.CHROMIUM ?? '/usr/bin/chromium';
const looked = [
  'servers',
  'servers-empty',
  'hub-problems',
  'link-lost',
  'server-failed',
  'server-needs-auth',
  'sign-in-waiting',
  'sign-in-failed',
  'server-tool-schema',
  'server-log-search',
  'server-config-error',
  'add-form-remote',
  'draft-conflict-revealed',
  'draft-gone',
  'server-degraded',
  'add-paste',
  'palette',
  'tools',
  'activity',
  'clients',
  'settings-error',
];

/** The window in a real browser, under the real content policy, over a made-up hub. Needs Chromium. */
describe('the window', { timeout: 60_000 }, () => {
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

  it('[NFR-SEC3] signs in from the list, waits, can be cancelled, and signs out', async () => {
    const { page } = await show({ scenario: 'rich' });
    await page.getByRole('button', { name: 'Sign in: linear' }).click();
    expect(await calls(page, 'server.signIn')).toEqual([{ key: 'linear' }]);
    await openServer(page, 'linear');
    const notice = page.getByRole('region', { name: 'Sign-in' });
    await notice.getByText('Waiting for the browser…').waitFor();
    await notice.getByRole('button', { name: 'Start again' }).click();
    await notice.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    await page.evaluate(() =>
      window.harness?.changeServer('linear', {
        status: 'connected',
        auth: { signedIn: true, pending: false },
      }),
    );
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('You are signed out of linear.').waitFor();
    expect(await calls(page, 'server.signOut')).toHaveLength(2);
  });

  it.each(looked.flatMap((name) => (['light', 'dark'] as const).map((theme) => [name, theme] as const)))(
    '[PB-A11Y-1] %s (%s) is clean for axe and keeps to the content policy',
    async (name, theme) => {
      const screen = screens.find((one) => one.name === name);
      const { page, errors } = await show({ scenario: screen?.scenario ?? 'rich', theme });
      await screen?.go?.(page);
      await page.waitForTimeout(250);
      const { violations } = await new AxeBuilder({ page })
        .exclude('[data-portal]:has([role="tooltip"])')
        .analyze();
      expect(violations.map(({ id, nodes }) => `${id} ${nodes[0]?.target}`)).toEqual([]);
      expect(errors).toEqual([]);
    },
  );

  it('runs commands from the palette', async () => {
    const { page } = await show({ scenario: 'rich' });
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('Search commands, servers and tools').fill('memory restart');
    await page.getByText('memory: restart').waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => calls(page, 'server.restart')).toEqual([{ key: 'memory' }]);
  });

  it('[PB-CFG-1] keeps form and JSON in step, guards unsaved changes, and saves the text with its comments', async () => {
    const { page } = await show({ scenario: 'rich' });
    await openServer(page, 'github', 'Config');
    const editor = page.locator('.cm-content');
    await page.getByLabel('Command', { exact: true }).fill('bunx');
    await expect.poll(() => editor.textContent()).toContain('"command": "bunx"');
    await editor.click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.type('"cwd": "/srv", ');
    await expect.poll(() => page.getByLabel('Working folder').inputValue()).toBe('/srv');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+2');
    await page.getByRole('dialog', { name: 'Save the changes to github?' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+s');
    await page.getByText('github was saved.').waitFor();
    expect(JSON.stringify(await calls(page, 'server.saveText'))).toContain('// added by hand');
  });

  it('[PB-CFG-1] takes a command line apart that was typed as the command', async () => {
    const { page } = await show({ scenario: 'rich' });
    await openServer(page, 'github', 'Config');
    const command = page.getByLabel('Command', { exact: true });
    await command.fill('npx -y "two words"');
    await page.getByLabel('Working folder').focus();
    await expect.poll(() => command.inputValue()).toBe('npx');
    await expect.poll(() => page.locator('.cm-content').textContent()).toMatch(/"-y",\s*"two words"/);
  });

  it('puts a server that does not say what it offers under Attention, with the reason', async () => {
    const { page } = await show({ scenario: 'rich' });
    await screens.find((screen) => screen.name === 'servers-degraded')?.go?.(page);
    await page
      .getByRole('row', { name: /memory/ })
      .getByText('did not answer tools/list')
      .waitFor();
  });

  it.each([
    ['add-form', 'Add server'],
    ['add-paste', 'Add server'],
    ['unsaved-changes', 'Save the changes to github?'],
    ['shortcuts', 'Keyboard shortcuts'],
    ['palette', 'Command palette'],
  ])('[PB-A11Y-1] names the dialog of %s', async (name, title) => {
    const { page } = await show({ scenario: 'rich' });
    await screens.find((screen) => screen.name === name)?.go?.(page);
    await page.getByRole('dialog', { name: title, exact: true }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(1);
  });

  it('hides secrets in the form and in the JSON until they are revealed', async () => {
    const { page } = await show({ scenario: 'rich' });
    await openServer(page, 'github', 'Config');
    const value = page.getByLabel('Value of API_TOKEN');
    expect(await value.getAttribute('type')).toBe('password');
    expect(await page.getByLabel('Value of HOME_DIR').getAttribute('type')).toBe('text');
    await page.getByRole('button', { name: 'Reveal', exact: true }).click();
    expect(await value.getAttribute('type')).toBe('text');
    await page.locator('.cm-content').waitFor();
    const hidden = page.locator('.cm-line', { hasText: 'API_TOKEN' }).locator('[class*=secret]');
    expect(await hidden.count()).toBeGreaterThan(0);
    await page.getByRole('button', { name: 'Reveal values' }).click();
    await expect.poll(() => hidden.count()).toBe(0);
  });

  it('draws only what is on screen of 50 servers and 10,000 tools', async () => {
    const { page } = await show({ scenario: 'many' });
    expect(await page.getByRole('row').count()).toBeLessThan(40);
    await openView(page, 'Tools');
    expect(await page.locator('main li').count()).toBeLessThan(60);
    await page.getByLabel('Search name, description or server').fill('server-37 merge pull_request');
    await page.getByText('2 matches', { exact: true }).waitFor();
  });

  it('switches all tools of a server from its head, and shows when they differ', async () => {
    const { page } = await show({ scenario: 'rich' });
    await openView(page, 'Tools');
    const head = page.getByRole('checkbox', { name: 'All 51 tools of github' });
    expect(await head.getAttribute('aria-checked')).toBe('mixed');
    await head.click();
    await expect.poll(() => head.getAttribute('aria-checked')).toBe('true');
    await head.click();
    await expect.poll(() => head.getAttribute('aria-checked')).toBe('false');
  });

  it('samples memory only while servers are on screen', async () => {
    const { page } = await show({ scenario: 'rich' });
    await page.getByText(/\d MB/).first().waitFor();
    await openView(page, 'Clients');
    await expect.poll(() => calls(page, 'process.watch')).toEqual([{ on: true }, { on: false }]);
  });

  it('follows commands from outside and marks its first list', async () => {
    const { page } = await show({ scenario: 'rich' });
    await page.evaluate(() => window.harness?.push('command.run', { kind: 'open-server', key: 'postgres' }));
    await page.getByRole('heading', { name: 'postgres', level: 2 }).waitFor();
    expect(await page.evaluate(() => performance.getEntriesByName('patchbay:first-list').length)).toBe(1);
  });

  it('adds what is ticked of pasted servers, renamed where the name is taken', async () => {
    const { page } = await show({ scenario: 'rich' });
    await screens.find((screen) => screen.name === 'add-paste')?.go?.(page);
    await page.getByRole('button', { name: 'Add 2 servers' }).click();
    await page.getByText('Added github-2 and brave-search.').waitFor();
    expect(JSON.stringify(await calls(page, 'import.add'))).toMatch(/github-2.*brave-search/);
  });
});
