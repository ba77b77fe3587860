import type { Page } from 'playwright-core';
import { openView, type Screen } from './screen.ts';

/** Screens of search, by words and by skill. */
export const searchScreens: readonly Screen[] = [
  { name: 'found', scenario: 'rich', go: (page) => search(page, 'issues labels') },
  {
    name: 'found-narrowed',
    scenario: 'rich',
    go: async (page) => {
      await search(page, 'delete');
      await page.getByRole('combobox', { name: 'Risk' }).click();
      await page.getByRole('option', { name: 'Destructive' }).click();
      await page.getByText(/match/).first().waitFor();
    },
  },
  {
    name: 'found-and-open',
    scenario: 'rich',
    go: async (page) => {
      await search(page, 'github merge');
      await page.getByRole('button', { name: 'merge_pull_request' }).first().click();
      await page.getByText('Patchbay ID').waitFor();
    },
  },
  { name: 'found-by-name', scenario: 'rich', go: (page) => search(page, 'delete') },
  {
    name: 'turn-question',
    scenario: 'rich',
    go: async (page) => {
      await search(page, 'delete');
      await page.getByRole('button', { name: /^Turn off \d+ tools$/ }).click();
      await page.getByRole('dialog').getByText('You can undo this.').waitFor();
    },
  },
  { name: 'found-many', scenario: 'many', go: (page) => search(page, 'commit') },
  { name: 'found-nothing', scenario: 'rich', go: (page) => search(page, 'zzz') },
  {
    name: 'found-failed',
    scenario: 'rich',
    go: async (page) => {
      await openView(page, 'Tools');
      await fail(page, 'search.find');
      await page.getByLabel('Search name, description or server').fill('issue');
      await page.getByText('Patchbay is not running.').waitFor();
    },
  },
  {
    name: 'palette-found',
    scenario: 'rich',
    go: async (page) => {
      await page.keyboard.press('Control+k');
      await page.getByPlaceholder('Search commands, servers and tools').fill('triage');
      await page.getByText('triage', { exact: true }).waitFor();
    },
  },
  {
    name: 'palette-nothing',
    scenario: 'rich',
    go: async (page) => {
      await page.keyboard.press('Control+k');
      await page.getByPlaceholder('Search commands, servers and tools').fill('zzzz');
      await page.getByText('Nothing found for').waitFor();
    },
  },
  { name: 'skills', scenario: 'rich', go: (page) => openSkills(page) },
  {
    name: 'skill-tool',
    scenario: 'rich',
    go: async (page) => {
      await openSkills(page);
      await page.getByRole('button', { name: 'get_issues', exact: true }).first().click();
      await page.getByText('Patchbay ID').waitFor();
    },
  },
  { name: 'skills-many', scenario: 'many', go: (page) => openSkills(page) },
  {
    name: 'skills-unclassified',
    scenario: 'rich',
    go: async (page) => {
      await openSkills(page);
      await page.getByRole('button', { name: /^Not classified/ }).click();
      await page.getByRole('heading', { name: 'Not classified' }).waitFor();
    },
  },
  {
    name: 'skills-empty-one',
    scenario: 'rich',
    go: async (page) => {
      await openSkills(page);
      await page.getByRole('button', { name: 'Show 1 empty skill' }).click();
      await page.getByRole('button', { name: /^Web browsing/ }).click();
      await page.getByText('No tool has this skill').waitFor();
    },
  },
  {
    name: 'skills-menu',
    scenario: 'rich',
    go: async (page) => {
      await openSkills(page);
      await page
        .getByRole('button', { name: /^Actions for/ })
        .first()
        .click();
      await page.getByRole('menuitem', { name: 'Move to skill…' }).waitFor();
    },
  },
  { name: 'skills-move', scenario: 'rich', go: openMove },
  {
    name: 'skills-moved',
    scenario: 'rich',
    go: async (page) => {
      await openMove(page);
      await page.getByLabel('Skill', { exact: true }).fill('files');
      await page.keyboard.press('Enter');
      await page.getByText('is now under Files and folders.').waitFor();
      await page.getByRole('button', { name: /^Files and folders/ }).click();
      await page.getByText('by you').waitFor();
    },
  },
  {
    name: 'skills-review',
    scenario: 'rich',
    go: async (page) => {
      await openSkills(page);
      await page.getByRole('button', { name: /^To review/ }).click();
      await page.getByText('Releasing software').waitFor();
    },
  },
  {
    name: 'skills-classifying',
    scenario: 'rich',
    go: async (page) => {
      await openSkills(page);
      await page.getByRole('button', { name: 'Classify again' }).click();
      await page.getByRole('menuitem', { name: 'Tools of all servers' }).click();
      await page.getByText('Classifying:').waitFor();
    },
  },
  {
    name: 'skills-failed',
    scenario: 'rich',
    go: async (page) => {
      await openView(page, 'Tools');
      await fail(page, 'skill.view');
      await page.locator('label', { hasText: /^By skill$/ }).click();
      await page.getByText('Patchbay is not running.').waitFor();
    },
  },
  { name: 'settings-search', scenario: 'rich', go: openSearchSettings },
  {
    name: 'settings-search-model',
    scenario: 'rich',
    go: async (page) => {
      await openSearchSettings(page);
      await page.getByRole('combobox', { name: 'Classifier' }).click();
      await page.getByRole('option', { name: 'OpenAI-compatible API' }).click();
      const group = page.getByRole('region', { name: 'Tool skills' });
      await group.getByLabel('Model').fill('qwen3:8b');
      await group.getByRole('button', { name: 'Test' }).click();
      await page.getByText('It responded').waitFor();
    },
  },
  { name: 'settings-search-meaning', scenario: 'rich', go: (page) => useOllama(page, 'The rest are found') },
  { name: 'settings-search-meaning-ready', scenario: 'rich', go: (page) => useOllama(page, 'Ready:') },
  {
    name: 'settings-search-meaning-failed',
    scenario: 'rich',
    go: async (page) => {
      await useOllama(page, 'Ready:');
      await page.evaluate(() =>
        window.harness?.push('meaning.changed', {
          kind: 'failed',
          problem: {
            code: 'search.provider_failed',
            sentence: 'http://127.0.0.1:11434 does not answer.',
            fix: 'See whether it runs, and whether the address is right.',
            evidence: [{ label: 'reason', value: 'connect ECONNREFUSED 127.0.0.1:11434' }],
          },
        }),
      );
      await page.getByText('http://127.0.0.1:11434 does not answer.').waitFor();
    },
  },
  {
    name: 'settings-search-refused',
    scenario: 'rich',
    go: async (page) => {
      await openSearchSettings(page);
      await page.getByRole('combobox', { name: 'Search by meaning' }).click();
      await page.getByRole('option', { name: 'Ollama' }).click();
      await page.evaluate(() =>
        window.harness?.failNext('search.test', {
          code: 'search.provider_failed',
          sentence: 'http://127.0.0.1:11434 does not answer.',
          fix: 'See whether it runs, and whether the address is right.',
          evidence: [{ label: 'reason', value: 'connect ECONNREFUSED 127.0.0.1:11434' }],
        }),
      );
      const group = page.getByRole('region', { name: 'Semantic search' });
      await group.getByLabel('Model').fill('nomic-embed-text');
      await group.getByRole('button', { name: 'Test' }).click();
      await page.getByText('http://127.0.0.1:11434 does not answer.').waitFor();
    },
  },
];

