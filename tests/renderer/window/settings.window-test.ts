import { describe, expect, it } from 'vitest';
import { openView } from '../harness/screen.ts';
import { inputsOf, useStage } from '../harness/use-stage.ts';

/** Tests Settings with a fake hub. */
describe('settings', () => {
  const open = useStage();

  it('[NFR-SEC1] [PB-A11Y-1] a secret is added and replaced by keyboard, and only ever sent one way', async () => {
    const page = await open();
    await openView(page, 'Settings');
    await page.getByText('Secrets', { exact: true }).click();
    await page.getByRole('button', { name: 'Add secret' }).press('Enter');
    await page.getByLabel('Name', { exact: true }).fill('NEW_TOKEN');
    await page.keyboard.press('Tab');
    await page.keyboard.type('hush');
    await page.keyboard.press('Enter');
    await page.getByText('NEW_TOKEN was saved.').waitFor();
    await page.getByRole('button', { name: 'Replace the value of NEW_TOKEN' }).press('Enter');
    await page.keyboard.type('other');
    await page.keyboard.press('Enter');
    await page.getByText('NEW_TOKEN has a new value.').waitFor();
    expect(await inputsOf(page, 'secret.set')).toEqual([
      { name: 'NEW_TOKEN', value: 'hush', replace: false },
      { name: 'NEW_TOKEN', value: 'other', replace: true },
    ]);
    expect(await page.content()).not.toContain('hush');
  });

  it('the theme also applies to browser controls, whatever the system theme', async () => {
    const page = await open({ theme: 'dark' });
    await page.emulateMedia({ colorScheme: 'light' });
    const scheme = await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
    expect(scheme).toBe('dark');
  });

  it('[REQ-MCP-CONFIG] a limit is set, refused by name, reset; one that a variable fixes cannot be set', async () => {
    const page = await open();
    await openView(page, 'Settings');
    await page.locator('label', { hasText: /^Limits$/ }).click();
    const field = page.getByLabel('Retries for temporary failures', { exact: true });
    await field.fill('99');
    await page.getByText('Choose from 1 to 20 attempts.').waitFor();
    await field.fill('4');
    await page.keyboard.press('Enter');
    const reset = page.getByRole('button', {
      name: 'Reset to the default: Retries for temporary failures',
    });
    await reset.click();
    await expect.poll(() => field.inputValue()).toBe('3');
    expect(await inputsOf(page, 'limits.set')).toEqual([
      { name: 'retryMaxAttempts', value: 4 },
      { name: 'retryMaxAttempts', value: null },
    ]);
    const fixed = page.getByLabel('Keep the audit log for', { exact: true });
    expect(await fixed.getAttribute('readonly')).not.toBeNull();
    await page.getByText('Set by the environment variable MCP_AUDIT_RETENTION_DAYS').waitFor();
  });

  it('[AG-US3-AC1] sends nothing before confirmation, and says where it would go', async () => {
    const page = await open();
    await openView(page, 'Settings');
    await page.locator('label', { hasText: /^Search$/ }).click();
    await page.getByRole('combobox', { name: 'Classifier' }).click();
    await page.getByRole('option', { name: 'Anthropic' }).click();
    await page.getByText('are sent to api.anthropic.com').waitFor();
    await page.getByLabel('Model').fill('some-model');
    expect(await inputsOf(page, 'search.configure')).toEqual([]);
    await page.getByRole('button', { name: 'Use it' }).click();
    await page.getByText('Saved').waitFor();
    await page.getByRole('combobox', { name: 'Classifier' }).click();
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
});
