import { AxeBuilder } from '@axe-core/playwright';
import type { Locator, Page } from 'playwright-core';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { eventually } from '../helper/eventually.ts';
import { fullHouse } from '../helper/full-house.ts';
import { connectBridge, type RunningApp, startApp, useApp } from '../helper/running-app.ts';
import { tempDir } from '../helper/temp-dir.ts';

type Way = (window: Page) => Promise<unknown>;

async function openView(window: Page, view: string): Promise<void> {
  await window
    .getByRole('navigation', { name: 'Main' })
    .getByRole('button', { name: new RegExp(`^${view}`) })
    .click();
  await window.getByRole('heading', { level: 1, name: view }).waitFor();
}

async function openServer(window: Page, key: string, tab: string): Promise<void> {
  await openView(window, 'Servers');
  await window.getByRole('button', { name: key, exact: true }).click();
  await window.getByRole('tab', { name: new RegExp(`^${tab}`) }).click();
}

async function choose(window: Page, view: string, part: string): Promise<void> {
  await openView(window, view);
  await window.locator('label', { hasText: new RegExp(`^${part}$`) }).click();
}

async function openTool(window: Page, name: string): Promise<void> {
  await openView(window, 'Tools');
  await window.getByLabel('Search name, description or server').fill(name);
  await window.getByRole('button', { name, exact: true }).first().click();
  await window.getByText('Patchbay ID').waitFor();
}

async function openTester(window: Page, name: string): Promise<void> {
  await openTool(window, name);
  await window.getByRole('button', { name: 'Try it' }).click();
  await window.getByRole('button', { name: 'Run', exact: true }).waitFor();
}

async function openAdd(window: Page, way: string): Promise<void> {
  await openView(window, 'Servers');
  await window.getByRole('button', { name: 'Add server' }).first().click();
  await window.getByRole('dialog').getByText(way, { exact: true }).click();
}

async function openCompact(window: Page, client: string): Promise<void> {
  await choose(window, 'Clients', 'Clients');
  await window.getByRole('button', { name: `Tools ${client} sees` }).click();
  await window.getByRole('tab', { name: 'Compact mode' }).click();
}

async function runCommand(window: Page, title: string): Promise<void> {
  await window.keyboard.press('Control+k');
  await window.getByPlaceholder('Search commands, servers and tools').fill(title);
  await window.getByText(title, { exact: true }).first().waitFor();
  await window.keyboard.press('Enter');
}

const pages: Readonly<Record<string, Way>> = {
  Servers: (window) => openView(window, 'Servers'),
  Tools: (window) => openView(window, 'Tools'),
  Clients: (window) => choose(window, 'Clients', 'Clients'),
  Settings: (window) => openView(window, 'Settings'),
  Activity: (window) => openView(window, 'Activity'),
  'an entry of it': (window) =>
    window
      .getByRole('button', { name: /^.*echo.*OK|get-sum.*OK/ })
      .first()
      .click(),
  ...Object.fromEntries(
    ['Overview', 'Tools', 'Log', 'Config'].map((tab) => [
      `${tab} of a failed server`,
      (window: Page) => openServer(window, 'dead', tab),
    ]),
  ),
  'a server with held tools': (window) => openServer(window, 'tools', 'Overview'),
  'a tool': (window) => openTool(window, 'get-sum'),
  'a held tool': (window) => openTool(window, 'more'),
  'what is found': async (window) => {
    await openView(window, 'Tools');
    await window.getByLabel('Search name, description or server').fill('get');
    await window.getByText(/\d match/).waitFor();
  },
  'tools by skill': async (window) => {
    await choose(window, 'Tools', 'By skill');
    await window.getByRole('list', { name: 'Tools of this skill' }).waitFor();
  },
  'tools by server': (window) => choose(window, 'Tools', 'By server'),
  'the tester': (window) => openTester(window, 'get-structured-content'),
  'its answer': async (window) => {
    await window.getByLabel(/^location/).selectOption('Chicago');
    await window.getByRole('button', { name: 'Run', exact: true }).click();
    await window.getByText('Matches the output schema.').waitFor();
  },
  'its history': (window) => window.getByText('History', { exact: true }).click(),
  'its checks': (window) => window.getByText(/^Checks/).click(),
  'the audit log': (window) => choose(window, 'Activity', 'Audit'),
  'its verification': async (window) => {
    await window.getByRole('button', { name: 'Verify' }).click();
    await window.getByText('The audit log is intact').waitFor();
  },
  'a row of it': (window) =>
    window
      .getByRole('button', { name: /Tool call.*get-sum.*OK/ })
      .first()
      .click(),
  'the filters that are seldom used': async (window) => {
    await choose(window, 'Activity', 'Calls');
    await window.getByRole('button', { name: 'More filters' }).click();
    await window.getByRole('combobox', { name: 'Method' }).waitFor();
  },
  metrics: async (window) => {
    await window.keyboard.press('Escape');
    await choose(window, 'Activity', 'Metrics');
    await window.getByText('Show as table').click();
  },
  limits: (window) => choose(window, 'Settings', 'Limits'),
  profiles: (window) => choose(window, 'Clients', 'Profiles'),
  'a profile in compact mode': async (window) => {
    await window.getByRole('button', { name: 'New profile' }).first().click();
    await window.getByRole('switch', { name: 'Compact mode for clients with this profile' }).click();
    await window.getByText('Pinned tools').waitFor();
  },
  access: (window) => choose(window, 'Clients', 'Access'),
  secrets: (window) => choose(window, 'Settings', 'Secrets'),
  'settings of the search': async (window) => {
    await choose(window, 'Settings', 'Search');
    await window.getByRole('combobox', { name: 'Classifier' }).waitFor();
  },
  about: (window) => choose(window, 'Settings', 'About'),
};

