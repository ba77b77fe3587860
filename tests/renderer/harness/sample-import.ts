// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references in config text look like this.
import type {
  ImportChoices,
  ImportEntry,
  ImportPreview,
  ImportResult,
  ImportSource,
} from '../../../shared/model/import-session.ts';
import { hourAgo } from './sample-servers.ts';

const day = 24 * 3_600_000;
const source = (client: string, title: string, file: string, days: number): ImportSource => ({
  id: client,
  client,
  title,
  file: `/home/ada/${file}`,
  modifiedAt: hourAgo - days * day,
});

export const sampleSources: readonly ImportSource[] = [
  source('claude-desktop', 'Claude Desktop', '.config/Claude/claude_desktop_config.json', 2),
  source('cursor', 'Cursor', '.cursor/mcp.json', 12),
  source('vscode', 'VS Code', '.config/Code/User/mcp.json', 40),
  source('codex', 'Codex CLI', '.codex/config.toml', 0),
];

export const plain: Omit<ImportEntry, 'id' | 'key' | 'writtenKey' | 'target'> = {
  transport: 'stdio',
  disabled: false,
  variables: [],
  issues: [],
  secrets: [],
  inputs: [],
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
      description: 'The folder that the server is to work in.',
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
  canReplace: true,
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
  canReplace: false,
};

/** The last of several cannot be added. */
export function sampleImportResult(chosen: ImportChoices['entries'], replace: boolean): ImportResult {
  const keys = chosen.map(({ key }) => key);
  const failed = keys.length > 2 ? keys.slice(-1) : [];
  const sentence = 'There is another secret called JIRA already.';
  return {
    added: keys.filter((key) => !failed.includes(key)),
    failed: failed.map((key) => ({
      key,
      problem: { code: 'secret.exists', sentence, fix: 'Choose another name for it.', evidence: [] },
    })),
    secrets: chosen.flatMap(({ secrets }) => secrets.map(({ secretName }) => secretName)),
    ...(replace
      ? {
          replaced: {
            kind: 'written',
            file: '/home/ada/.cursor/mcp.json',
            backup: '/home/ada/.patchbay/backups/cursor-2026-11-28T03-14-15-926Z-5358979c.json',
          },
        }
      : {}),
    undoId: 'u1',
  };
}
