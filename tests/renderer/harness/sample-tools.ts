import type { ServerView } from '../../../shared/model/server/server.ts';
import type { ToolSummary } from '../../../shared/model/tool/tool.ts';
import { isHeld } from './sample-guard.ts';
import { serverView } from './sample-servers.ts';

const verbs = ['list', 'get', 'create', 'update', 'delete', 'search', 'merge', 'add', 'remove', 'watch'];
const things = [
  'issues',
  'pull_request',
  'file_contents',
  'branch',
  'comment',
  'release',
  'workflow_run',
  'label',
  'notifications',
  'repository',
  'commit',
  'review',
  'secret',
  'tag',
  'discussion',
  'team',
  'gist',
];

const sentences = [
  'Lists them with filters for state, author and label. Results come in pages of 30.',
  'Returns one by its number, with all fields.',
  'Creates a new one and returns it.\n**Needs write access** to the repository.',
  'Changes the given fields and leaves the others alone.',
  'Deletes it for good. This cannot be undone.',
];

/** Returns as many tools for each server as its view says, the last ones disabled. */
export function sampleTools(servers: readonly ServerView[]): readonly ToolSummary[] {
  return servers.flatMap(({ key, counts }) =>
    Array.from({ length: counts.tools }, (_, index) =>
      tool(key, index, index < counts.tools - counts.disabledTools),
    ),
  );
}

export function manyServers(count = 50): readonly ServerView[] {
  return Array.from({ length: count }, (_, index) =>
    serverView({
      key: `server-${String(index + 1).padStart(2, '0')}`,
      status: index % 17 === 3 ? 'error' : index % 11 === 5 ? 'disabled' : 'connected',
      target: `npx -y @example/mcp-server-${index + 1} --region eu-${index % 4}`,
      counts: { tools: 200, disabledTools: 0, resources: 0, prompts: 0 },
    }),
  );
}

export function manyTools(): readonly ToolSummary[] {
  return sampleTools(manyServers());
}

function tool(serverKey: string, index: number, enabled: boolean): ToolSummary {
  const verb = verbs[index % verbs.length] ?? 'get';
  const thing = things[Math.floor(index / verbs.length) % things.length] ?? 'thing';
  const round = Math.floor(index / (verbs.length * things.length));
  const name = `${verb}_${thing}${round === 0 ? '' : `_${round}`}`;
  return {
    serverKey,
    name,
    ...(isHeld(serverKey, name) ? { held: true as const } : {}),
    description: sentences[index % sentences.length] ?? '',
    enabled,
    ...(verb === 'list' || verb === 'get' || verb === 'search' ? { readOnly: true } : {}),
    ...(serverKey === 'sentry' && index === 3 ? { unfit: true as const } : {}),
    ...(verb === 'delete' || verb === 'remove' ? { destructive: true } : {}),
  };
}

/** A definition with everything that a schema viewer has to handle. */
export function sampleDefinition(name: string, description: string | undefined): Record<string, unknown> {
  return {
    name,
    description,
    inputSchema: {
      type: 'object',
      required: ['owner', 'repo'],
      properties: {
        owner: { type: 'string', description: 'Account that owns the repository.' },
        repo: { type: 'string', description: 'Name of the repository, without the owner.' },
        state: { enum: ['open', 'closed', 'all'], default: 'open', description: 'Which ones to return.' },
        labels: { type: 'array', items: { type: 'string' }, maxItems: 10 },
        since: { type: ['string', 'null'], format: 'date-time' },
        page: {
          type: 'object',
          description: 'Which part of the results.',
          required: ['number'],
          properties: {
            number: { type: 'integer', minimum: 1, default: 1 },
            size: { type: 'integer', minimum: 1, maximum: 100, default: 30 },
          },
        },
        sort: { anyOf: [{ const: 'created' }, { const: 'updated' }, { $ref: '#/$defs/custom' }] },
      },
      $defs: {
        custom: {
          type: 'object',
          properties: { field: { type: 'string' }, descending: { type: 'boolean' } },
        },
      },
    },
    annotations: { readOnlyHint: true, openWorldHint: true },
  };
}
