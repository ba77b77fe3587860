import type { ServerView } from '../../../shared/model/server/server.ts';

const now = Date.now();
export const hourAgo = now - 3_600_000;

type Part = Partial<ServerView> & Pick<ServerView, 'key' | 'status' | 'target'>;

export function serverView(part: Part): ServerView {
  const running = part.status === 'connected' || part.status === 'degraded';
  return {
    transport: 'stdio',
    enabled: part.status !== 'disabled',
    since: now - 600_000,
    restarts: 0,
    start: 'auto',
    isolation: 'shared',
    instances: 0,
    activeCalls: 0,
    openCircuits: [],
    counts: { tools: 0, disabledTools: 0, resources: 0, prompts: 0 },
    cached: !running,
    warnings: [],
    ...(running ? { connectedAt: now - 5_040_000, protocolVersion: '2025-11-25', era: withSessions } : {}),
    ...(running && part.transport === undefined ? { pid: 51234, resolvedCommand: '/usr/local/bin/npx' } : {}),
    ...part,
  };
}

const withSessions = {
  era: 'legacy',
  version: '2025-11-25',
  reason: 'it does not know server/discover',
} as const;

function counts(tools: number, disabledTools = 0, resources = 0, prompts = 0) {
  return { tools, disabledTools, resources, prompts };
}

/** Twelve servers: every state, with the problems that cause them. */
export const sampleServers: readonly ServerView[] = [
  serverView({
    key: 'github',
    status: 'connected',
    favorite: true,
    tags: ['work'],
    target: 'npx -y @modelcontextprotocol/server-github',
    counts: counts(51, 3, 0, 2),
    serverInfo: { name: 'github-mcp-server', version: '0.20.1', title: 'GitHub' },
    era: { era: 'modern', version: '2026-07-28', reason: 'it answered server/discover' },
  }),
  serverView({
    key: 'filesystem',
    status: 'connected',
    tags: ['files', 'local'],
    target: 'npx -y @modelcontextprotocol/server-filesystem ~/Documents ~/Projects',
    counts: counts(14, 0, 12),
    connectedAt: now - 93_000_000,
    serverInfo: { name: 'secure-filesystem-server', version: '0.2.0' },
  }),
  serverView({
    key: 'postgres',
    status: 'error',
    target: 'uvx postgres-mcp --access-mode=restricted',
    counts: counts(9),
    restarts: 2,
    problem: {
      code: 'server.exited_before_handshake',
      sentence: 'It exited with code 1 before it had introduced itself, twice in a row.',
      fix: 'Set DATABASE_URL in its environment, then try again.',
      evidence: [
        { label: 'command', value: 'uvx postgres-mcp --access-mode=restricted' },
        { label: 'resolved', value: '/home/ada/.local/bin/uvx' },
        { label: 'exit', value: 'code 1 after 0.8 s' },
        {
          label: 'last lines of stderr',
          value:
            'Traceback (most recent call last):\n  File "postgres_mcp/server.py", line 602, in main\n    raise ValueError("Error: No database URL provided.")\nValueError: Error: No database URL provided. Please specify via command-line argument or DATABASE_URI.',
        },
      ],
    },
  }),
  serverView({
    key: 'memory',
    status: 'connected',
    target: 'npx -y @modelcontextprotocol/server-memory',
    counts: counts(9),
    connectedAt: now - 42_000,
    restarts: 1,
  }),
  serverView({
    key: 'linear',
    status: 'needs-auth',
    transport: 'http',
    target: 'https://mcp.linear.app/mcp',
    counts: counts(23),
    problem: {
      code: 'server.unauthorized',
      sentence: 'This server requires a sign-in.',
      fix: 'Sign in.',
      evidence: [
        { label: 'url', value: 'https://mcp.linear.app/mcp' },
        { label: 'status', value: '401' },
      ],
    },
    auth: { signedIn: false, pending: false },
  }),
  serverView({
    key: 'playwright',
    status: 'connecting',
    target: 'npx @playwright/mcp@latest --headless',
    counts: counts(32),
    since: now - 9_000,
  }),
  serverView({
    key: 'sentry',
    status: 'degraded',
    transport: 'http',
    target: 'https://mcp.sentry.dev/mcp',
    auth: { signedIn: true, pending: false },
    counts: counts(16, 0, 4, 1),
    warnings: [
      {
        code: 'tool.invalid_definition',
        sentence:
          'The tool "update_issues" of sentry has a broken definition, and clients that would refuse it do not get it: inputSchema is no object.',
        fix: 'Report it to the maker of the server. All its other tools work.',
        evidence: [{ label: 'name', value: 'update_issues' }],
      },
    ],
  }),
  serverView({
    key: 'everything',
    status: 'connected',
    target: 'npx -y @modelcontextprotocol/server-everything',
    counts: counts(11, 1, 100, 3),
    connectedAt: now - 615_000,
  }),
  serverView({
    key: 'sequential-thinking',
    title: 'Step by step',
    status: 'disabled',
    target: 'npx -y @modelcontextprotocol/server-sequential-thinking',
    counts: counts(1),
  }),
  serverView({
    key: 'obsidian',
    status: 'error',
    target: 'obsidian-mcp-server ~/Notes',
    problem: {
      code: 'server.command_not_found',
      sentence: 'The command obsidian-mcp-server was not found.',
      fix: 'Install it, or write its full path as the command.',
      evidence: [
        { label: 'command', value: 'obsidian-mcp-server' },
        {
          label: 'searched',
          value:
            '/usr/local/bin\n/usr/bin\n/bin\n/home/ada/.local/bin\n/home/ada/.nvm/versions/node/v22.11.0/bin',
        },
      ],
    },
  }),
  serverView({
    key: 'legacy-search',
    status: 'disconnected',
    transport: 'sse',
    target: 'https://search.example.com/sse',
    counts: counts(4),
    nextTryAt: now + 25_000,
    restarts: 4,
    problem: {
      code: 'server.unreachable',
      sentence: 'search.example.com does not answer.',
      fix: 'Check the address and your network.',
      evidence: [{ label: 'reason', value: 'ECONNREFUSED 203.0.113.7:443' }],
    },
  }),
  serverView({
    key: 'kubernetes',
    status: 'connected',
    target: 'kubectl-mcp serve --context staging --read-only',
    counts: counts(164),
    connectedAt: now - 262_000_000,
    serverInfo: { name: 'kubernetes-mcp', version: '2.4.0' },
  }),
];
