import type { CommandExplanation } from '../../../shared/model/server/command.ts';

type Candidate = CommandExplanation['candidates'][number];

const home = '/home/ada';

const found: readonly Candidate[] = [
  {
    file: `${home}/.nvm/versions/node/v22.11.0/bin/npx`,
    realFile: `${home}/.nvm/versions/node/v22.11.0/lib/node_modules/npm/bin/npx-cli.js`,
    version: '10.9.0',
    manager: 'nvm',
    chosen: true,
    reason: 'It is in the first folder of the search that has an npx.',
  },
  {
    file: `${home}/.volta/bin/npx`,
    realFile: `${home}/.volta/bin/volta-shim`,
    version: '10.2.4',
    manager: 'volta',
    chosen: false,
    reason: 'Its folder comes later in the search.',
  },
  {
    file: '/usr/bin/npx',
    realFile: '/usr/share/nodejs/npm/bin/npx-cli.js',
    version: '9.2.0',
    chosen: false,
    reason: 'Its folder comes later in the search.',
  },
  {
    file: '/opt/old/bin/npx',
    chosen: false,
    reason: 'It is not executable.',
  },
];

/** Explains where `command` would be found on a computer with three version managers; a path is pinned. */
export function sampleExplanation(command: string): CommandExplanation {
  const pinned = command.includes('/');
  const name = command.split('/').at(-1) ?? command;
  const named = found.map((one) => ({ ...one, file: one.file.replace(/npx$/, name) }));
  const known = name !== 'obsidian-mcp-server';
  return {
    command,
    pinned,
    candidates: known ? (pinned ? pinnedTo(command, named) : named) : [],
    searched: [
      { folder: `${home}/.nvm/versions/node/v22.11.0/bin`, exists: true, source: 'login-shell' },
      { folder: `${home}/.volta/bin`, exists: true, source: 'login-shell' },
      { folder: '/usr/local/bin', exists: true, source: 'login-shell' },
      { folder: '/usr/bin', exists: true, source: 'login-shell' },
      { folder: '/opt/old/bin', exists: true, source: 'inherited' },
      { folder: '/opt/homebrew/bin', exists: false, source: 'well-known' },
      { folder: `${home}/.asdf/shims`, exists: false, source: 'well-known' },
      { folder: `${home}/.local/bin`, exists: true, source: 'well-known' },
    ],
    environment: { source: 'login-shell', shell: '/usr/bin/zsh', readAt: Date.now() - 1_260_000 },
  };
}

function pinnedTo(command: string, candidates: readonly Candidate[]): readonly Candidate[] {
  return candidates.map((one) => {
    const chosen = one.file === command;
    const reason = chosen ? 'The config names this file.' : 'The config names another file.';
    return { ...one, chosen, reason: one.file.startsWith('/opt/old') ? one.reason : reason };
  });
}
