import type { Identity } from '../../../../shared/model/access/access.ts';
import type { ClientView } from '../../../../shared/model/client/client.ts';
import { clientProtocol } from '../../../../shared/model/server/protocol-text.ts';
import type { ApiPorts } from '../contract.ts';
import { ApiError } from '../http/api-error.ts';
import { defineRoute, jsonAnswer, jsonBody } from '../http/define-route.ts';
import { admin } from '../http/guard-caller.ts';
import {
  identityAnswerSchema,
  identityListSchema,
  identityParam,
  identityTokenSchema,
  newIdentitySchema,
} from '../schema/identity.ts';
import type { ApiApp } from './api-app.ts';
import { protocolAnswer, time } from './server-answer.ts';

const base = '/api/v1/identities';
const about = { tags: ['identities'], middleware: admin };
const one = { params: identityParam };

const listRoute = defineRoute({
  ...about,
  method: 'get',
  path: base,
  summary: 'Known clients and agents.',
  responses: { 200: jsonAnswer('The identities.', identityListSchema) },
});
const createRoute = defineRoute({
  ...about,
  method: 'post',
  path: base,
  summary: 'Creates an identity with its own token.',
  request: { body: jsonBody(newIdentitySchema) },
  errors: [409, 422],
  responses: { 201: jsonAnswer('The identity and its token.', identityTokenSchema) },
});
const rotateRoute = defineRoute({
  ...about,
  method: 'post',
  path: `${base}/{id}/rotate`,
  summary: 'Creates a new token. The old one stops working, and its sessions are closed.',
  request: one,
  errors: [404, 422],
  responses: { 200: jsonAnswer('The identity and its token.', identityTokenSchema) },
});
const revokeRoute = defineRoute({
  ...about,
  method: 'post',
  path: `${base}/{id}/revoke`,
  summary: 'Revokes an identity: it loses all access.',
  request: one,
  errors: [404, 422],
  responses: { 200: jsonAnswer('The identity.', identityAnswerSchema) },
});
const restoreRoute = defineRoute({
  ...about,
  method: 'post',
  path: `${base}/{id}/restore`,
  summary: 'Undoes a revocation.',
  request: one,
  errors: [404, 422],
  responses: { 200: jsonAnswer('The identity.', identityAnswerSchema) },
});
const removeRoute = defineRoute({
  ...about,
  method: 'delete',
  path: `${base}/{id}`,
  summary: 'Deletes an identity with its grants.',
  request: one,
  errors: [404, 422],
  responses: { 204: { description: 'Deleted.' } },
});

/** Routes for identities and their tokens. */
export function identityRoutes(app: ApiApp, ports: ApiPorts): void {
  const { hub } = ports;
  const answer = (identity: Identity) => identityAnswer(identity, hub.clients());
  app.openapi(listRoute, (context) => {
    const identities = hub.identities().map(answer);
    return context.json({ identities, total: identities.length }, 200);
  });
  app.openapi(createRoute, async (context) => {
    const { name, kind, owner, expires_at } = context.req.valid('json');
    const expiresAt = expires_at === undefined ? undefined : Date.parse(expires_at);
    const { id } = await hub.run('access.create', { kind, name, owner, expiresAt });
    const { identity, token } = await hub.run('access.rotate', { id });
    return context.json({ identity: answer(identity), token }, 201);
  });
  app.openapi(rotateRoute, async (context) => {
    const { id } = known(ports, context.req.valid('param').id);
    const { identity, token } = await hub.run('access.rotate', { id });
    return context.json({ identity: answer(identity), token }, 200);
  });
  app.openapi(revokeRoute, async (context) => {
    const { id } = known(ports, context.req.valid('param').id);
    await hub.run('access.revoke', { id });
    return context.json(answer(known(ports, id)), 200);
  });
  app.openapi(restoreRoute, async (context) => {
    const { id } = known(ports, context.req.valid('param').id);
    await hub.run('access.restore', { id });
    return context.json(answer(known(ports, id)), 200);
  });
  app.openapi(removeRoute, async (context) => {
    const { id } = known(ports, context.req.valid('param').id);
    await hub.run('access.remove', { id });
    return context.body(null, 204);
  });
}

function known({ hub, agent }: ApiPorts, idOrName: string): Identity {
  const id = agent(idOrName);
  const identity = hub.identities().find((one) => one.id === id);
  if (identity !== undefined) return identity;
  const sentence = `There is no identity ${JSON.stringify(idOrName)}.`;
  throw new ApiError(404, 'NotFoundError', 'identity_not_found', sentence);
}

function identityAnswer(
  { id, kind, name, owner, createdAt, expiresAt, revokedAt, hasToken }: Identity,
  clients: readonly ClientView[],
) {
  return {
    id,
    kind,
    name,
    created_at: time(createdAt),
    has_token: hasToken,
    connections: clients.filter(({ identityId }) => identityId === id).map(connectionAnswer),
    ...(owner === undefined ? {} : { owner }),
    ...(expiresAt === undefined ? {} : { expires_at: time(expiresAt) }),
    ...(revokedAt === undefined ? {} : { revoked_at: time(revokedAt) }),
  };
}

function connectionAnswer(client: ClientView) {
  const { name, version, via, era, protocolVersion, connectedAt, lastActiveAt } = client;
  return {
    client_name: name,
    client_version: version,
    via,
    ...(era === undefined || protocolVersion === undefined
      ? {}
      : {
          protocol: protocolAnswer({
            era,
            version: protocolVersion,
            reason: clientProtocol(era, protocolVersion).reason,
          }),
        }),
    connected_at: time(connectedAt),
    last_active_at: time(lastActiveAt),
  };
}
