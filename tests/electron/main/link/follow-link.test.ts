import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { maxLinkLength } from '../../../../electron/main/link/add-link.ts';
import { followLink } from '../../../../electron/main/link/follow-link.ts';
import { claimLinks, LinkInbox } from '../../../../electron/main/link/link-inbox.ts';
import { ProblemError, problem } from '../../../../shared/error/problem.ts';
import type { ImportPreview } from '../../../../shared/model/import/import-session.ts';
import { FakeHub } from '../../../helper/fake-hub.ts';

const preview: ImportPreview = {
  session: 's',
  title: 'Pasted text',
  entries: [],
  inputs: [],
  issues: [],
  apps: [],
};
const link = 'patchbay://add?name=docs&url=https%3A%2F%2Fexample.com%2Fmcp';

describe('following a link', () => {
  it('[PB-APP-1] waits for the hub, then shows what the link would add, with a warning', async () => {
    const { happened, options } = shell();
    await followLink(link, options);
    expect(happened).toEqual([
      'window',
      'settled',
      'parse {"mcpServers":{"docs":{"url":"https://example.com/mcp"}}}',
      'preview A link, warning',
    ]);
  });

  it('[PB-SAFE-1] a bad link reaches only the window', async () => {
    const { happened, options } = shell();
    await followLink('patchbay://add?run=1', options);
    expect(happened).toEqual(['window', 'refused app.refused_link']);
  });

  it('[PB-APP-1] a hub that is not running is reported', async () => {
    const { happened, options } = shell(new ProblemError(problem('hub.already_running', 'No.', 'Do.')));
    await followLink(link, options);
    expect(happened.at(-1)).toBe('refused hub.already_running');
  });
});

describe('links that the system hands over', () => {
  it('[PB-APP-1] are queued until there is a listener, then passed on at once, each cut to a limit', () => {
    const app = new EventEmitter();
    const prevented: string[] = [];
    const open = (url: string) => app.emit('open-url', { preventDefault: () => prevented.push(url) }, url);
    const inbox = new LinkInbox(app as unknown as ConstructorParameters<typeof LinkInbox>[0]);
    for (const number of [1, 2, 3, 4, 5, 6, 7]) open(`patchbay://${number}`);
    const heard: string[] = [];
    inbox.follow((opened) => heard.push(opened));
    expect(heard).toEqual([1, 2, 3, 4, 5].map((number) => `patchbay://${number}`));
    open(`patchbay://${'x'.repeat(maxLinkLength * 2)}`);
    expect(heard.at(-1)).toHaveLength(maxLinkLength + 1);
    expect(prevented).toHaveLength(8);
  });

  it.each([
    ['win32', ['patchbay']],
    ['darwin', ['patchbay']],
    // The desktop entry of the package has the scheme.
    ['linux', []],
  ] as const)('[PB-APP-1] are claimed on %s by %j', (platform, schemes) => {
    const claimed: string[] = [];
    claimLinks({ setAsDefaultProtocolClient: (scheme) => claimed.push(scheme) > 0 }, platform);
    expect(claimed).toEqual(schemes);
  });
});

function shell(failure?: Error) {
  const happened: string[] = [];
  const fake = new FakeHub();
  fake.outputs = {
    'import.parse': ({ text }) => {
      happened.push(`parse ${text}`);
      return preview;
    },
  };
  const options = {
    hub: {
      async settled() {
        happened.push('settled');
        return true;
      },
      get hub() {
        if (failure !== undefined) throw failure;
        return fake;
      },
    },
    showWindow: () => void happened.push('window'),
    showPreview: ({ title, issues }: ImportPreview) =>
      void happened.push(`preview ${title}, ${issues.map(({ severity }) => severity)}`),
    showRefusal: ({ code }: { code: string }) => void happened.push(`refused ${code}`),
  };
  return { happened, options };
}