export async function search(page: Page, text: string): Promise<void> {
  await openView(page, 'Tools');
  await page.getByLabel('Search name, description or server').fill(text);
  await page.getByText(/match/).first().waitFor();
}

export async function openSkills(page: Page): Promise<void> {
  await openView(page, 'Tools');
  await page.locator('label', { hasText: /^By skill$/ }).click();
  await page.getByRole('list', { name: 'Tools of this skill' }).waitFor();
}

async function openMove(page: Page): Promise<void> {
  await openSkills(page);
  await page
    .getByRole('button', { name: /^Actions for/ })
    .first()
    .click();
  await page.getByRole('menuitem', { name: 'Move to skill…' }).click();
  await page.getByLabel('Skill', { exact: true }).waitFor();
}

/** Waits until its state says `said`. */
async function useOllama(page: Page, said: string): Promise<void> {
  await openSearchSettings(page);
  await page.getByRole('combobox', { name: 'Search by meaning' }).click();
  await page.getByRole('option', { name: 'Ollama' }).click();
  const group = page.getByRole('region', { name: 'Semantic search' });
  await group.getByLabel('Model').fill('nomic-embed-text');
  await group.getByRole('button', { name: 'Use it' }).click();
  await group.getByText(said).waitFor();
}

async function openSearchSettings(page: Page): Promise<void> {
  await openView(page, 'Settings');
  await page.locator('label', { hasText: /^Search$/ }).click();
  await page.getByRole('combobox', { name: 'Classifier' }).waitFor();
}

async function fail(page: Page, call: 'search.find' | 'skill.view'): Promise<void> {
  await page.evaluate((name) => {
    window.harness?.failNext(name, {
      code: 'hub.unreachable',
      sentence: 'Patchbay is not running.',
      fix: 'Start it again.',
      evidence: [],
    });
  }, call);
}
