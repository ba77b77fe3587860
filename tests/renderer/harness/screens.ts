import type { Page } from 'playwright-core';
import { aboutScreens } from './about-screens.ts';
import { accessScreens } from './access-screens.ts';
import { activityScreens } from './activity-screens.ts';
import { approvalScreens } from './approval-screens.ts';
import { backupScreens } from './backup-screens.ts';
import { clientScreens } from './client-screens.ts';
import { connectScreens } from './connect-screens.ts';
import { draftScreens } from './draft-screens.ts';
import { firstStepsScreens } from './first-steps-screens.ts';
import { governScreens } from './govern-screens.ts';
import { guardScreens } from './guard-screens.ts';
import { importScreens } from './import-screens.ts';
import { linkScreens } from './link-screens.ts';
import { profileScreens } from './profile-screens.ts';
import { openServer, openView, type Screen } from './screen.ts';
import { searchScreens } from './search-screens.ts';
import { secretScreens } from './secret-screens.ts';
import { stayingScreens } from './staying-screens.ts';
import { testerScreens } from './tester-screens.ts';
import { valueScreens } from './value-screens.ts';

/** Every screen of the window in every state. */
export const screens: readonly Screen[] = [
  { name: 'servers', scenario: 'rich' },
  {
    name: 'servers-selected',
    scenario: 'rich',
    go: async (page) => {
      await page.getByRole('checkbox', { name: 'Select github' }).click({ force: true });
      await page.getByRole('checkbox', { name: 'Select memory' }).click({ force: true });
      await page.getByRole('toolbar', { name: 'Selected servers' }).waitFor();
    },
  },
  {
    name: 'servers-tags',
    scenario: 'rich',
    go: async (page) => {
      await page.getByRole('checkbox', { name: 'Select filesystem' }).click({ force: true });
      await page.getByRole('button', { name: 'Tags…' }).click();
      await page.getByRole('dialog', { name: 'Tags of filesystem' }).waitFor();
    },
  },
  { name: 'servers-empty', scenario: 'empty' },
  { name: 'servers-loading', scenario: 'loading' },
  { name: 'servers-many', scenario: 'many' },
  { name: 'hub-problems', scenario: 'broken' },
  { name: 'link-lost', scenario: 'lost' },
  { name: 'hub-elsewhere', scenario: 'elsewhere' },
  { name: 'servers-no-match', scenario: 'rich', go: (page) => page.getByLabel('Search servers').fill('zzz') },
  { name: 'server-overview', scenario: 'rich', go: (page) => openServer(page, 'github') },
  { name: 'server-failed', scenario: 'rich', go: (page) => openServer(page, 'postgres') },
  { name: 'server-warning', scenario: 'rich', go: (page) => openServer(page, 'sentry') },
  { name: 'server-needs-auth', scenario: 'rich', go: (page) => openServer(page, 'linear') },
  { name: 'server-signed-in', scenario: 'rich', go: (page) => openServer(page, 'sentry') },
  {
    name: 'sign-in-waiting',
    scenario: 'rich',
    go: async (page) => {
      await page.getByRole('button', { name: 'Sign in: linear' }).click();
      await page.getByText('Waiting for the browser…').waitFor();
      await openServer(page, 'linear');
    },
  },
  {
    name: 'sign-in-list-waiting',
    scenario: 'rich',
    go: async (page) => {
      await page.getByRole('button', { name: 'Sign in: linear' }).click();
      await page.getByText('Waiting for the browser…').waitFor();
    },
  },
  {
    name: 'sign-in-failed',
    scenario: 'rich',
    go: async (page) => {
      await openServer(page, 'linear');
      await page.evaluate(() =>
        window.harness?.changeServer('linear', {
          auth: {
            signedIn: false,
            pending: false,
            problem: {
              code: 'server.sign_in_failed',
              sentence: 'The sign-in was refused.',
              fix: 'Sign in again and allow the access.',
              evidence: [{ label: 'error', value: 'access_denied' }],
            },
          },
        }),
      );
      await page.getByRole('region', { name: 'Overview' }).getByText('The sign-in was refused.').waitFor();
    },
  },
  { name: 'server-tools', scenario: 'rich', go: (page) => openServer(page, 'github', 'Tools') },
  {
    name: 'server-tool-schema',
    scenario: 'rich',
    go: async (page) => {
      await openServer(page, 'github', 'Tools');
      await page.getByRole('button', { name: 'get_issues', exact: true }).click();
      await page.getByText('Patchbay ID').waitFor();
    },
  },
  { name: 'server-log', scenario: 'rich', go: (page) => openServer(page, 'github', 'Log') },
  {
    name: 'server-log-search',
    scenario: 'rich',
    go: async (page) => {
      await openServer(page, 'github', 'Log');
      await page.getByLabel('Search the log').fill('rate limit');
      await page.getByRole('button', { name: 'Next match' }).click();
    },
  },
  {
    name: 'server-config',
    scenario: 'rich',
    go: async (page) => {
      await openServer(page, 'github', 'Config');
      await page.locator('.cm-content').waitFor({ state: 'attached' });
    },
  },
  {
    name: 'server-config-error',
    scenario: 'rich',
    go: async (page) => {
      await openServer(page, 'github', 'Config');
      await page.locator('.cm-content').waitFor({ state: 'attached' });
      await page.getByLabel('Name', { exact: true }).fill('memory');
      await page.getByLabel('Command', { exact: true }).fill('');
      await page.getByText('2 errors to fix').waitFor();
    },
  },
  {
    name: 'unsaved-changes',
    scenario: 'rich',
    go: async (page) => {
      await openServer(page, 'github', 'Config');
      await page.getByLabel('Command', { exact: true }).fill('bunx');
      await page
        .getByRole('navigation')
        .getByRole('button', { name: /^Tools/ })
        .click();
    },
  },
  ...draftScreens,
  ...stayingScreens,
  ...guardScreens,
  ...clientScreens,
  ...profileScreens,
  ...approvalScreens,
  ...accessScreens,
  ...searchScreens,
  ...testerScreens,
  ...secretScreens,
  ...valueScreens,
  ...connectScreens,
  ...importScreens,
  { name: 'add-form', scenario: 'rich', go: addServer },
  {
    name: 'add-form-remote',
    scenario: 'rich',
    go: async (page) => {
      await addServer(page);
      await page.getByLabel('Name', { exact: true }).fill('github');
      await page.getByText('Remote URL').click();
      await page.getByRole('button', { name: 'Add header' }).click();
      await page.getByText('There is a server named github already.').waitFor();
    },
  },
  {
    name: 'add-form-name',
    scenario: 'rich',
    go: async (page) => {
      await addServer(page);
      await page.getByLabel('Command', { exact: true }).fill('npx');
      await page.getByLabel('Name', { exact: true }).fill('My Files');
      await page.getByRole('button', { name: 'Use my-files' }).waitFor();
    },
  },
  {
    name: 'add-paste',
    scenario: 'rich',
    go: async (page) => {
      await pasteInto(page, pasted);
      await page.getByText('Found 3 servers').waitFor();
    },
  },
  {
    name: 'add-paste-empty',
    scenario: 'rich',
    go: (page) => pasteInto(page, ''),
  },
  {
    name: 'add-paste-to-fill-in',
    scenario: 'rich',
    go: async (page) => {
      await pasteInto(page, pasted.replace('BSA123', '<your key>'));
      await page.getByText(/ once you enter /).waitFor();
    },
  },
  {
    name: 'add-paste-bad-line',
    scenario: 'rich',
    go: async (page) => {
      await pasteInto(page, '{\n  "command" "npx",\n  "args": ["-y", "kite-mcp"]\n}');
      await page.getByText('Line 2').waitFor();
    },
  },
  {
    name: 'add-paste-a-page',
    scenario: 'rich',
    go: async (page) => {
      await pasteInto(page, 'https://github.com/acme/kite');
      await page.getByText('not an MCP server').waitFor();
    },
  },
  {
    name: 'add-paste-file',
    scenario: 'rich',
    go: async (page) => {
      await dropFile(page, 'kite.mcpb');
      await page.getByText('Found 5 servers').waitFor();
    },
  },
  {
    name: 'drop-target',
    scenario: 'rich',
    go: async (page) => {
      await page.evaluate(() => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File(['{}'], 'mcp.json'));
        document.body.dispatchEvent(new DragEvent('dragenter', { dataTransfer, bubbles: true }));
      });
      await page.getByText('Drop to add servers').waitFor();
    },
  },
  {
    name: 'removed',
    scenario: 'rich',
    go: async (page) => {
      await page.getByRole('button', { name: 'Actions for memory' }).click();
      await page.getByRole('menuitem', { name: 'Remove' }).click();
      await page.getByText('memory was removed.').waitFor();
    },
  },
  {
    name: 'palette',
    scenario: 'rich',
    go: async (page) => {
      await page.keyboard.press('Control+k');
      await page.getByPlaceholder('Search commands, servers and tools').waitFor();
    },
  },
  {
    name: 'palette-search',
    scenario: 'rich',
    go: async (page) => {
      await page.keyboard.press('Control+k');
      await page.getByPlaceholder('Search commands, servers and tools').fill('git');
      await page.getByText('github: restart').waitFor();
    },
  },
  { name: 'tools', scenario: 'rich', go: (page) => openView(page, 'Tools') },
  { name: 'tools-many', scenario: 'many', go: (page) => openView(page, 'Tools') },
  { name: 'tools-empty', scenario: 'empty', go: (page) => openView(page, 'Tools') },
  {
    name: 'tools-search',
    scenario: 'rich',
    go: async (page) => {
      await openView(page, 'Tools');
      await page.getByLabel('Search name, description or server').fill('pull merge');
      await page.getByRole('button', { name: 'merge_pull_request' }).first().click();
      await page.getByText('Patchbay ID').waitFor();
    },
  },
  {
    name: 'activity',
    scenario: 'rich',
    go: (page) => openView(page, 'Activity'),
  },
  ...activityScreens,
  ...governScreens,
  ...aboutScreens,
  ...backupScreens,
  ...linkScreens,
  ...firstStepsScreens,
  { name: 'clients', scenario: 'rich', go: (page) => openView(page, 'Clients') },
  { name: 'clients-empty', scenario: 'empty', go: (page) => openView(page, 'Clients') },
  { name: 'settings', scenario: 'rich', go: (page) => openView(page, 'Settings') },
  {
    name: 'settings-error',
    scenario: 'rich',
    go: async (page) => {
      await openView(page, 'Settings');
      await page.evaluate(() =>
        window.harness?.failNext('settings.set', {
          code: 'hub.port_in_use',
          sentence: 'Port 7421 is used by another program.',
          fix: 'Choose another port. The old one keeps serving.',
          evidence: [{ label: 'port', value: '7421' }],
        }),
      );
      await page.getByLabel('Port', { exact: true }).fill('7421');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Port 7421 is used').waitFor();
    },
  },
  {
    name: 'shortcuts',
    scenario: 'rich',
    go: async (page) => {
      await page.keyboard.press('?');
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    },
  },
];

async function pasteInto(page: Page, text: string): Promise<void> {
  await page.getByRole('button', { name: 'Add server' }).first().click();
  await page.getByLabel('Paste anything').fill(text);
}

async function dropFile(page: Page, name: string): Promise<void> {
  await page.evaluate((file) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(['x'], file));
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
  }, name);
}

async function addServer(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Add server' }).click();
  await page.getByText('Form', { exact: true }).click();
  await page.getByLabel('Name', { exact: true }).waitFor();
}

const pasted = `{
  // from another client
  "mcpServers": {
    "github": { "command": "npx", "args": ["-y", "@modelcontextprotocol/server-github"] },
    "brave-search": { "command": "npx", "args": ["-y", "@brave/brave-search-mcp-server"], "env": { "BRAVE_API_KEY": "BSA123" } },
    "notes": { "args": ["--root", "~/Notes"] },
  }
}`;
