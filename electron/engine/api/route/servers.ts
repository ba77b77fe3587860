import { delay } from '../../base/clock.ts';
import type { ApiPorts } from '../contract.ts';
import { ApiError, unknownServer } from '../http/api-error.ts';
import { defineRoute, jsonAnswer, jsonBody } from '../http/define-route.ts';
import { admin } from '../http/guard-caller.ts';
import {
  connectAnswerSchema,
  disconnectAnswerSchema,
  healthAnswerSchema,
  newServerSchema,
  serverDetailSchema,
  serverListSchema,
  serverParam,
  serverPatchSchema,
  serverSchema,
} from '../schema/server.ts';
import type { ApiApp } from './api-app.ts';
import { changedEntry, healthUrlOf, newEntry, shownConfig } from './entry.ts';
import { type KnownServer, knownServer, knownServers } from './known-servers.ts';
import { healthAnswer, serverAnswer, serverInfo, time } from './server-answer.ts';

const base = '/api/v1/aggregator/servers';
const one = { params: serverParam };
const about = { tags: ['servers'], middleware: admin };

const listRoute = defineRoute({
  ...about,
  method: 'get',
  path: base,
  summary: 'All servers, with their health.',
  responses: { 200: jsonAnswer('The servers.', serverListSchema) },
});
const addRoute = defineRoute({
  ...about,
  method: 'post',
  path: base,
  summary: 'Registers a server, and connects to it.',
  request: { body: jsonBody(newServerSchema) },
  errors: [409, 422],
  responses: { 201: jsonAnswer('Registered.', serverSchema) },
});
const getRoute = defineRoute({
  ...about,
  method: 'get',
  path: `${base}/{id}`,
  summary: 'One server.',
  request: one,
  errors: [404, 422],
  responses: { 200: jsonAnswer('The server.', serverDetailSchema) },
});
const patchRoute = defineRoute({
  ...about,
  method: 'patch',
  path: `${base}/{id}`,
  summary: 'Changes a server’s name, connection or description. Its id stays the same.',
  request: { ...one, body: jsonBody(serverPatchSchema) },
  errors: [404, 409, 422],
  responses: { 200: jsonAnswer('The changed server.', serverDetailSchema) },
});
const removeRoute = defineRoute({
  ...about,
  method: 'delete',
  path: `${base}/{id}`,
  summary: 'Removes a server and all its tools.',
  request: one,
  errors: [404, 409, 422],
  responses: { 204: { description: 'Removed.' } },
});
const connectRoute = defineRoute({
  ...about,
  method: 'post',
  path: `${base}/{id}/connect`,
  summary: 'Connects to a server.',
  request: one,
  errors: [404, 409, 422],
  responses: { 202: jsonAnswer('Connecting, or already connected.', connectAnswerSchema) },
});
const disconnectRoute = defineRoute({
  ...about,
  method: 'post',
  path: `${base}/{id}/disconnect`,
  summary: 'Disconnects a server when its calls in progress have ended, or after 30 s.',
  request: one,
  errors: [404, 409, 422],
  responses: { 200: jsonAnswer('Disconnected.', disconnectAnswerSchema) },
});
const healthRoute = defineRoute({
  ...about,
  method: 'get',
  path: `${base}/{id}/health`,
  summary: 'The current and recent health of a server.',
  request: one,
  errors: [404, 422],
  responses: { 200: jsonAnswer('Its health.', healthAnswerSchema) },
});

