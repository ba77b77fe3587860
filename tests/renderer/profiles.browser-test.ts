import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openStage, type Stage } from './harness/browser.ts';
import { profileScreens } from './harness/profile-screens.ts';

const chromium = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** Profiles as the window shows them, over a made-up hub. Needs Chromium. */
describe('profiles', { timeout: 60_000 }, () => {
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

  async function show(scenario = 'rich', theme: 'light' | 'dark' = 'light') {
    const shown = await stage.open({ scenario, theme });
    open.add(shown.page);
    return shown;
  }

  const goTo = (page: Page, name: string) => profileScreens.find((one) => one.name === name)?.go?.(page);
  const inputs = (page: Page, name: string) =>
    page.evaluate(
      (wanted) => window.harness?.calls.filter((call) => call.name === wanted).map(({ input }) => input),
      name,
    );

  const looks = profileScreens.flatMap((screen) =>
    (['light', 'dark'] as const).map((theme) => ({ ...screen, theme })),
  );

  it.each(looks)(
    '[PB-A11Y-1] $name ($theme) is clean for axe and keeps to the content policy',
    async (look) => {
      const { page, errors } = await show(look.scenario, look.theme);
      await look.go?.(page);
      await page.waitForTimeout(250);
      const { violations } = await new AxeBuilder({ page })
        .exclude('[data-portal]:has([role="tooltip"])')
        .analyze();
      expect(violations).toEqual([]);
      expect(errors).toEqual([]);
    },
  );

  it('[AG-US7-AC1] [PB-A11Y-1] is made, named and filled by keyboard', async () => {
    const { page } = await show();
    await goTo(page, 'profiles');
    await page.getByRole('button', { name: 'New profile' }).focus();
    await page.keyboard.press('Enter');
    const name = page.getByLabel('Name of the profile');
    await expect.poll(() => name.inputValue()).toBe('New profile');
    await expect.poll(() => name.evaluate((field) => field === document.activeElement)).toBe(true);
    await page.keyboard.type('Research');
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Profile Research' }).waitFor();
    await page.getByRole('checkbox', { name: 'memory in Research' }).focus();
    await page.keyboard.press('Space');
    await page.getByText('all of it, new tools too').waitFor();
    await page.getByRole('button', { name: /^github/ }).focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('get_issues').focus();
    await page.keyboard.press('Space');
    await page.getByText('1 tool, no new ones').waitFor();
    expect(await inputs(page, 'profile.setTools')).toEqual([
      { name: 'Research', serverKey: 'github', names: ['get_issues'], on: true },
    ]);
  });

  it('[AG-US7-AC1] is changed in bulk by what is found', async () => {
    const { page } = await show();
    await goTo(page, 'profile-search');
    const dialog = page.getByRole('dialog', { name: /^Add \d+ tools? to Coding\?$/ });
    await page.getByRole('button', { name: /^Add \d+ tools?$/ }).click();
    await dialog.getByRole('button', { name: /^Add \d+ tools?$/ }).click();
    await page.getByText(/added to Coding/).waitFor();
    await page.getByRole('button', { name: /^Add \d+ tools?$/ }).waitFor({ state: 'detached' });
    const [, back] = await Promise.all([
      page.getByRole('button', { name: 'Undo' }).click(),
      page.getByRole('button', { name: /^Add \d+ tools?$/ }).waitFor(),
    ]);
    expect(back).toBeUndefined();
    expect(await inputs(page, 'profile.select')).toHaveLength(2);
  });

  it('[AG-US7-AC1] is deleted with the clients named that have it, and comes back', async () => {
    const { page } = await show();
    await goTo(page, 'profile-delete');
    await page.getByText('Cursor has this profile and would get everything without it.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('The profile Coding was deleted.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: /^Coding/ }).waitFor();
  });

  it('[AG-US7-AC1] is given to a client on its card', async () => {
    const { page } = await show();
    await page
      .getByRole('navigation')
      .getByRole('button', { name: /^Clients/ })
      .click();
    await page.getByRole('combobox', { name: 'Profile of Claude Desktop' }).click();
    await page.getByRole('option', { name: 'Profile Writing' }).click();
    await page.getByText('Claude Desktop gets Writing now.').waitFor();
    expect(await inputs(page, 'profile.assign')).toEqual([{ client: 'claude-ai', profile: 'Writing' }]);
  });

  it('[AG-US7-AC1] is chosen anew where a client has one that is gone', async () => {
    const { page } = await show();
    await page
      .getByRole('navigation')
      .getByRole('button', { name: /^Clients/ })
      .click();
    await page.evaluate(() => {
      const about = {
        id: 'x',
        name: 'claude-ai',
        title: 'Claude Desktop',
        version: '1',
        via: 'stdio',
      } as const;
      const state = { connectedAt: 0, nameStyle: 'safe', stale: false, listedTools: 0 } as const;
      const profile = { name: 'Gone', isKnown: false, isAsked: false };
      const client = { ...about, ...state, calls: 0, lastActiveAt: 0, profile };
      window.harness?.push('clients.changed', { clients: [client] });
    });
    await page.getByText('There is no profile Gone, so this client gets nothing.').waitFor();
    await page.getByRole('combobox', { name: 'Profile of Claude Desktop' }).click();
    await page.getByRole('option', { name: 'All servers and tools' }).click();
    expect(await inputs(page, 'profile.assign')).toEqual([{ client: 'claude-ai' }]);
  });
});
