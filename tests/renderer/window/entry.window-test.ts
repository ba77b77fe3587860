import { describe, expect, it } from 'vitest';
import { maxFilterTextLength } from '../../../shared/model/activity.ts';
import { clientScreens } from '../harness/client-screens.ts';
import { openView } from '../harness/screen.ts';
import { inputsOf, useStage } from '../harness/use-stage.ts';

/** Tests text fields, with a fake hub. */
describe('fields', () => {
  const show = useStage();

  it('calls are filtered by the choices, each with its count, and all are shown again', async () => {
    const page = await show();
    await openView(page, 'Activity');
    await page.locator('[data-row="0"]').waitFor();
    await page.getByRole('combobox', { name: 'Server' }).click();
    await page.getByRole('option', { name: 'github 3' }).click();
    await page.getByText('3 of 15 entries').waitFor();
    await page.getByRole('combobox', { name: 'Outcome' }).click();
    await page.getByRole('option', { name: 'All failures 2' }).click();
    await page.getByText('2 of 15 entries').waitFor();
    await page.getByLabel('Search activity').fill('file');
    await page.getByText('1 of 15 entries').waitFor();
    await page.getByLabel('Search activity').fill('x'.repeat(10_000));
    await page.getByText('Nothing matches').waitFor();
    expect(await page.getByLabel('Search activity').inputValue()).toHaveLength(maxFilterTextLength);
    await page.getByRole('button', { name: 'Show everything' }).last().click();
    await page.getByText('15 entries', { exact: true }).waitFor();
  });

  it('[AG-US2-AC1] [NFR-SEC3] takes the model of an endpoint, and shows the progress', async () => {
    const page = await show();
    await openView(page, 'Settings');
    await page.locator('label', { hasText: /^Search$/ }).click();
    await page.getByRole('combobox', { name: 'Search by meaning' }).click();
    await page.getByRole('option', { name: 'Ollama' }).click();
    await page.getByText('127.0.0.1:11434, a program on this computer').waitFor();
    const group = page.getByRole('region', { name: 'Semantic search' });
    expect(await group.getByRole('button', { name: 'Use it' }).isDisabled()).toBe(true);
    await group.getByLabel('Model').fill('nomic-embed-text');
    expect(await inputsOf(page, 'search.configure')).toEqual([]);
    await page.evaluate(() =>
      window.harness?.failNext('search.test', {
        code: 'search.provider_failed',
        sentence: 'There is no such model.',
        fix: 'Choose another model.',
        evidence: [],
      }),
    );
    await group.getByRole('button', { name: 'Test' }).click();
    await group.getByText('There is no such model.').waitFor();
    await group.getByRole('button', { name: 'Use it' }).click();
    await group.getByText('Ready: 440 texts are indexed.').waitFor();
    // A trial before it was used says nothing about its state now.
    expect(await group.getByText('There is no such model.').count()).toBe(0);
    const meaning = { kind: 'ollama', url: 'http://127.0.0.1:11434', model: 'nomic-embed-text' };
    expect(await inputsOf(page, 'search.configure')).toEqual([{ classifier: { kind: 'rules' }, meaning }]);
  });

  it('[PB-SMART-1] [PB-A11Y-1] Enter pins the first tool that matches the typed text', async () => {
    const page = await show();
    await clientScreens.find(({ name }) => name === 'client-compact-on')?.go?.(page);
    const field = page.getByRole('combobox', { name: 'Pinned tools' });
    await field.fill('pull');
    const first = await page.getByRole('option').first().textContent();
    await field.press('Enter');
    await expect
      .poll(() => inputsOf(page, 'profile.setCompact'))
      .toMatchObject([{ compact: { pinned: expect.arrayContaining([first]) } }]);
  });

  it('a switch moves at once and back when it is refused, with the reason', async () => {
    const page = await show();
    await page.evaluate(() =>
      window.harness?.failNext('server.setEnabled', {
        code: 'config.unwritable',
        sentence: 'The file is read-only.',
        fix: 'Free it.',
        evidence: [],
      }),
    );
    const toggle = page.getByRole('switch', { name: 'github is on' });
    await toggle.click({ force: true });
    await page.getByText('The file is read-only.').waitFor();
    expect(await toggle.isChecked()).toBe(true);
    await toggle.click({ force: true });
    await page
      .getByRole('row', { name: /github/ })
      .getByText('Off')
      .waitFor();
    expect(await toggle.isChecked()).toBe(false);
  });
});
