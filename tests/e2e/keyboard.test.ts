import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { eventually } from '../helper/eventually.ts';
import { fullHouse } from '../helper/full-house.ts';
import { fixture } from '../helper/programs.ts';
import { connectBridge, type RunningApp, startApp, toolNames } from '../helper/running-app.ts';
import { tempDir } from '../helper/temp-dir.ts';

/** More steps than any screen has on the way of the tab key. */
const maxStops = 150;

/** Name and role of what has the focus, as near as the page tells. */
function focused(window: Page): Promise<string> {
  return window.evaluate(() => {
    const element = document.activeElement;
    if (element === null || element === document.body) return '';
    const labels = element instanceof HTMLInputElement ? [...(element.labels ?? [])] : [];
    const texts = [element.getAttribute('aria-label'), ...labels.map((label) => label.textContent)];
    return (texts.find((text) => text) ?? element.textContent ?? '').trim();
  });
}

/** Goes on by the tab key until something of this name has the focus. */
async function tabTo(window: Page, name: string | RegExp): Promise<void> {
  const passed: string[] = [];
  for (let stop = 0; stop < maxStops; stop += 1) {
    await window.keyboard.press('Tab');
    const at = await focused(window);
    if (typeof name === 'string' ? at === name : name.test(at)) return;
    passed.push(at.slice(0, 30));
  }
  throw new Error(`The tab key does not come to ${name}, but to ${passed.join(' | ')}`);
}

/** Tells whether the tab key has been here already, since the page was opened or another view was. */
function wasFocusedBefore(window: Page): Promise<boolean> {
  return window.evaluate(() => {
    const view = document.querySelector('h1');
    const passed = globalThis as unknown as { passedView?: unknown; passedStops?: WeakSet<object> };
    const stops = passed.passedView === view?.textContent ? passed.passedStops : undefined;
    passed.passedView = view?.textContent;
    passed.passedStops = stops ?? new WeakSet();
    const at = document.activeElement ?? document.body;
    if (passed.passedStops.has(at)) return true;
    passed.passedStops.add(at);
    return false;
  });
}

/** Returns whether focus is visible: on the element itself, a sibling, or a container. */
function looksFocused(window: Page): Promise<boolean> {
  return window.evaluate(() => {
    const element = document.activeElement;
    if (!(element instanceof HTMLElement) || element === document.body) return true;
    const parts = [
      element,
      element.nextElementSibling,
      element.parentElement,
      element.closest('[role="row"], li'),
    ];
    const look = () =>
      parts.map((part) => {
        if (part === null) return '';
        const { outlineStyle, outlineWidth, outlineColor, boxShadow, backgroundColor, borderColor } =
          getComputedStyle(part);
        return [outlineStyle, outlineWidth, outlineColor, boxShadow, backgroundColor, borderColor].join();
      });
    const before = look().join('\n');
    element.blur();
    const after = look().join('\n');
    element.focus({ preventScroll: true });
    return before !== after;
  });
}

async function openApp(
  folder: string,
): Promise<RunningApp & { readonly dir: string; readonly home: string }> {
  const { home, dir, change } = await fullHouse(folder);
  vi.stubEnv('HOME', home);
  vi.stubEnv('XDG_CONFIG_HOME', '');
  const app = await startApp(dir);
  await app.window.emulateMedia({ reducedMotion: 'reduce' });
  for (const key of ['tools', 'everything']) await app.row(key).getByText('Connected').first().waitFor();
  await change();
  await app.row('tools').getByRole('button', { name: 'Review 2 changed tools of tools' }).waitFor();
  return Object.assign(app, { dir, home });
}

afterEach(() => vi.unstubAllEnvs());

