import type { Page } from 'playwright-core';
import { sampleQuestion, sampleSampling } from './sample-answers.ts';
import { openView, type Screen } from './screen.ts';

/** Screens of the tester. */
export const testerScreens: readonly Screen[] = [
  { name: 'tester', scenario: 'rich', go: (page) => tryTool(page, 'create_issues') },
  { name: 'tester-form-filled', scenario: 'rich', go: fill },
  {
    name: 'tester-json',
    scenario: 'rich',
    go: async (page) => {
      await fill(page);
      await page.getByText('JSON', { exact: true }).first().click();
      await page.locator('.cm-content').waitFor();
    },
  },
  { name: 'tester-answer', scenario: 'rich', go: (page) => run(page, 'list_issues') },
  { name: 'tester-media', scenario: 'rich', go: (page) => run(page, 'get_issues') },
  { name: 'tester-tool-failed', scenario: 'rich', go: (page) => run(page, 'delete_issues') },
  { name: 'tester-error', scenario: 'rich', go: (page) => run(page, 'merge_issues') },
  {
    name: 'tester-tree',
    scenario: 'rich',
    go: async (page) => {
      await run(page, 'get_issues');
      await page.getByText('Tree', { exact: true }).click();
    },
  },
  {
    name: 'tester-missing',
    scenario: 'rich',
    go: async (page) => {
      await tryTool(page, 'watch_issues');
      await page.getByRole('button', { name: 'Run', exact: true }).click();
      await page.getByText(/^Missing: /).waitFor();
    },
  },
  {
    name: 'tester-running',
    scenario: 'rich',
    go: async (page) => {
      await tryTool(page, 'watch_issues');
      await runAnyway(page);
      await page.getByText('2 of 8: Reading the second page').waitFor();
    },
  },
  {
    name: 'tester-history',
    scenario: 'rich',
    go: async (page) => {
      await run(page, 'list_issues');
      await page.getByText('History', { exact: true }).click();
      await page.getByRole('list', { name: 'Runs' }).getByText('Succeeded').click();
    },
  },
  {
    name: 'tester-prompt',
    scenario: 'rich',
    go: async (page) => {
      await tryTool(page, 'create_issues');
      await page.getByLabel('Search tools and prompts').fill('review');
      await page.getByRole('button', { name: 'Review a change' }).click();
      await page.getByLabel('tone').click();
      await page.getByText('plain').waitFor();
    },
  },
  {
    name: 'tester-template',
    scenario: 'rich',
    go: async (page) => {
      await tryTool(page, 'create_issues');
      await page.getByLabel('Search tools and prompts').fill('file of');
      await page.getByRole('button', { name: 'A file of a repository' }).click();
      await page.getByRole('combobox', { name: 'owner' }).fill('ada');
      await page.getByRole('combobox', { name: 'repo' }).fill('engine');
      await page.getByRole('button', { name: 'Read', exact: true }).click();
      await page.getByText('The engine').waitFor();
    },
  },
  {
    name: 'tester-save-check',
    scenario: 'rich',
    go: async (page) => {
      await run(page, 'list_issues');
      await page.getByRole('button', { name: 'Save as check' }).click();
      await page.getByLabel('Name', { exact: true }).waitFor();
    },
  },
  {
    name: 'tester-checks',
    scenario: 'rich',
    go: async (page) => {
      for (const name of ['list_issues', 'get_issues']) await saveCheck(page, name);
      await page.getByText(/^Checks/).click();
      await page.getByRole('button', { name: 'Run all' }).click();
      await page.getByText('total is missing.').waitFor();
    },
  },
  {
    name: 'tester-checks-empty',
    scenario: 'rich',
    go: async (page) => {
      await tryTool(page, 'create_issues');
      await page.getByText(/^Checks/).click();
      await page.getByText('No checks yet').waitFor();
    },
  },
  {
    name: 'tester-question',
    scenario: 'rich',
    go: async (page) => {
      await page.evaluate((question) => window.harness?.push('tester.question', question), sampleQuestion);
      await page.getByLabel(/Branch/).fill('main');
    },
  },
  {
    name: 'tester-sampling',
    scenario: 'rich',
    go: async (page) => {
      await page.evaluate((question) => window.harness?.push('tester.question', question), sampleSampling);
      await page.getByLabel('Answer', { exact: true }).fill('mend-login');
    },
  },
];

async function tryTool(page: Page, name: string): Promise<void> {
  if ((await page.getByRole('button', { name: 'Back' }).count()) > 0) {
    await page.getByRole('button', { name: 'Back' }).click();
  }
  await openView(page, 'Tools');
  await page.getByLabel('Search name, description or server').fill(`github ${name}`);
  await page.getByRole('button', { name, exact: true }).first().click();
  await page.getByRole('button', { name: 'Try it' }).click();
  await page.getByRole('heading', { name: /^Try / }).waitFor();
  await page.getByRole('button', { name: 'Run', exact: true }).waitFor();
}

async function run(page: Page, name: string): Promise<void> {
  await tryTool(page, name);
  await page.getByLabel(/^owner/).fill('ada');
  await page.getByLabel(/^repo/).fill('engine');
  await runAnyway(page);
  await page.getByRole('button', { name: 'Save', exact: true }).waitFor();
}

async function fill(page: Page): Promise<void> {
  await tryTool(page, 'create_issues');
  await page.getByLabel(/^owner/).fill('ada');
  await page.getByRole('button', { name: 'Add to labels' }).click();
  await page
    .getByRole('textbox', { name: /labels/ })
    .first()
    .fill('bug');
  await page.getByLabel(/^number/).fill('12345678901234567890');
  await page.getByText('The form would round this number').waitFor();
}

async function saveCheck(page: Page, name: string): Promise<void> {
  await run(page, name);
  await page.getByRole('button', { name: 'Save as check' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

/** Runs even if a required field is empty. */
async function runAnyway(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  const anyway = page.getByRole('button', { name: 'Run anyway' });
  if (await anyway.isVisible()) await anyway.click();
}
