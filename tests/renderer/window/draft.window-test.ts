import { describe, expect, it } from 'vitest';
import { draftScreens } from '../harness/draft-screens.ts';
import { editFile, openServer } from '../harness/screen.ts';
import { inputsOf, useStage } from '../harness/use-stage.ts';

/** Tests unsaved changes while the file changes too, and the form beside its JSON. */
describe('a draft', () => {
  const open = useStage();

  it('[PB-CFG-2] follows the file while nothing is unsaved, and keeps both sides of changes to other fields', async () => {
    const page = await open();
    await openServer(page, 'github', 'Config');
    await editFile(page, 'github', (text) => text.replace('"npx"', '"by-hand"'));
    const command = page.getByLabel('Command', { exact: true });
    await expect.poll(() => command.inputValue()).toBe('by-hand');
    await page.getByLabel('Working folder').fill('/mine');
    await editFile(page, 'github', (text) => text.replace('"by-hand"', '"by-hand-again"'));
    await page.getByText('The file has changed too; saving merges both.').waitFor();
    await page.keyboard.press('Control+s');
    await page.getByText('github was saved.').waitFor();
    await expect.poll(() => command.inputValue()).toBe('by-hand-again');
    expect(await page.getByLabel('Working folder').inputValue()).toBe('/mine');
    await page.getByText('No changes').waitFor();
  });

  it('[PB-CFG-2] asks which value stays when a field changed on both sides, and saves nothing before', async () => {
    const page = await open();
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
    await dialog.getByRole('button', { name: 'Use the file’s' }).click();
    await dialog.waitFor({ state: 'detached' });
    const command = page.getByLabel('Command', { exact: true });
    await expect.poll(() => command.inputValue()).toBe('/usr/local/bin/npx');
    expect(await inputsOf(page, 'server.saveText')).toHaveLength(3);
  });

  it('[PB-CFG-2] keeps the changes to a server that was removed meanwhile, and adds it again', async () => {
    const page = await open();
    await draftScreens.find((screen) => screen.name === 'draft-gone')?.go?.(page);
    expect(await page.getByRole('button', { name: 'github', exact: true }).count()).toBe(0);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'github', exact: true }).waitFor();
    await page.getByText('was removed from the config file').waitFor({ state: 'detached' });
    expect(await page.evaluate(() => window.harness?.text('github'))).toMatch(/added by hand[\s\S]*bunx/);
  });

  it('[PB-CFG-1] keeps form and JSON in step, guards unsaved changes, and saves the text with its comments', async () => {
    const page = await open();
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
    expect(JSON.stringify(await inputsOf(page, 'server.saveText'))).toContain('// added by hand');
  });

  it('hides secrets in the form and in the JSON until they are revealed', async () => {
    const page = await open();
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

  it('[NFR-SEC1] a secret in plain text becomes a stored secret from the form, and back', async () => {
    const page = await open();
    await openServer(page, 'github', 'Config');
    await page.getByRole('button', { name: 'Store env.API_TOKEN as a secret' }).press('Enter');
    await page.getByLabel('Name of the secret').press('Enter');
    await page.getByText('Stored as secret API_TOKEN.').waitFor();
    const value = page.getByRole('textbox', { name: 'Value of API_TOKEN' });
    await expect.poll(() => value.inputValue()).toBe(`\${secret:API_TOKEN}`);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('No changes').waitFor();
    expect(await inputsOf(page, 'secret.delete')).toEqual([{ name: 'API_TOKEN', force: false }]);
  });
});
