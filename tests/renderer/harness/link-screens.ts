import type { Screen } from './screen.ts';

/** A link that was refused, as its problem is shown. */
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
              'A link to add a server was not followed. It refers to a secret that is stored here; only you may do that.',
            fix: 'Nothing was added. Ask for the config of the server where you found the link, and paste it here.',
            evidence: [],
          },
        }),
      );
      await page.getByText('was not followed').waitFor();
    },
  },
];
