import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openStage, type Stage } from './harness/browser.ts';
import { openView } from './harness/screen.ts';
import { openSkills, search, searchScreens } from './harness/search-screens.ts';

const chromium = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** A menu stands by itself for as long as it is open, as a dialog does. */
const menusToo = {
  resultTypes: ['violations' as const],
  checks: { region: { options: { regionMatcher: '[role=dialog], [role=menu], svg' } } },
};

/** Searching and skills as the window shows them, over a made-up hub. Needs Chromium. */
describe('search and skills', { timeout: 60_000 }, () => {
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

  async function show(scenario: string, theme: 'light' | 'dark' = 'light') {
    const shown = await stage.open({ scenario, theme });
    open.add(shown.page);
    return shown;
  }

  const inputsOf = (page: Page, call: string) =>
    page.evaluate(
      (wanted) => window.harness?.calls.filter(({ name }) => name === wanted).map(({ input }) => input),
      call,
    );

  const looks = searchScreens.flatMap((screen) =>
    (['light', 'dark'] as const).map((theme) => ({ screen, theme })),
  );

  it.each(looks)(
    '[PB-A11Y-1] $screen.name ($theme) is clean for axe and keeps to the content policy',
    async (look) => {
      const { page, errors } = await show(look.screen.scenario, look.theme);
      await look.screen.go?.(page);
      await page.waitForTimeout(250);
      const { violations } = await new AxeBuilder({ page })
        .exclude('[data-portal]:has([role="tooltip"])')
        .options(menusToo)
        .analyze();
      expect(violations.map(({ id, nodes }) => `${id} ${nodes[0]?.target}`)).toEqual([]);
      expect(errors).toEqual([]);
    },
  );

  it('[AG-US2-AC1] [PB-A11Y-1] finds by keyboard alone, also what is no tool', async () => {
    const { page } = await show('rich');
    await openView(page, 'Tools');
    await page.keyboard.press('/');
    await page.keyboard.type('github merge');
    await page.getByText(/matches/).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByText('Patchbay ID').waitFor();
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('Search commands, servers and tools').fill('triage_issues');
    await page.getByText('triage_issues', { exact: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: /^Try / }).waitFor();
  });

  it('[AG-US3-AC8] accepts and dismisses what is suggested, and takes it back', async () => {
    const { page } = await show('rich');
    await openSkills(page);
    await page.getByRole('button', { name: /^To review/ }).click();
    await page.getByRole('button', { name: 'Accept Releasing software' }).click();
    await page.getByRole('button', { name: /^Releasing software/ }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'Accept Releasing software' }).waitFor();
    await page.getByRole('button', { name: 'Dismiss Gists' }).click();
    await page.getByRole('button', { name: 'Dismiss Gists' }).waitFor({ state: 'detached' });
    expect(await inputsOf(page, 'skill.decide')).toEqual([
      { suggestion: 'suggestion-1', decision: 'accept' },
      { suggestion: 'suggestion-1', decision: 'reopen' },
      { suggestion: 'suggestion-2', decision: 'dismiss' },
    ]);
  });

  it('[AG-US3-AC1] sends nothing anywhere before it is told to, and says where it would go', async () => {
    const { page } = await show('rich');
    await openView(page, 'Settings');
    await page.locator('label', { hasText: /^Search$/ }).click();
    await page.getByRole('combobox', { name: 'Who classifies' }).click();
    await page.getByRole('option', { name: 'Anthropic' }).click();
    await page.getByText('are sent to api.anthropic.com').waitFor();
    await page.getByLabel('Model').fill('some-model');
    expect(await inputsOf(page, 'search.configure')).toEqual([]);
    await page.getByRole('button', { name: 'Use it' }).click();
    await page.getByText('Saved').waitFor();
    await page.getByRole('combobox', { name: 'Who classifies' }).click();
    await page.getByRole('option', { name: /^Rules/ }).click();
    const anthropic = { kind: 'anthropic', url: 'https://api.anthropic.com', model: 'some-model' };
    const meaning = { kind: 'off' };
    await expect
      .poll(() => inputsOf(page, 'search.configure'))
      .toEqual([
        { classifier: anthropic, meaning },
        { classifier: { kind: 'rules' }, meaning },
      ]);
  });

  it('[AG-US2-AC1] draws only what is on screen of ten thousand tools', async () => {
    const { page } = await show('many');
    await search(page, 'commit');
    await page.getByText('the best 200 are shown').waitFor();
    expect(await page.locator('main li').count()).toBeLessThan(40);
  });
});