/** Routes for servers, as in the PRD. */
export function serverRoutes(app: ApiApp, ports: ApiPorts): void {
  const { hub, registry } = ports;
  app.openapi(listRoute, async (context) => {
    const servers = (await knownServers(ports)).map(({ record, view }) => serverAnswer(record, view));
    return context.json({ servers, total: servers.length }, 200);
  });
  app.openapi(addRoute, async (context) => {
    const body = context.req.valid('json');
    if (hub.servers().some(({ key }) => key === body.name)) throw taken(body.name);
    await hub.run('server.add', { servers: [{ key: body.name, entry: { ...newEntry(body) } }] });
    const { description } = body;
    if (description !== undefined) await registry.save(body.name, { description });
    const { record, view } = await knownServer(ports, body.name);
    return context.json(serverAnswer(record, view), 201);
  });
  app.openapi(getRoute, async (context) => {
    return context.json(await detail(ports, context.req.valid('param').id), 200);
  });
  app.openapi(patchRoute, async (context) => {
    const { record } = await knownServer(ports, context.req.valid('param').id);
    const { description, name, ...patch } = context.req.valid('json');
    const newKey = name === record.key ? undefined : name;
    if (hub.servers().some(({ key }) => key === newKey)) throw taken(newKey ?? '');
    const { entry } = await hub.run('server.entry', { key: record.key });
    const after = changedEntry(entry, patch);
    if (after !== entry || newKey !== undefined)
      await hub.run('server.update', { key: record.key, entry: { ...after }, newKey });
    if (description !== undefined) await registry.save(newKey ?? record.key, { description });
    return context.json(await detail(ports, record.id), 200);
  });
  app.openapi(removeRoute, async (context) => {
    const { id } = context.req.valid('param');
    const record = await registry.find(id);
    const key = record?.key ?? id;
    const isConfigured = hub.servers().some((server) => server.key === key);
    if (!isConfigured && record === undefined) throw unknownServer(id);
    await (isConfigured ? hub.run('server.remove', { key }) : registry.remove(key));
    return context.body(null, 204);
  });
  lifecycleRoutes(app, ports);
}

function lifecycleRoutes(app: ApiApp, ports: ApiPorts): void {
  const { hub } = ports;
  app.openapi(connectRoute, async (context) => {
    const known = await knownServer(ports, context.req.valid('param').id);
    const isConnected = known.view.status === 'connected' || known.view.status === 'degraded';
    if (isConnected) {
      const { status } = serverInfo(known.record, known.view);
      return context.json({ status, message: 'Already connected' }, 202);
    }
    await connect(ports, known);
    return context.json({ status: 'CONNECTING' as const, message: 'Connection initiated' }, 202);
  });
  app.openapi(disconnectRoute, async (context) => {
    const { record } = await knownServer(ports, context.req.valid('param').id);
    await hub.run('server.setEnabled', { key: record.key, enabled: false });
    const pending = await waitForCalls(ports, record.key, context.req.raw.signal);
    return context.json({ status: 'DISCONNECTED' as const, pending_requests: pending }, 200);
  });
  app.openapi(healthRoute, async (context) => {
    const { record, view } = await knownServer(ports, context.req.valid('param').id);
    const { samples } = await hub.run('server.health', { key: record.key });
    const history = samples.map(({ at, status, responseMs, calls, errors }) => ({
      at: time(at),
      status,
      calls,
      errors,
      ...(responseMs === undefined ? {} : { response_time_ms: responseMs }),
    }));
    const health = view.health === undefined ? {} : { health: healthAnswer(view.health) };
    return context.json({ ...serverInfo(record, view), ...health, history }, 200);
  });
}

/** Turns on a server that is off, which starts it; restarts any other. */
async function connect({ hub }: ApiPorts, { view }: KnownServer): Promise<void> {
  if (!view.enabled) await hub.run('server.setEnabled', { key: view.key, enabled: true });
  else if (view.status !== 'connecting') await hub.run('server.restart', { key: view.key });
}

async function detail(ports: ApiPorts, id: string) {
  const { record, view } = await knownServer(ports, id);
  const { entry } = await ports.hub.run('server.entry', { key: record.key });
  const url = healthUrlOf(entry);
  return {
    ...serverAnswer(record, view),
    connection_config: shownConfig(entry),
    ...(url === undefined ? {} : { health_check_url: url }),
  };
}

/** Waits for the calls in progress; returns how many are left after the timeout. */
async function waitForCalls({ hub, clock }: ApiPorts, key: string, signal: AbortSignal): Promise<number> {
  const until = clock.now() + drainTimeoutMs;
  for (;;) {
    const calls = hub.servers().find((server) => server.key === key)?.activeCalls ?? 0;
    if (calls === 0 || clock.now() >= until || signal.aborted) return calls;
    await delay(clock, 50, signal).catch(() => undefined);
  }
}

const drainTimeoutMs = 30_000;

function taken(name: string): ApiError {
  const sentence = `A server called ${JSON.stringify(name)} already exists.`;
  return new ApiError(409, 'ConflictError', 'server_exists', sentence, { fix: 'Choose another name.' });
}
