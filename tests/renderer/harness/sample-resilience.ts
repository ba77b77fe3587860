import type { ServerView } from '../../../shared/model/server/server.ts';
import type { ToolDifference } from '../../../shared/model/server/server-update.ts';
import { serverView } from './sample-servers.ts';

const now = Date.now();

const counts = (tools: number) => ({ tools, disabledTools: 0, resources: 0, prompts: 0 });

/** Servers that sleep, run per client, fail now and then, or are being updated. */
export const stayingServers: readonly ServerView[] = [
  serverView({
    key: 'brave-search',
    status: 'disconnected',
    start: 'on-demand',
    target: 'npx -y @brave/brave-search-mcp-server',
    counts: counts(6),
    since: now - 852_000,
    asleep: { since: now - 852_000, memorySaved: 88_400_000 },
    serverInfo: { name: 'brave-search-mcp-server', version: '2.0.61' },
  }),
  serverView({
    key: 'chroma',
    status: 'connected',
    isolation: 'per-client',
    instances: 3,
    activeCalls: 1,
    target: 'uvx chroma-mcp --client-type persistent',
    counts: counts(13),
    connectedAt: now - 1_920_000,
    serverInfo: { name: 'chroma', version: '0.2.6' },
  }),
  serverView({
    key: 'slack',
    status: 'degraded',
    target: 'npx -y slack-mcp-server@latest --transport stdio',
    counts: counts(9),
    activeCalls: 2,
    restarts: 1,
    problem: {
      code: 'server.unhealthy',
      sentence: '4 of its last 10 calls failed.',
      fix: 'Look at its log; restart it if it does not recover.',
      evidence: [
        { label: 'failed', value: '4 of 10 in the last 5 minutes' },
        { label: 'last error', value: 'slack_webapi_rate_limited_error, retry after 30 s' },
      ],
    },
    openCircuits: [
      { tool: 'conversations_search_messages', until: now + 42_000 },
      { tool: 'channels_list', until: now + 9_000 },
    ],
  }),
  serverView({
    key: 'notion',
    status: 'connected',
    target: 'npx -y @notionhq/notion-mcp-server',
    counts: counts(19),
    serverInfo: { name: 'Notion API', version: '1.9.0' },
    update: {
      kind: 'failed',
      at: now - 24_000,
      problem: {
        code: 'server.exited_before_handshake',
        sentence: 'It exited with code 1 before it had introduced itself.',
        fix: 'Look at the last lines below, then fix the config.',
        evidence: [
          { label: 'command', value: 'npx -y @notionhq/notion-mcp-server@2' },
          { label: 'exit', value: 'code 1 after 1.9 s' },
          { label: 'last lines of stderr', value: 'npm error code ETARGET\nnpm error notarget No match' },
        ],
      },
    },
  }),
  serverView({
    key: 'mysql',
    status: 'error',
    target: 'uvx mysql_mcp_server',
    counts: counts(4),
    restarts: 10,
    since: now - 125_000,
    nextTryAt: now + 192_000,
    problem: {
      code: 'server.keeps_failing',
      sentence: 'It has crashed 10 times within 5 minutes.',
      fix: 'Look at its log and fix what stops it.',
      evidence: [{ label: 'last exit', value: 'code 2 after 3.1 s' }],
    },
  }),
  serverView({
    key: 'puppeteer',
    status: 'disconnected',
    start: 'on-demand',
    target: 'npx -y @modelcontextprotocol/server-puppeteer',
    counts: counts(7),
    since: now - 3_600_000,
    asleep: { since: now - 3_600_000 },
  }),
];

const verbs = ['list', 'get', 'create', 'update', 'delete', 'search', 'archive', 'export', 'assign', 'watch'];
const things = [
  'issue',
  'board',
  'sprint',
  'comment',
  'worklog',
  'version',
  'project',
  'filter',
  'attachment',
];

/** Difference of a config that adds a thousand tools. */
export const largeDifference: ToolDifference = {
  added: Array.from({ length: 950 }, (_, index) => toolName(index)),
  removed: ['jql_query', 'read_ticket', 'write_ticket'],
  changed: things.map((thing) => `list_${thing}s`),
};

export const smallDifference: ToolDifference = {
  added: ['search_code', 'get_workflow_log'],
  removed: ['delete_gist'],
  changed: ['list_issues'],
};

function toolName(index: number): string {
  const verb = verbs[index % verbs.length];
  const thing = things[Math.floor(index / verbs.length) % things.length];
  const round = Math.floor(index / (verbs.length * things.length));
  return `${verb}_${thing}${round === 0 ? '' : `_v${round + 1}`}`;
}
