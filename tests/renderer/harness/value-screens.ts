import type { Page } from 'playwright-core';
import type { Problem } from '../../../shared/error/problem.ts';
import type { MissingValue } from '../../../shared/model/server/missing-value.ts';
import type { ServerView } from '../../../shared/model/server/server.ts';
import { openServer, type Screen } from './screen.ts';

const evidence = [
  { label: 'url', value: 'https://search.example.com/sse' },
  { label: 'status', value: '401' },
  { label: 'the server said', value: 'API key missing' },
  { label: 'header', value: 'Authorization: Bearer …' },
];
const header = { kind: 'header', header: 'Authorization', scheme: 'Bearer' } as const;
const keyNeeded: Problem = {
  code: 'server.key_needed',
  sentence: 'This server needs an API key.',
  fix: 'Enter the key.',
  evidence,
};

/** Shows the page of a fake server in another state. */
async function openAs(page: Page, key: string, change: Partial<ServerView>): Promise<void> {
  await openServer(page, key);
  await page.evaluate(([name, next]) => window.harness?.changeServer(name, next), [key, change] as const);
}

/** Opens a remote server that needs a key, or one that rejected it. */
export function openKeyNeeded(page: Page, isRefused = false): Promise<void> {
  const problem: Problem = isRefused
    ? {
        ...keyNeeded,
        code: 'server.key_refused',
        sentence: 'The server refused this key.',
        fix: 'Enter another key.',
      }
    : keyNeeded;
  const place = isRefused ? { ...header, replaces: 'Authorization' } : header;
  return openAs(page, 'legacy-search', {
    status: 'needs-auth',
    problem,
    missing: [{ place, label: 'API key' }],
  });
}

export function openClientNeeded(page: Page): Promise<void> {
  return openAs(page, 'linear', {
    problem: {
      code: 'server.client_id_needed',
      sentence: 'Signing in to this server needs a client ID.',
      fix: 'Register Patchbay as an app with the service, then enter the client ID it gives you (patchbay.oauth.clientId).',
      evidence: [],
    },
  });
}

export function openVariableMissing(page: Page, ...names: readonly string[]): Promise<void> {
  const missing = names.map((name): MissingValue => ({ place: { kind: 'variable', name }, label: name }));
  return openAs(page, 'postgres', {
    missing,
    problem: {
      code: 'config.missing_env_var',
      sentence:
        names.length === 1
          ? `The variable ${names[0]} is not set.`
          : `The variables ${names.join(' and ')} are not set.`,
      fix: 'Enter the value, set the variable where Patchbay starts, or give the reference a default after ":-".',
      evidence: names.map((name) => ({ label: `env.${name}`, value: 'line 12, column 9' })),
    },
  });
}

export function openPlaceholder(page: Page): Promise<void> {
  return openAs(page, 'memory', {
    missing: [{ place: { kind: 'placeholder', field: 'env.GITHUB_TOKEN' }, label: 'GITHUB_TOKEN' }],
    warnings: [
      {
        code: 'config.placeholder',
        sentence: 'GITHUB_TOKEN still contains a placeholder.',
        fix: 'Enter the value.',
        evidence: [{ label: 'field', value: 'env.GITHUB_TOKEN' }],
      },
    ],
  });
}

/** Screens of missing values and the fields to enter them. */
export const valueScreens: readonly Screen[] = [
  { name: 'key-needed', scenario: 'rich', go: (page) => openKeyNeeded(page) },
  {
    name: 'key-more',
    scenario: 'rich',
    go: async (page) => {
      await openKeyNeeded(page);
      await page.getByText('More', { exact: true }).click();
      await page.getByLabel('Prefix').waitFor();
    },
  },
  { name: 'key-refused', scenario: 'rich', go: (page) => openKeyNeeded(page, true) },
  { name: 'client-id-needed', scenario: 'rich', go: openClientNeeded },
  { name: 'variable-missing', scenario: 'rich', go: (page) => openVariableMissing(page, 'ACME_API_KEY') },
  {
    name: 'variables-missing',
    scenario: 'rich',
    go: async (page) => {
      await openVariableMissing(page, 'ACME_API_KEY', 'ACME_REGION');
      await page.getByRole('button', { name: 'Enter ACME_API_KEY' }).click();
      await page.getByLabel('ACME_API_KEY', { exact: true }).waitFor();
    },
  },
  { name: 'placeholder', scenario: 'rich', go: openPlaceholder },
];
