import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { inputsOf, useStage } from '../harness/use-stage.ts';

/** Something dragged or pasted: a file by its name, or a text. */
type Thing = { readonly file: string } | { readonly files: readonly string[] } | { readonly text: string };

/** Sends the page an event with data, like the system; true if the page accepted it. */
function send(page: Page, type: string, thing: Thing, target = 'body'): Promise<boolean> {
  return page.evaluate(
    ([event, given, place]) => {
      const data = new DataTransfer();
      const files = 'files' in given ? given.files : 'file' in given ? [given.file] : [];
      for (const name of files) data.items.add(new File(['x'], name));
      if ('text' in given) data.setData('text/plain', given.text);
      const options = { bubbles: true, cancelable: true };
      const sent =
        event === 'paste'
          ? new ClipboardEvent(event, { ...options, clipboardData: data })
          : new DragEvent(event, { ...options, dataTransfer: data });
      return document.querySelector(place)?.dispatchEvent(sent) === false;
    },
    [type, thing, target] as const,
  );
}

describe('dropped and pasted content', () => {
  const show = useStage();
  const config = { text: '{"kite": {"command": "npx"}}' };

  it('[PB-CLIENT-2] a file dragged over the window shows the drop target, and is read when dropped', async () => {
    const page = await show();
    await send(page, 'dragenter', { file: 'mcp.json' });
    await page.getByText('Drop to add servers').waitFor();
    await send(page, 'dragleave', { file: 'mcp.json' });
    await page.getByText('Drop to add servers').waitFor({ state: 'detached' });
    expect(await send(page, 'drop', { file: 'mcp.json' })).toBe(true);
    await page.getByText('/home/ada/mcp.json').waitFor();
    await page.getByText('Found 5 servers').waitFor();
    // Several files become one list.
    expect(await send(page, 'drop', { files: ['a.json', 'b.toml'] })).toBe(true);
    await page.getByText('2 files: a.json and b.toml').waitFor();
    expect(await inputsOf(page, 'import.readFiles')).toEqual([
      { files: ['/home/ada/mcp.json'] },
      { files: ['/home/ada/a.json', '/home/ada/b.toml'] },
    ]);
    expect(await send(page, 'drop', config)).toBe(true);
    await page.getByText('Found 1 server').waitFor();
    expect(await page.getByLabel('Paste anything').inputValue()).toBe(config.text);
  });

  it('[PB-CLIENT-2] text pasted on a page opens the dialog, and text for a field or another dialog stays there', async () => {
    const page = await show();
    expect(await send(page, 'paste', config, 'input')).toBe(false);
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(await send(page, 'paste', { text: ' ' })).toBe(false);
    expect(await send(page, 'paste', config)).toBe(true);
    await page.getByText('Found 1 server').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    expect(await send(page, 'paste', config)).toBe(false);
    // A drop must never navigate the window away.
    expect(await send(page, 'drop', { file: 'mcp.json' })).toBe(true);
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  });

  it('[PB-CLIENT-2] the form names a server by its command, and offers a name that clients accept unchanged', async () => {
    const page = await show();
    await page.keyboard.press('n');
    await page.getByText('Form', { exact: true }).click();
    await page.getByLabel('Command', { exact: true }).fill('npx');
    const name = page.getByLabel('Name', { exact: true });
    await expect.poll(() => name.inputValue()).toBe('server');
    await name.fill('My Files');
    await page.getByText('My_Files__…').waitFor();
    await page.getByRole('button', { name: 'Use my-files' }).click();
    await page.getByText('my-files__…').waitFor();
    expect(await name.inputValue()).toBe('my-files');
    // The typed name remains the display name.
    expect(await page.getByLabel('Display name').inputValue()).toBe('My Files');
  });
});
