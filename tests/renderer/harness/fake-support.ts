const lines = Array.from(
  { length: 400 },
  (_, index) => `  2026-03-04T09:12:00.000Z stderr line ${index + 1} of the log`,
);

/** Fakes answers about the app itself. */
export function fakeSupport() {
  return {
    'about.versions': () => ({ versions: { Electron: '45.5.0', Chromium: '154.0.7900.21', Node: '24.9.0' } }),
    'about.licences': () => ({ text: 'MIT License\n\nCopyright (c) the Patchbay authors' }),
    'support.make': () => ({
      id: '1',
      text: [
        'PATCHBAY SUPPORT BUNDLE',
        'Secrets are masked; read it before you share it.',
        '',
        '== Program',
        'Patchbay         0.1.0',
        '',
        '== mcp.json',
        '{ "mcpServers": { "github": { "command": "npx", "env": { "GITHUB_TOKEN": "•••" } } } }',
        ...lines,
      ].join('\n'),
    }),
    'support.save': () => ({ file: '/home/me/patchbay-support.txt' }),
  };
}
