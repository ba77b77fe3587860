import { describe, expect, it } from 'vitest';
import { openView } from '../harness/screen.ts';
import { inputsOf, useStage } from '../harness/use-stage.ts';

async function openConnect(show: ReturnType<typeof useStage>) {
  const page = await show();
  await openView(page, 'Clients');
  await page.getByRole('button', { name: 'Connect Cursor' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Connect Cursor' });
  await dialog
    .getByText('Cursor also starts 4 servers itself: 1 is new, 1 you have and 2 can’t be moved yet.')
    .waitFor();
  return { page, dialog };
}

describe('connecting a client that starts servers itself', () => {
  const show = useStage();

  it('[PB-CLIENT-1] [PB-CLIENT-2] adds its new servers and moves all that Patchbay runs in the same step', async () => {
    const { page, dialog } = await openConnect(show);
    await dialog.getByRole('button', { name: 'Connect and test' }).press('Enter');
    await dialog.getByText(/^Connected\./).waitFor();
    expect(await inputsOf(page, 'import.add')).toMatchObject([
      { entries: [{ key: 'airtable', secrets: [{ secretName: 'AIRTABLE_TOKEN' }] }] },
    ]);
    expect(await inputsOf(page, 'import.move')).toMatchObject([{ apps: [{ client: 'cursor' }] }]);
    expect(await inputsOf(page, 'connect.apply')).toEqual([]);
  });

  it('[PB-CLIENT-1] leaves its servers alone if they should not be moved', async () => {
    const { page, dialog } = await openConnect(show);
    await dialog.getByRole('checkbox', { name: /^Move 2 of them to Patchbay/ }).press('Space');
    await dialog.getByRole('checkbox', { name: /^Move 2 of them/, checked: false }).waitFor();
    await dialog.getByRole('button', { name: 'Connect and test' }).press('Enter');
    await dialog.getByText(/^Connected\./).waitFor();
    expect(await inputsOf(page, 'connect.apply')).toMatchObject([{ id: 'cursor' }]);
    expect(await inputsOf(page, 'import.add')).toEqual([]);
    expect(await inputsOf(page, 'import.move')).toEqual([]);
  });
});

describe('testing a client that is connected', () => {
  const show = useStage();

  it('[PB-CLIENT-1] [PB-A11Y-1] starts the test at once, and writes nothing', async () => {
    const page = await show();
    await openView(page, 'Clients');
    await page.getByRole('button', { name: 'Test the connection of Claude Code' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Test Claude Code' });
    await dialog.getByText(/^Connected\./).waitFor();
    expect(await inputsOf(page, 'connect.prove')).toEqual([{ id: 'claude-code' }]);
    expect(await inputsOf(page, 'connect.apply')).toEqual([]);
  });
});

describe('importing from apps', () => {
  const show = useStage();

  it('[PB-CLIENT-2] [PB-A11Y-1] adds the selection, waits for a running app, replaces in all apps, and undoes everything', async () => {
    const page = await show();
    await page.getByRole('button', { name: 'Add server' }).first().press('Enter');
    await page.getByText('Import from apps', { exact: true }).click();
    await page.getByText('6 servers in 2 apps, 5 of them different').waitFor();
    await page.getByText('3 selected · 1 secret will be stored encrypted').waitFor();
    await page.getByRole('dialog', { name: 'Import servers' }).waitFor();
    await page
      .getByText('mcp-playwright and jira start once you enter Workspace folder and jira, now or later.')
      .waitFor();
    await page.getByRole('checkbox', { name: 'Import jira' }).press('Space');
    await page.getByRole('textbox', { name: /^Workspace folder/ }).fill('/home/ada/work');
    await page.getByRole('button', { name: 'Import 2 servers' }).press('Enter');
    await page.getByText('Replace these servers in Claude Desktop and Cursor with Patchbay?').waitFor();
    expect(await page.getByRole('checkbox', { name: 'Replace in Claude Desktop' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Quit Claude Desktop' }).press('Enter');
    await page.getByRole('button', { name: 'Replace in 2 apps' }).press('Enter');
    await page.getByText('Cursor now uses Patchbay.').waitFor();
    expect(await inputsOf(page, 'import.move')).toMatchObject([
      { session: 's3', undoId: 'u1', apps: [{ client: 'claude-desktop' }, { client: 'cursor' }] },
    ]);
    // Undo remains after the dialog is closed.
    await page.getByRole('button', { name: 'Done' }).press('Enter');
    await page.getByText('Imported 2 servers.').waitFor();
    await page.keyboard.press('ControlOrMeta+z');
    await page.getByText('The import was undone.').waitFor();
    expect(await inputsOf(page, 'import.undo')).toEqual([{ undoId: 'u1' }]);
  });

  it('[PB-CLIENT-2] [PB-A11Y-1] adds a server whose field is left empty, and leads to the page that asks for it', async () => {
    const page = await show();
    await page.getByRole('button', { name: 'Add server' }).first().press('Enter');
    await page.getByText('Import from apps', { exact: true }).click();
    await page.getByRole('checkbox', { name: 'Import jira' }).press('Space');
    await page.getByText('mcp-playwright starts once you enter Workspace folder, now or later.').waitFor();
    await page.getByRole('button', { name: 'Import 2 servers' }).press('Enter');
    await page.getByText('Left in place until you enter what it needs: mcp-playwright').waitFor();
    await page.getByRole('button', { name: 'Leave them as they are' }).press('Enter');
    await page.getByText('airtable was added and is starting.').waitFor();
    await page.getByText('mcp-playwright was added and starts once you enter Workspace-folder.').waitFor();
    await page.getByRole('button', { name: 'Enter the value for mcp-playwright' }).press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });
});
