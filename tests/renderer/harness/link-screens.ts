import type { Screen } from './screen.ts';

/** Screens of links, including a rejected one. */
export const linkScreens: readonly Screen[] = [
  {
    name: 'link-refused',
    scenario: 'rich',
    go: async (page) => {
      await page.evaluate(() =>
        window.harness?.push('command.run', {
          kind: 'refuse-link',
          problem: {
            code: 'app.refused_link',
            sentence:
              'A link to add a server was rejected. The link refers to one of your stored secrets, which only you may do.',
            fix: 'Nothing was added. Look for the server’s config where you found the link, and paste it here.',
            evidence: [],
          },
        }),
      );
      await page.getByText('was rejected').waitFor();
    },
  },
];
