import { z } from '@hono/zod-openapi';
import {
  type Grant,
  type GrantScope,
  type Identity,
  identityNameSchema,
} from '../../../../shared/model/access/access.ts';
import type { ApiPorts } from '../contract.ts';
import { ApiError, badRequest, unknownServer } from '../http/api-error.ts';
import { defineRoute, jsonAnswer, jsonBody } from '../http/define-route.ts';
import { admin } from '../http/guard-caller.ts';
import {
  agentParam,
  type GrantRequest,
  grantParam,
  grantRequestSchema,
  policyGrantSchema,
  revokedSchema,
  revokeRequestSchema,
  secondsOf,
} from '../schema/policy.ts';
import type { ApiApp } from './api-app.ts';
import { time } from './server-answer.ts';

const base = '/api/v1/mcp/policies';
const about = { tags: ['mcp'], middleware: admin };

const grantRoute = defineRoute({
  ...about,
  method: 'post',
  path: `${base}/grant`,
  summary:
    'Grants a tool to an agent, and registers the agent if it is new. A grant of a high-risk tool includes a token.',
  request: { body: jsonBody(grantRequestSchema) },
  errors: [404, 409],
  responses: { 200: jsonAnswer('The grant.', policyGrantSchema) },
});
const revokeRoute = defineRoute({
  ...about,
  method: 'post',
  path: `${base}/revoke`,
  summary: 'Revokes the grants of a tool for an agent.',
  request: { body: jsonBody(revokeRequestSchema) },
  errors: [404],
  responses: { 200: jsonAnswer('The number of revoked grants.', revokedSchema) },
});
const listRoute = defineRoute({
  ...about,
  method: 'get',
  path: `${base}/{agent_id}`,
  summary: 'The grants of an agent.',
  request: { params: agentParam },
  errors: [400, 404],
  responses: { 200: jsonAnswer('The grants.', z.array(policyGrantSchema)) },
});
const deleteRoute = defineRoute({
  ...about,
  method: 'delete',
  path: `${base}/{agent_id}/{grant_id}`,
  summary: 'Revokes one grant.',
  request: { params: grantParam },
  errors: [400, 404],
  responses: { 204: { description: 'Revoked.' } },
});

/** Routes for grants, as in the integration design. */
export function policyRoutes(app: ApiApp, ports: ApiPorts): void {
  const { hub } = ports;
  app.openapi(grantRoute, async (context) => {
    const body = context.req.valid('json');
    refusePast(body, ports.clock.now());
    const scope = await scopeOf(ports, body);
    refusePattern(ports, scope);
    const warning = await warningOf(ports, scope);
    const identity = known(ports, body.agent_id) ?? (await register(ports, body.agent_id));
    const isRisky = scope.kind === 'tool' && ports.isHighRisk(scope.serverKey, scope.tool);
    const needsToken = isRisky && body.effect === 'allow';
    const grant = await hub.run('access.grant', {
      identityId: identity.id,
      effect: body.effect,
      scope,
      ...(needsToken ? { needsToken } : {}),
      ...(body.expires_at === undefined ? {} : { expiresAt: Date.parse(body.expires_at) }),
    });
    const ttl = body.token_ttl === undefined ? ports.tokenTtl() : secondsOf(body.token_ttl) * 1_000;
    const token =
      needsToken && scope.kind === 'tool'
        ? await hub.run('access.issueToken', {
            identityId: identity.id,
            serverKey: scope.serverKey,
            tool: scope.tool,
            ttlMs: ttl,
          })
        : undefined;
    const answer = grantAnswer(identity, grant, ttl, token);
    return context.json(warning === undefined ? answer : { ...answer, warning }, 200);
  });
  app.openapi(revokeRoute, async (context) => {
    const body = context.req.valid('json');
    const scope = JSON.stringify(await scopeOf(ports, body));
    const identity = knownOr404(ports, body.agent_id);
    const grants = hub.grants(identity.id).filter((grant) => JSON.stringify(grant.scope) === scope);
    if (grants.length === 0) throw notGranted();
    for (const { id } of grants) await hub.run('access.revokeGrant', { grantId: id });
    return context.json({ revoked: grants.length }, 200);
  });
  app.openapi(listRoute, async (context) => {
    const identity = knownOr404(ports, context.req.valid('param').agent_id);
    const ttl = ports.tokenTtl();
    return context.json(
      hub.grants(identity.id).map((grant) => grantAnswer(identity, grant, ttl)),
      200,
    );
  });
  app.openapi(deleteRoute, async (context) => {
    const { agent_id, grant_id } = context.req.valid('param');
    const identity = knownOr404(ports, agent_id);
    if (!hub.grants(identity.id).some(({ id }) => id === grant_id)) throw notGranted();
    await hub.run('access.revokeGrant', { grantId: grant_id });
    return context.body(null, 204);
  });
}

function known({ hub, agent }: ApiPorts, idOrName: string): Identity | undefined {
  const id = agent(idOrName);
  return hub.identities().find((identity) => identity.id === id);
}

function knownOr404(ports: ApiPorts, idOrName: string): Identity {
  const identity = known(ports, idOrName);
  if (identity !== undefined) return identity;
  const sentence = `There is no agent ${JSON.stringify(idOrName)}.`;
  throw new ApiError(404, 'NotFoundError', 'agent_not_found', sentence);
}

