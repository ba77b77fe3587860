import type { SearchHit } from '../../../../shared/model/tool/search.ts';
import type { ApiCaller, ApiPorts } from '../contract.ts';
import { defineRoute, jsonAnswer, jsonBody } from '../http/define-route.ts';
import { searchRequestSchema, searchResultSchema } from '../schema/search.ts';
import { toolId } from '../tool-id.ts';
import type { ApiApp } from './api-app.ts';
import { type KnownServer, knownServers } from './known-servers.ts';
import { isUsable, serverInfo } from './server-answer.ts';
import { maySee } from './tools.ts';

const searchRoute = defineRoute({
  tags: ['tools'],
  method: 'post',
  path: '/api/v1/search',
  summary: 'Searches the tools of all connected servers. The most relevant come first.',
  request: { body: jsonBody(searchRequestSchema) },
  errors: [422],
  responses: { 200: jsonAnswer('The tools found.', searchResultSchema) },
});

/** Routes for search, as in the PRD; identities search only tools they may call. */
export function searchRoutes(app: ApiApp, ports: ApiPorts): void {
  app.openapi(searchRoute, async (context) => {
    const { query, include_external, server_filter, limit } = context.req.valid('json');
    const caller = context.get('caller');
    const servers = include_external ? await searched(ports, caller, server_filter) : [];
    if (servers.length === 0) return context.json(nothing(query), 200);
    const known = new Map(servers.map((server) => [server.record.key, server]));
    const isAdmin = caller.kind === 'admin';
    const asked = { query, kinds: ['tool'], servers: [...known.keys()], enabledOnly: true, limit } as const;
    const mayHave = (serverKey: string, name: string) => maySee(ports, caller, serverKey, name);
    const found = await ports.hub.find(asked, isAdmin ? undefined : mayHave);
    const tools = found.hits.flatMap((hit) => {
      const server = known.get(hit.serverKey);
      return server === undefined ? [] : [hitAnswer(hit, server)];
    });
    const total = isAdmin ? found.searched.tools : visibleTools(ports, caller, known);
    const metadata = { servers_searched: servers.length, total_tools_searched: total };
    return context.json({ query, tools, metadata }, 200);
  });
}

/**
 * Returns the servers to search: connected or sleeping, matching the filter, with at least one tool the
 * caller may call.
 */
async function searched(
  ports: ApiPorts,
  caller: ApiCaller,
  filter: readonly string[] | undefined,
): Promise<readonly KnownServer[]> {
  const wanted = filter && new Set(filter);
  const servers = (await knownServers(ports)).filter(
    ({ record, view }) =>
      isUsable(view) && (wanted === undefined || wanted.has(record.key) || wanted.has(record.id)),
  );
  if (caller.kind === 'admin') return servers;
  const visible = new Set(
    ports.hub
      .tools()
      .flatMap(({ serverKey, name }) => (maySee(ports, caller, serverKey, name) ? [serverKey] : [])),
  );
  return servers.filter(({ record }) => visible.has(record.key));
}

function visibleTools(ports: ApiPorts, caller: ApiCaller, known: ReadonlyMap<string, unknown>): number {
  return ports.hub
    .tools()
    .filter(
      ({ serverKey, name, enabled, held }) =>
        enabled && held === undefined && known.has(serverKey) && maySee(ports, caller, serverKey, name),
    ).length;
}

function hitAnswer(hit: SearchHit, { record, view }: KnownServer) {
  return {
    id: toolId(record.id, hit.name),
    name: `${record.key}.${hit.name}`,
    original_name: hit.name,
    description: hit.description ?? '',
    score: hit.score,
    source_server: serverInfo(record, view),
    is_classified: hit.isClassified,
    skill_ids: hit.skills.map(({ id }) => id),
    primary_skill_id: hit.primarySkill ?? null,
    ...(hit.title === undefined ? {} : { title: hit.title }),
  };
}

function nothing(query: string) {
  return { query, tools: [], metadata: { servers_searched: 0, total_tools_searched: 0 } };
}