describe.skipIf(process.platform !== 'linux')('the packaged app by keyboard alone', () => {
  it('[PB-A11Y-1] [PB-CLIENT-1] [PB-SAFE-1] adds a server, approves tools, connects a client, and tries a tool', async () => {
    await using folder = await tempDir();
    await using app = await openApp(folder.path);
    const { window, dir, home } = app;
    const { keyboard } = window;
    await keyboard.press('n');
    const add = window.getByRole('dialog', { name: 'Add server' });
    await add.waitFor();
    await keyboard.type(JSON.stringify({ twin: { command: process.execPath, args: [fixture('echo')] } }));
    await add.getByText('Found 1 server').waitFor();
    // The server that runs the same is there already.
    await tabTo(window, 'Import twin');
    await keyboard.press('Space');
    await tabTo(window, 'Add 1 server');
    await keyboard.press('Enter');
    await add.waitFor({ state: 'detached' });
    await window.getByRole('heading', { level: 2, name: 'twin' }).waitFor();
    await keyboard.press('Escape');
    await app.row('twin').getByText('Connected').first().waitFor();

    await tabTo(window, 'Review 2 changed tools of tools');
    await keyboard.press('Enter');
    const review = window.getByRole('dialog', { name: 'Review changed tools in “tools”' });
    await review.getByRole('region', { name: 'Warnings' }).first().waitFor();
    // Both have warnings, so that neither is approved along with others.
    const open = review.getByRole('region', { name: /^Tool / });
    const name = (await open.getAttribute('aria-label')) ?? '';
    await tabTo(window, 'Approve anyway');
    await keyboard.press('Enter');
    await review.getByText('is approved.').waitFor();
    // The other one takes its place when the app has told that it is no longer held.
    await review.getByRole('region', { name, exact: true }).waitFor({ state: 'detached' });
    await tabTo(window, 'Approve anyway');
    await keyboard.press('Enter');
    await review.getByText('Nothing to review').waitFor();
    await keyboard.press('Escape');
    await review.waitFor({ state: 'detached' });
    await using client = await connectBridge(dir);
    await eventually(async () => expect(await toolNames(client)).toContain('tools__more'));

    await keyboard.press('Control+4');
    await window.getByRole('button', { name: 'Connect Cursor' }).waitFor();
    await tabTo(window, 'Connect Cursor');
    await keyboard.press('Enter');
    const connect = window.getByRole('dialog', { name: 'Connect Cursor' });
    await connect.getByText('is the only file changed').waitFor();
    await tabTo(window, 'Connect and test');
    await keyboard.press('Enter');
    await connect.getByText('Connected.').waitFor();
    await tabTo(window, 'Done');
    await keyboard.press('Enter');
    await connect.waitFor({ state: 'detached' });
    expect(await readFile(join(home, '.cursor', 'mcp.json'), 'utf8')).toContain('patchbay-bridge');

    await keyboard.press('Control+k');
    await window.getByPlaceholder('Search commands, servers and tools').waitFor();
    await keyboard.type('everything: try');
    await window.getByText('everything: try tools').waitFor();
    await keyboard.press('Enter');
    await window.getByRole('heading', { level: 1, name: 'Try everything' }).waitFor();
    await tabTo(window, 'Search tools and prompts');
    await keyboard.type('get-sum');
    await tabTo(window, 'get-sum');
    await keyboard.press('Enter');
    await tabTo(window, /^a/);
    await keyboard.type('19');
    await tabTo(window, /^b/);
    await keyboard.type('23');
    await keyboard.press('Control+Enter');
    await window.getByText('The sum of 19 and 23 is 42.').waitFor();
  });

  it('[PB-A11Y-1] shows on every screen where the focus is, and the tab key comes round', async () => {
    await using folder = await tempDir();
    await using app = await openApp(folder.path);
    const { window } = app;
    const unseen: string[] = [];
    const views = ['Servers', 'Tools', 'Activity', 'Clients', 'Settings'];
    for (const [index, view] of views.entries()) {
      await window.keyboard.press(`Control+${index + 1}`);
      await window.getByRole('heading', { level: 1, name: view }).waitFor();
      let stops = 0;
      for (; stops < maxStops; stops += 1) {
        await window.keyboard.press('Tab');
        if (await wasFocusedBefore(window)) break;
        if (!(await looksFocused(window))) unseen.push(`${view}: ${await focused(window)}`);
      }
      expect(stops, view).toBeGreaterThan(5);
      expect(stops, view).toBeLessThan(maxStops);
    }
    expect(unseen).toEqual([]);
  });
});
