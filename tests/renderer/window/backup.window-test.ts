import { describe, expect, it } from 'vitest';
import { openView } from '../harness/screen.ts';
import { inputsOf, useStage } from '../harness/use-stage.ts';

/** Tests backups of the whole setup, with a fake hub. */
describe('a backup', () => {
  const show = useStage();

  it('[PB-A11Y-1] [NFR-SEC1] is saved by keyboard, with secrets once the passphrase is typed twice', async () => {
    const page = await show();
    await openView(page, 'Settings');
    await page.getByRole('button', { name: 'Back up…' }).press('Enter');
    await page.getByRole('dialog', { name: 'Back up Patchbay' }).waitFor();
    await page.getByLabel('Include secrets').press('Space');
    await page.getByLabel('Passphrase', { exact: true }).fill('correct horse');
    await page.getByLabel('Confirm passphrase').fill('correct house');
    await page.getByText('The passphrases do not match.').waitFor();
    expect(await page.getByRole('button', { name: 'Save…' }).isDisabled()).toBe(true);
    await page.getByLabel('Confirm passphrase').fill('correct horse');
    await page.getByLabel('Confirm passphrase').press('Enter');
    await page.getByText('Backup with 5 servers and 3 secrets saved as').waitFor();
    expect(await inputsOf(page, 'app.saveBackup')).toEqual([{ passphrase: 'correct horse' }]);
    expect(await page.content()).not.toContain('correct horse');
  });

  it('[PB-A11Y-1] shows its servers before it is restored, and is undone', async () => {
    const page = await show();
    await openView(page, 'Settings');
    await page.getByRole('button', { name: 'Restore…' }).press('Enter');
    await page.getByText('npx -y @acme/github-mcp').waitFor();
    await page.getByText('Removes 1 server not in the backup: old.').waitFor();
    await page.getByLabel('Add what is missing').check();
    await page.getByLabel('Restore secrets').uncheck();
    await page.getByRole('button', { name: 'Restore', exact: true }).press('Enter');
    await page.getByRole('dialog', { name: 'Backup restored' }).waitFor();
    expect(await inputsOf(page, 'app.restoreBackup')).toEqual([{ id: '1', how: 'merge' }]);
    await page.getByRole('button', { name: 'Undo' }).press('Enter');
    await page.getByText('Your previous setup is back.').waitFor();
    expect(await inputsOf(page, 'backup.undo')).toEqual([{ undoId: 'restore-1' }]);
  });

  it('says why a file cannot be used, and takes another one', async () => {
    const page = await show();
    await openView(page, 'Settings');
    await page.evaluate(() =>
      window.harness?.failNext('app.chooseBackup', {
        code: 'backup.changed',
        sentence: 'This backup was changed or damaged after Patchbay saved it.',
        fix: 'Use another copy of the file. Nothing was changed here.',
        evidence: [],
      }),
    );
    await page.getByRole('button', { name: 'Restore…' }).click();
    await page.getByText('This backup was changed or damaged after Patchbay saved it.').waitFor();
    await page.getByRole('button', { name: 'Other file…' }).click();
    await page.getByText('npx -y @acme/github-mcp').waitFor();
  });
});