/** Each with the name of its dialog. */
const dialogs: Readonly<Record<string, readonly [name: string, way: Way]>> = {
  'adding by a form': ['Add server', (window) => openAdd(window, 'Form')],
  'adding by text': ['Add server', (window) => openAdd(window, 'Paste')],
  'importing from apps': [
    'Import servers',
    async (window) => {
      await openAdd(window, 'Import from apps');
      await window.getByText('Select all new').waitFor();
    },
  ],
  'connecting a client': [
    'Connect Cursor',
    async (window) => {
      await choose(window, 'Clients', 'Clients');
      await window.getByRole('button', { name: 'Connect Cursor' }).click();
      await window.getByText('is the only file changed').waitFor();
    },
  ],
  'what a client gets': [
    'Tools editor sees',
    async (window) => {
      await choose(window, 'Clients', 'Clients');
      await window.getByRole('button', { name: 'Tools editor sees' }).click();
      await window.getByText('Longest name').waitFor();
    },
  ],
  'compact mode of a client': [
    'Tools editor sees',
    async (window) => {
      await openCompact(window, 'editor');
      await window.getByText('To find and read one tool').waitFor();
    },
  ],
  'compact mode that is on': [
    'Tools editor sees',
    async (window) => {
      await openCompact(window, 'editor');
      await window.getByRole('switch', { name: 'Compact mode', exact: true }).click();
      await window.getByText('Pinned tools').waitFor();
    },
  ],
  'an identity': [
    'editor',
    async (window) => {
      await choose(window, 'Clients', 'Access');
      await window
        .getByRole('columnheader', { name: /^editor/ })
        .getByRole('button')
        .click();
    },
  ],
  'what an identity may call': [
    'What editor can use in tools',
    async (window) => {
      await choose(window, 'Clients', 'Access');
      await window.getByRole('button', { name: /^editor, tools: / }).click();
      await window.getByText('Allowed by default.').first().waitFor();
    },
  ],
  'a new agent': [
    'New agent',
    async (window) => {
      await choose(window, 'Clients', 'Access');
      await window.getByRole('button', { name: 'New agent' }).click();
    },
  ],
  'reviewing held tools': [
    'Review changed tools in “tools”',
    async (window) => {
      await openServer(window, 'tools', 'Overview');
      await window.getByRole('button', { name: 'Review', exact: true }).click();
      await window.getByRole('region', { name: 'Warnings' }).first().waitFor();
    },
  ],
  'a new secret': [
    'Add secret',
    async (window) => {
      await choose(window, 'Settings', 'Secrets');
      await window.getByRole('button', { name: 'Add secret' }).first().click();
    },
  ],
  'moving a tool to a skill': [
    'Move to a skill',
    async (window) => {
      await choose(window, 'Tools', 'By skill');
      await window
        .getByRole('button', { name: /^Actions for/ })
        .first()
        .click();
      await window.getByRole('menuitem', { name: 'Move to skill…' }).click();
    },
  ],
  'a support bundle': [
    'Support bundle',
    async (window) => {
      await choose(window, 'Settings', 'About');
      await window.getByRole('button', { name: 'Create support bundle' }).click();
      await window.getByText('== Server').first().waitFor();
    },
  ],
  licences: [
    'Licenses',
    async (window) => {
      await choose(window, 'Settings', 'About');
      await window.getByRole('button', { name: 'Show' }).click();
      await window.getByText('MIT License').first().waitFor();
    },
  ],
  shortcuts: ['Keyboard shortcuts', (window) => window.keyboard.press('?')],
  palette: ['Command palette', (window) => window.keyboard.press('Control+k')],
  'a quit': ['Quit Patchbay?', (window) => runCommand(window, 'Quit Patchbay')],
};

