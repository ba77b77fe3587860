import type {
  ConnectClient,
  ConnectFile,
  ConnectPreview,
  ConnectProof,
} from '../../../shared/model/client/connect.ts';

const limits = { nameLength: 64, hearsChanges: true };

function client(
  id: string,
  title: string,
  kind: ConnectClient['kind'],
  more: Partial<ConnectClient> = {},
): ConnectClient {
  return {
    id,
    title,
    kind,
    status: 'found',
    files: [],
    canLocate: true,
    wipes: 0,
    pickup: 'restart',
    pickupText: `Restart ${title}.`,
    bundle: false,
    suggestBundle: false,
    canUndo: false,
    clientNames: [],
    limits,
    ...more,
  };
}

const at = (file: string, status: ConnectFile['status'] = 'found'): readonly ConnectFile[] => [
  { file, exists: true, chosen: false, status },
];

export const sampleConnectClients: readonly ConnectClient[] = [
  client('claude-desktop', 'Claude Desktop', 'app', {
    status: 'wiped',
    files: at('/home/ada/.config/Claude/claude_desktop_config.json', 'wiped'),
    since: Date.now() - 600_000,
    wipes: 2,
    problem: {
      code: 'client.config_wiped',
      sentence: 'Claude Desktop has written its config file anew, without our entry.',
      fix: 'Restore the entry while Claude Desktop is quit, or install the bundle, which it does not touch.',
      evidence: [{ label: 'file', value: '/home/ada/.config/Claude/claude_desktop_config.json' }],
    },
    pickup: 'quit-and-restart',
    pickupText: 'Quit Claude Desktop completely, its tray icon too, and start it again.',
    bundle: true,
    suggestBundle: true,
    canUndo: true,
    clientNames: ['claude-ai'],
    limits: { nameLength: 64, hearsChanges: false },
  }),
  client('claude-code', 'Claude Code', 'command', {
    status: 'connected',
    files: at('/home/ada/.claude.json', 'connected'),
    since: Date.now() - 86_400_000,
    proof: { ok: true, at: Date.now() - 86_400_000, tools: 42 },
    canUndo: true,
    clientNames: ['claude-code'],
  }),
  client('cursor', 'Cursor', 'editor', {
    files: at('/home/ada/.cursor/mcp.json'),
    clientNames: ['cursor-vscode'],
    limits: { nameLength: 51, tools: 40, hearsChanges: true },
  }),
  client('zed', 'Zed', 'editor', { status: 'not-found', pickup: 'by-itself', pickupText: 'Nothing to do.' }),
  client('other', 'Another client', 'other', { status: 'manual', canLocate: false }),
];

export function sampleConnectPreview(id: string, files: readonly ConnectFile[]): ConnectPreview {
  const entry =
    '"patchbay": {\n  "command": "/home/ada/.patchbay/bin/patchbay-bridge",\n  "args": ["--client", "x"]\n}';
  return {
    id,
    previewId: 'preview-1',
    entryKey: 'patchbay',
    entryText: entry,
    language: 'json',
    files: files.map(({ file }) => ({
      kind: 'change',
      file,
      hunks: [
        {
          line: 4,
          lines: [
            { kind: 'context', text: '      "args": •••' },
            { kind: 'remove', text: '    }' },
            { kind: 'add', text: '    },' },
            ...entry.split('\n').map((line) => ({ kind: 'add' as const, text: `    ${line}` })),
            { kind: 'context', text: '  }' },
          ],
        },
      ],
    })),
    running: id === 'claude-desktop' ? [{ pid: 4711, name: 'claude-desktop' }] : [],
    mustQuit: id === 'claude-desktop',
  };
}

export function sampleConnectProof(file: string): ConnectProof {
  const command = '/home/ada/.patchbay/bin/patchbay-bridge --client x';
  const steps = [
    ['read', 'The entry "patchbay" was read from the file.'],
    ['start', 'It started in an almost empty environment.'],
    ['handshake', 'Patchbay 0.1.0 answered the handshake.'],
    ['list', '42 tools were listed.'],
    ['names', 'All 42 names are accepted by this client.'],
    ['call', 'memory__read_graph was called and answered.'],
    ['end', 'It ended when it was told to, with all its processes.'],
  ] as const;
  return {
    ok: true,
    at: Date.now(),
    milliseconds: 214,
    file,
    command,
    steps: steps.map(([step, text], index) => ({ step, ok: true, text, milliseconds: index * 20 })),
    transcript: [
      { direction: 'sent', at: 3, text: '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{…}}' },
      {
        direction: 'got',
        at: 61,
        text: '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25",…}}',
      },
    ],
    tools: 42,
    called: 'memory__read_graph',
  };
}