/** Capabilities are bound when an agent is registered, and this registers it. */
function register({ hub }: ApiPorts, name: string): Promise<Identity> {
  const parsed = identityNameSchema.safeParse(name);
  if (!parsed.success) {
    const message = parsed.error.issues[0]?.message ?? '';
    throw badRequest('invalid_request', 'The name of the agent is invalid.', {
      fields: [{ path: 'agent_id', message }],
    });
  }
  return hub.run('access.create', { kind: 'agent', name });
}

/** Keeps the members of scopes in the model's order, since scopes are compared as JSON. */
async function scopeOf(
  ports: ApiPorts,
  { server_id, tool_name }: Pick<GrantRequest, 'server_id' | 'tool_name'>,
): Promise<GrantScope> {
  const colon = tool_name.indexOf(':');
  const isWhole = server_id === undefined;
  if (isWhole && colon < 1) {
    throw badRequest(
      'server_missing',
      'The server is missing: give server_id, or server:tool in tool_name.',
      {
        fields: [{ path: 'server_id', message: 'it is required' }],
      },
    );
  }
  const server = isWhole ? tool_name.slice(0, colon) : server_id;
  const tool = isWhole ? tool_name.slice(colon + 1) : tool_name;
  const isKey = ports.hub.servers().some(({ key }) => key === server);
  const serverKey = isKey ? server : ((await ports.registry.find(server))?.key ?? server);
  return tool === '*' ? { kind: 'server', serverKey } : { kind: 'tool', serverKey, tool };
}

function grantAnswer(
  identity: Identity,
  grant: Grant,
  ttl: number,
  token?: { readonly tokenId: string; readonly expiresAt: number },
) {
  const { scope } = grant;
  return {
    id: grant.id,
    agent_id: identity.id,
    agent_name: identity.name,
    scope: scope.kind,
    tool_name: toolOf(scope),
    actions: ['invoke'],
    effect: grant.effect,
    token_required: grant.needsToken === true,
    token_ttl: `PT${Math.round(ttl / 1_000)}S`,
    token_id: token?.tokenId ?? null,
    granted_at: time(grant.grantedAt),
    granted_by: grant.grantedBy,
    ...('serverKey' in scope ? { server_id: scope.serverKey } : {}),
    ...(token === undefined ? {} : { token_expires_at: time(token.expiresAt) }),
    ...(grant.expiresAt === undefined ? {} : { expires_at: time(grant.expiresAt) }),
  };
}

function toolOf(scope: GrantScope): string {
  switch (scope.kind) {
    case 'tool':
      return scope.tool;
    case 'pattern':
      return scope.pattern;
    case 'risk':
      return `risk:${scope.risk}`;
    default:
      return '*';
  }
}

function refusePast({ expires_at: end }: GrantRequest, now: number): void {
  if (end === undefined || Date.parse(end) > now) return;
  throw badRequest('invalid_request', 'The grant would already have expired.', {
    fields: [{ path: 'expires_at', message: 'it must be in the future' }],
  });
}

/** Rejects patterns, unless a tool really has a star in its name. */
function refusePattern(ports: ApiPorts, scope: GrantScope): void {
  if (scope.kind !== 'tool' || !scope.tool.includes('*')) return;
  if (ports.place(scope.tool, scope.serverKey).kind !== 'unknown') return;
  const sentence = `No tool is called ${JSON.stringify(scope.tool)}, and patterns are not supported here.`;
  throw badRequest('invalid_request', sentence, {
    fields: [{ path: 'tool_name', message: 'write the whole name, or * for all tools of the server' }],
    fix: 'Grant tools one by one, all of a server with *, or a pattern with: patchbay access grant.',
  });
}

/**
 * Rejects grants of unknown tools, which are most likely typos. A server that has never been listed only gets
 * a warning.
 */
async function warningOf(
  { registry, grantTarget }: ApiPorts,
  scope: GrantScope,
): Promise<string | undefined> {
  const target = grantTarget(scope);
  if (target === 'there' || !('serverKey' in scope)) return undefined;
  const { serverKey } = scope;
  const isDeclared = await isRegistered(registry, scope);
  if (isDeclared) return undefined;
  if (target === 'no-server') throw unknownServer(serverKey);
  const what = scope.kind === 'tool' ? `${serverKey}:${scope.tool}` : serverKey;
  if (target === 'no-tool') {
    throw new ApiError(404, 'ToolNotFoundError', 'tool_not_found', `Tool not found: ${what}`);
  }
  return `The server ${serverKey} has never listed its tools; the grant of ${what} applies once it does.`;
}

/** Includes servers that are not in the config. */
async function isRegistered(registry: ApiPorts['registry'], scope: GrantScope): Promise<boolean> {
  if (scope.kind === 'server') return (await registry.find(scope.serverKey)) !== undefined;
  if (scope.kind !== 'tool') return false;
  const declared = (await registry.declared(scope.serverKey)).get(scope.serverKey) ?? [];
  return declared.some(({ name }) => name === scope.tool);
}

function notGranted(): ApiError {
  return new ApiError(404, 'NotFoundError', 'grant_not_found', 'There is no such grant.');
}