/** In both themes; but for its colours a page is the same in the dark, and only they are looked at there. */
async function violations(window: Page): Promise<readonly string[]> {
  return [...(await axe(window, {})), ...(await inDark(window))];
}

/** Below a dialog lies a page whose colours were looked at before: only those of what lies above are. */
async function violationsWithDialog(window: Page): Promise<readonly string[]> {
  const inLight = [
    ...(await axe(window, { rules: { 'color-contrast': { enabled: false } } })),
    ...(await axe(window, onlyColours, above)),
  ];
  return [...inLight, ...(await inDark(window, above))];
}

async function inDark(window: Page, part?: string): Promise<readonly string[]> {
  await showTheme(window, 'dark');
  const found = await axe(window, onlyColours, part);
  await showTheme(window, 'light');
  return found.map((one) => `dark: ${one}`);
}

type RunOptions = Parameters<AxeBuilder['options']>[0];

const onlyColours: RunOptions = { runOnly: ['color-contrast'] };
/** Everything that lies above the page: dialogs, menus and messages. */
const above = '[data-portal]';

/** Looks at the whole page, or at a part of it, which has to be there. */
async function axe(window: Page, options: RunOptions, part?: string): Promise<readonly string[]> {
  // To read all of axe's source again would take longer than the look.
  const axeSource = (await window.evaluate('typeof axe')) === 'undefined' ? {} : { axeSource: ';' };
  const look = new AxeBuilder({ page: window, ...axeSource })
    .setLegacyMode(true)
    // Passed results are not collected, since that takes most of the time.
    .options({ resultTypes: ['violations'], ...options })
    .exclude('[data-portal]:has([role="tooltip"])');
  const { violations: found } = await (part === undefined ? look : look.include(part)).analyze();
  return found.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(' ')}`));
}

/** As the system has it, which the window follows. */
async function showTheme(window: Page, theme: 'light' | 'dark'): Promise<void> {
  await window.emulateMedia({ reducedMotion: 'reduce', colorScheme: theme });
  await window.locator(`html[data-mantine-color-scheme="${theme}"]`).waitFor({ state: 'attached' });
}

/** The app with something everywhere: a client that has called, held tools, a failed server. */
async function furnishedApp(folder: string, theme: string): Promise<RunningApp & AsyncDisposable> {
  const { home, dir, change } = await fullHouse(folder, { theme });
  vi.stubEnv('HOME', home);
  vi.stubEnv('XDG_CONFIG_HOME', '');
  const app = await startApp(dir);
  for (const key of ['tools', 'everything']) await app.row(key).getByText('Connected').first().waitFor();
  await app.row('dead').getByText('Failed').first().waitFor();
  const client = await connectBridge(dir, 'editor');
  await client.callTool({ name: 'everything__get-sum', arguments: { a: 1, b: 2 } });
  await change();
  await app.row('tools').getByRole('button', { name: 'Review 2 changed tools of tools' }).waitFor();
  return Object.assign(app, {
    [Symbol.asyncDispose]: async () => {
      await client.close();
      await app.quit();
    },
  });
}

afterEach(() => vi.unstubAllEnvs());

describe.skipIf(process.platform !== 'linux')('every screen of the packaged app', () => {
  it('[PB-A11Y-1] is axe-clean in both themes, and every dialog holds the focus and closes by Escape', async () => {
    await using folder = await tempDir();
    await using app = await furnishedApp(folder.path, 'system');
    const { window } = app;
    await showTheme(window, 'light');
    const found: Record<string, readonly string[]> = {};
    for (const [name, way] of Object.entries(pages)) {
      await way(window);
      found[name] = await violations(window);
    }
    for (const [name, [title, way]] of Object.entries(dialogs)) {
      await way(window);
      const dialog = window.getByRole('dialog', { name: title, exact: true });
      await dialog.waitFor();
      found[name] = await violationsWithDialog(window);
      const holds = () => dialog.evaluate((element) => element.contains(document.activeElement));
      await eventually(async () => expect(await holds(), name).toBe(true));
      await window.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
    }
    expect(Object.fromEntries(Object.entries(found).filter(([, ids]) => ids.length > 0))).toEqual({});
  }, 900_000); // A hundred looks of axe at a whole page, each some seconds on a busy machine.
});

/** Needs the display, the keyring and the message bus of the tests, which are Linux's. */
describe.skipIf(process.platform !== 'linux')('the look of the packaged app', () => {
  const furnished = useApp((folder) => furnishedApp(folder, 'light'));

  it('[PB-APP-1] heads of lists stand above their columns, with and without a scroll bar', async () => {
    const { window } = furnished();
    const right = (part: Locator) =>
      part.first().evaluate((element) => Math.round(element.getBoundingClientRect().right));
    const stands = async (head: Locator, cell: Locator) => expect(await right(head)).toBe(await right(cell));
    const servers = window.getByRole('table', { name: 'Servers' });
    await stands(
      servers.locator('[role="columnheader"][data-column="actions"]'),
      servers.locator('[role="cell"][data-column="actions"]'),
    );
    for (const [page, list] of [
      ['Calls', 'Activity list'],
      ['Audit', 'Audit log'],
    ] as const) {
      await choose(window, 'Activity', page);
      const rows = window.getByRole('region', { name: list });
      await rows.getByRole('button').first().waitFor();
      await stands(
        rows.locator('xpath=preceding-sibling::*[1]/*[last()]'),
        rows.getByRole('button').first().locator('xpath=*[last()]'),
      );
    }
    await choose(window, 'Clients', 'Clients');
    await window.getByRole('button', { name: 'Tools editor sees' }).click();
    const tools = window.getByRole('table', { name: 'Tools' });
    await stands(tools.getByRole('columnheader', { name: 'Calls' }), tools.getByRole('cell').nth(3));
  });

  it('[PB-A11Y-1] shows in high contrast what is on, selected or open, and where a dialog ends', async () => {
    const { app, window } = furnished();
    await window.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' });
    const look = (element: Locator) =>
      element.first().evaluate((found) => {
        const { backgroundColor, outlineStyle, color } = getComputedStyle(found);
        return [backgroundColor, outlineStyle, color].join();
      });
    // Colours pass over into each other.
    const different = (one: Locator, other: Locator) =>
      eventually(async () => expect(await look(one)).not.toBe(await look(other)));
    const track = (key: string) => app.row(key).locator('.mantine-Switch-track');
    await different(track('tools'), track('off'));
    const main = window.getByRole('navigation', { name: 'Main' });
    await different(
      main.getByRole('button', { name: /^Servers/ }),
      main.getByRole('button', { name: /^Tools/ }),
    );
    const label = (text: RegExp) => window.locator('.mantine-SegmentedControl-label', { hasText: text });
    await different(label(/^All/), label(/^Running/));
    await openServer(window, 'tools', 'Tools');
    await different(
      window.getByRole('tab', { name: /^Tools/ }),
      window.getByRole('tab', { name: /^Overview/ }),
    );
    await openAdd(window, 'Import from apps');
    const content = window.locator('.mantine-Modal-content');
    expect(await content.evaluate((found) => getComputedStyle(found).borderStyle)).toBe('solid');
  });
});
