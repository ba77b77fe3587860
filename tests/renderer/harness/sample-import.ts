// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references in config text look like this.
import type {
  ImportApp,
  ImportChoices,
  ImportEntry,
  ImportPreview,
  ImportResult,
  MovePreview,
  MoveResult,
} from '../../../shared/model/import/import-session.ts';
import { sampleConnectPreview } from './sample-connect.ts';

const app = (client: string, title: string, file: string, servers: number): ImportApp => ({
  client,
  title,
  file: `/home/ada/${file}`,
  servers,
});
const origin = (client: string, title: string) => ({ client, title });
const cursor = origin('cursor', 'Cursor');
const claude = origin('claude-desktop', 'Claude Desktop');

export const plain: Omit<ImportEntry, 'id' | 'key' | 'writtenKey' | 'target'> = {
  transport: 'stdio',
  disabled: false,
  variables: [],
  issues: [],
  secrets: [],
  inputs: [],
  origins: [cursor],
  suggested: true,
};

const entries: readonly ImportEntry[] = [
  {
    ...plain,
    id: '0',
    key: 'airtable',
    writtenKey: 'airtable',
    target: 'npx -y airtable-mcp-server',
    variables: [
      { name: 'AIRTABLE_TOKEN', isPlaceholder: false },
      { name: 'LOG_LEVEL', isPlaceholder: false },
      { name: 'AIRTABLE_BASE', isPlaceholder: true },
    ],
    secrets: [{ id: 'env.AIRTABLE_TOKEN:0', path: 'env.AIRTABLE_TOKEN', secretName: 'AIRTABLE_TOKEN' }],
  },
  {
    ...plain,
    id: '1',
    key: 'mcp-playwright',
    writtenKey: 'github.com/executeautomation/mcp-playwright',
    target: 'npx -y @executeautomation/playwright-mcp-server --out ${workspaceFolder}',
    inputs: ['workspaceFolder'],
    issues: [
      { severity: 'warning', path: 'env.PORT', message: 'a number was read as text; write it in quotes' },
    ],
  },
  {
    ...plain,
    id: '2',
    key: 'jira',
    writtenKey: 'jira',
    transport: 'http',
    target: 'https://mcp.example.com/jira',
    variables: [{ name: 'Authorization', isPlaceholder: false }],
    inputs: ['input:jira'],
  },
  {
    ...plain,
    id: '3',
    key: 'github-2',
    writtenKey: 'github',
    target: 'npx -y @modelcontextprotocol/server-github',
    duplicate: { kind: 'key', key: 'github', same: true },
    suggested: false,
  },
  {
    ...plain,
    id: '4',
    key: 'notes',
    writtenKey: 'notes',
    target: '',
    issues: [{ severity: 'error', path: 'command', message: 'command (or url) is required' }],
    suggested: false,
  },
];

export const samplePreview: ImportPreview = {
  session: 's1',
  title: 'Cursor',
  file: '/home/ada/.cursor/mcp.json',
  entries,
  inputs: [
    {
      id: 'workspaceFolder',
      title: 'Workspace folder',
      description: 'The folder that the server works in.',
      kind: 'folder',
      required: true,
    },
    {
      id: 'input:jira',
      title: 'jira',
      description: 'Your Jira token',
      kind: 'password',
      required: true,
      secretName: 'JIRA',
    },
  ],
  issues: [],
  apps: [app('cursor', 'Cursor', '.cursor/mcp.json', 5)],
};

export const unreadableText: ImportPreview = {
  session: 's2',
  title: 'Pasted text',
  entries: [],
  inputs: [],
  issues: [
    {
      severity: 'error',
      path: '',
      message: 'Not valid JSON: a comma is missing.',
      line: 2,
      column: 12,
    },
  ],
  apps: [],
};

/** Servers of four apps; one file cannot be read. */
export const sampleApps: ImportPreview = {
  session: 's3',
  title: 'Your apps',
  inputs: samplePreview.inputs,
  issues: [],
  entries: entries.map((entry, index) => ({
    ...entry,
    origins: index === 0 ? [claude, cursor] : index === 1 ? [claude] : [cursor],
    ...(index === 2 ? { project: '/home/ada/work/shop' } : {}),
  })),
  apps: [
    app('claude-desktop', 'Claude Desktop', '.config/Claude/claude_desktop_config.json', 2),
    app('cursor', 'Cursor', '.cursor/mcp.json', 4),
    app('vscode', 'VS Code', '.config/Code/User/mcp.json', 0),
    {
      ...app('codex', 'Codex', '.codex/config.toml', 0),
      problem: {
        code: 'import.unreadable',
        sentence: '/home/ada/.codex/config.toml cannot be read: it is not valid TOML (line 4).',
        fix: 'Fix the file, or paste the part that holds the servers.',
        evidence: [],
      },
    },
  ],
};

export const noApps: ImportPreview = {
  session: 's4',
  title: 'Your apps',
  entries: [],
  inputs: [],
  issues: [],
  apps: [],
};

/** Fails to add the last of several; an entry that needs a folder waits if it was left empty. */
export function sampleImportResult({ entries: chosen, inputs }: ImportChoices): ImportResult {
  const keys = chosen.map(({ key }) => key);
  const failed = keys.length > 2 ? keys.slice(-1) : [];
  const sentence = 'There is already another secret called JIRA.';
  return {
    added: keys.filter((key) => !failed.includes(key)),
    failed: failed.map((key) => ({
      key,
      problem: { code: 'secret.exists', sentence, fix: 'Choose another name for the secret.', evidence: [] },
    })),
    secrets: chosen.flatMap(({ secrets }) => secrets.map(({ secretName }) => secretName)),
    waiting: keys.flatMap((key) =>
      key === 'mcp-playwright' && inputs.some(({ id, value }) => id === 'workspaceFolder' && value === '')
        ? [{ key, values: ['Workspace-folder'] }]
        : [],
    ),
    undoId: 'u1',
  };
}

/** Claude Desktop is running and has to quit first. */
export function sampleMoves(quit: boolean): readonly MovePreview[] {
  const move = (client: string, title: string, file: string, servers: readonly string[]): MovePreview => ({
    client,
    title,
    servers,
    pickupText: `Restart ${title}.`,
    outcome: {
      kind: 'ready',
      preview: {
        ...sampleConnectPreview(client, [{ file, exists: true, chosen: false, status: 'found' }]),
        mustQuit: client === 'claude-desktop' && !quit,
      },
    },
  });
  return [
    move('claude-desktop', 'Claude Desktop', '/home/ada/.config/Claude/claude_desktop_config.json', [
      'airtable',
      'mcp-playwright',
    ]),
    move('cursor', 'Cursor', '/home/ada/.cursor/mcp.json', ['airtable', 'jira', 'github']),
  ];
}

export function sampleMoveResult(clients: readonly string[]): MoveResult {
  return {
    apps: sampleMoves(true)
      .filter(({ client }) => clients.includes(client))
      .map(({ client, title, pickupText }) => ({
        client,
        title,
        pickupText,
        files: [
          {
            kind: 'written',
            file: '/home/ada/.cursor/mcp.json',
            write: 'w1',
            backup: `/home/ada/.patchbay/backups/${client}-2026-11-28T03-14-15-926Z-5358979c.json`,
          },
        ],
      })),
    undoId: 'u1',
  };
}
