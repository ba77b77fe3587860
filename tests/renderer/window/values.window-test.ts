import { describe, expect, it } from 'vitest';
import { openServer } from '../harness/screen.ts';
import { hasFocus, inputsOf, useStage } from '../harness/use-stage.ts';
import {
  openClientNeeded,
  openKeyNeeded,
  openPlaceholder,
  openVariableMissing,
} from '../harness/value-screens.ts';

/** Tests entering missing values in server pages, with a fake hub. */
describe('a value that a server lacks', () => {
  const show = useStage();

  it('[PB-A11Y-1] [NFR-SEC1] an API key is entered by keyboard, the page stays, and it can be undone', async () => {
    const page = await show();
    await openKeyNeeded(page);
    const field = page.getByLabel('API key', { exact: true });
    await field.focus();
    await page.keyboard.type(' my-key ');
    await page.keyboard.press('Enter');
    await page.getByText('legacy-search uses the new secret ACME_TOKEN.').waitFor();
    const place = { kind: 'header', header: 'Authorization', scheme: 'Bearer' };
    expect(await inputsOf(page, 'server.enterValue')).toEqual([
      { key: 'legacy-search', place, value: ' my-key ' },
    ]);
    const server = page.getByRole('region', { name: 'Server legacy-search' });
    await expect.poll(() => server.evaluate(hasFocus)).toBe(true);
    await page.getByRole('button', { name: 'Undo' }).click();
    expect(await inputsOf(page, 'server.undoEntered')).toEqual([{ undoId: 'entered-legacy-search' }]);
  });

  it('a rejected key is entered again, in another header if necessary', async () => {
    const page = await show();
    await openKeyNeeded(page, true);
    await page.getByText('API key missing').waitFor();
    await page.getByText('More', { exact: true }).click();
    await page.getByLabel('Header', { exact: true }).fill('X-Linear-Key');
    await page.getByLabel('Prefix').fill('');
    await page.getByLabel('API key', { exact: true }).fill('another');
    await page.getByRole('button', { name: 'Save and connect' }).click();
    const place = { kind: 'header', header: 'X-Linear-Key', scheme: '', replaces: 'Authorization' };
    await expect
      .poll(() => inputsOf(page, 'server.enterValue'))
      .toEqual([{ key: 'legacy-search', place, value: 'another' }]);
  });

  it('says in place why a value was not accepted', async () => {
    const page = await show();
    await openKeyNeeded(page);
    await page.evaluate(() =>
      window.harness?.failNext('server.enterValue', {
        code: 'config.unwritable',
        sentence: 'mcp.json cannot be written.',
        fix: 'Check its permissions.',
        evidence: [],
      }),
    );
    await page.getByLabel('API key', { exact: true }).fill('my-key');
    await page.getByRole('button', { name: 'Save and connect' }).click();
    await page
      .getByRole('form', { name: 'Enter API key' })
      .getByText('mcp.json cannot be written.')
      .waitFor();
    expect(await page.getByLabel('API key', { exact: true }).inputValue()).toBe('my-key');
  });

  it('a client ID is entered with the address to register, and the sign-in begins; a key can be used instead', async () => {
    const page = await show();
    await openClientNeeded(page);
    await page.getByRole('button', { name: 'Use an API key instead' }).click();
    expect(await page.getByLabel('API key', { exact: true }).evaluate(hasFocus)).toBe(true);
    await page.getByRole('button', { name: 'Use a client ID instead' }).click();
    await page.getByRole('button', { name: 'Copy the redirect URL' }).click();
    await page.getByLabel('Client ID', { exact: true }).fill('ada-1');
    const address = page.getByRole('textbox', { name: 'Redirect URL' });
    await address.fill('https://example.com/callback');
    expect(await page.getByRole('button', { name: 'Save and sign in' }).isDisabled()).toBe(true);
    await address.fill('http://localhost:7421/callback');
    await page.getByRole('button', { name: 'Save and sign in' }).click();
    const client = { clientId: 'ada-1', redirectUri: 'http://localhost:7421/callback' };
    await expect.poll(() => inputsOf(page, 'server.setSignInClient')).toEqual([{ key: 'linear', client }]);
    await expect.poll(() => inputsOf(page, 'app.signIn')).toEqual([{ key: 'linear' }]);
  });

  it('[FR-002] variables and placeholders are entered one by one, under their names', async () => {
    const page = await show();
    await openVariableMissing(page, 'ACME_API_KEY', 'ACME_REGION');
    await page.getByRole('button', { name: 'Enter ACME_REGION' }).click();
    await page.keyboard.type('eu');
    await page.keyboard.press('Enter');
    const place = { kind: 'variable', name: 'ACME_REGION' };
    await expect
      .poll(() => inputsOf(page, 'server.enterValue'))
      .toEqual([{ key: 'postgres', place, value: 'eu' }]);
    await openPlaceholder(page);
    await page.getByText('GITHUB_TOKEN still contains a placeholder.').waitFor();
    await page.getByRole('button', { name: 'Enter the value' }).click();
    await page.getByLabel('GITHUB_TOKEN', { exact: true }).fill('real');
    await page.getByRole('button', { name: 'Save and start' }).click();
    await expect
      .poll(async () => (await inputsOf(page, 'server.enterValue')).at(-1))
      .toEqual({
        key: 'memory',
        place: { kind: 'placeholder', field: 'env.GITHUB_TOKEN' },
        value: 'real',
      });
  });

  it('[NFR-SEC3] a pending sign-in’s link is copied without reaching the window, and the sign-in is cancelled', async () => {
    const page = await show();
    await page.getByRole('button', { name: 'Sign in: linear' }).click();
    await openServer(page, 'linear');
    await page.getByRole('button', { name: 'Copy the sign-in link' }).click();
    await expect.poll(() => inputsOf(page, 'app.copySignInLink')).toEqual([{ key: 'linear' }]);
    await page.evaluate(() =>
      window.harness?.changeServer('linear', {
        auth: { signedIn: false, pending: true, since: Date.now(), unopened: true },
      }),
    );
    const notice = page.getByRole('region', { name: 'Sign-in', exact: true });
    await notice.getByText('No browser opened').waitFor();
    await notice.getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(() => inputsOf(page, 'server.signOut')).toEqual([{ key: 'linear' }]);
  });
});
