import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Api, ApiPorts, ServerRecord } from '../../electron/engine/api/contract.ts';
import { createApi } from '../../electron/engine/api/create-api.ts';
import { systemClock } from '../../electron/engine/base/clock.ts';
import { Emitter } from '../../electron/engine/base/emitter.ts';
import { silentLogger } from '../../electron/engine/base/logger.ts';
import type { OperationHandlers } from '../../electron/engine/base/operation-handlers.ts';
import { readMessage } from '../../electron/engine/jsonrpc/read-message.ts';
import { ProblemError, problem } from '../../shared/error/problem.ts';
import type { Grant, Identity } from '../../shared/model/access/access.ts';
import type { ClientView } from '../../shared/model/client/client.ts';
import type { ServerView } from '../../shared/model/server/server.ts';
import type { ToolSummary } from '../../shared/model/tool/tool.ts';
import type { OperationInput, OperationOutput, OperationsBehind } from '../../shared/operations/table.ts';
import { apiSkills } from './api-skills.ts';

type RestOperation = OperationsBehind<'rest'>;

export const adminToken = 'admin-token';
export const agentToken = 'agent-token';
export const bot: Identity = { id: 'i1', kind: 'agent', name: 'bot', createdAt: 1, hasToken: true };

export function serverViewOf(key: string, more: Partial<ServerView> = {}): ServerView {
  return {
    key,
    transport: 'stdio',
    status: 'connected',
    enabled: true,
    since: 1,
    start: 'auto',
    isolation: 'shared',
    instances: 0,
    activeCalls: 0,
    openCircuits: [],
    restarts: 0,
    target: 'node',
    counts: { tools: 1, disabledTools: 0, resources: 0, prompts: 0 },
    cached: false,
    warnings: [],
    ...more,
  };
}

/** The API's ports with a hub in memory that takes everything, and what it holds. */
export function fakePorts() {
  const servers = new Map([['a', serverViewOf('a')]]);
  const entries = new Map<string, Readonly<Record<string, unknown>>>([['a', { command: 'node' }]]);
  const tools: ToolSummary[] = [{ serverKey: 'a', name: 'x', enabled: true }];
  const records = new Map<string, ServerRecord>();
  const grants: Grant[] = [];
  const identities = [bot];
  const clients: ClientView[] = [];
  const serversChanged = new Emitter<unknown>();
  const toolsChanged = new Emitter<unknown>();
  const completed = new Emitter<Parameters<Parameters<ApiPorts['onCompleted']>[0]>[0]>();
  const circuitsChanged = new Emitter<string>();
  const ended = new Emitter<string>();
  const recordOf = (key: string): ServerRecord => {
    const known = records.get(key) ?? {
      id: `uuid-${key}`,
      key,
      registeredAt: 1,
      capabilities: [],
      versions: {},
    };
    records.set(key, known);
    return known;
  };
  // Operations that are missing here take everything and answer nothing.
  const operations: Partial<Pick<OperationHandlers, RestOperation>> = {
    'server.add': ({ servers: added }) => {
      for (const { key, entry } of added) {
        servers.set(key, serverViewOf(key, { enabled: entry.disabled !== true }));
        entries.set(key, entry);
      }
    },
    'server.update': ({ key, entry, newKey = key }) => {
      servers.delete(key);
      servers.set(newKey, serverViewOf(newKey));
      entries.set(newKey, entry);
    },
    'server.remove': ({ key }) => {
      servers.delete(key);
      return { undoId: 'undo' };
    },
    'server.entry': ({ key }) => {
      const entry = entries.get(key);
      if (entry === undefined) throw new ProblemError(problem('config.unknown_server', 'None.', ''));
      return { text: JSON.stringify(entry), entry };
    },
    'server.health': () => ({ samples: [] }),
    'access.create': ({ kind, name }) => {
      const made = { id: `i${identities.length + 1}`, kind, name, createdAt: 1, hasToken: false };
      identities.push(made);
      return made;
    },
    'access.rotate': ({ id }) => ({
      identity: identities.find((identity) => identity.id === id) ?? bot,
      token: 'pb_shown_once',
    }),
    'access.grant': (input, { by }) => {
      const grant = { ...input, id: `g${grants.length + 1}`, grantedAt: 1, grantedBy: by };
      grants.push(grant);
      return grant;
    },
    'access.issueToken': () => ({ tokenId: 't1', expiresAt: 2 }),
    'metrics.summary': ({ since = 0, until = 0 }) => ({
      since,
      until,
      servers: [],
      points: [],
      total: { calls: 0, errors: 0, withdrawn: 0, retries: 0, average: 0, p50: 0, p95: 0, p99: 0 },
    }),
    ...apiSkills(),
  };
  const ports: ApiPorts = {
    version: '1.2.3',
    clock: systemClock,
    log: silentLogger,
    registry: {
      records: async (keys) => keys.map(recordOf),
      find: async (idOrKey) => [...records.values()].find(({ id, key }) => id === idOrKey || key === idOrKey),
      async save(key, facts) {
        const record = { ...recordOf(key), ...facts };
        records.set(key, record);
        return record;
      },
      declared: async () => new Map(),
      declare: async () => {},
      remove: async (key) => void records.delete(key),
    },
    hub: {
      run: async <N extends RestOperation>(name: N, input: OperationInput<N>) =>
        (await operations[name]?.(input, { by: 'test' })) as OperationOutput<N>,
      servers: () => [...servers.values()],
      tools: () => tools,
      tool: (serverKey, name) => ({
        serverKey,
        name,
        enabled: true,
        canonicalId: `${serverKey}:${name}`,
        safeName: name,
        definition: { name, inputSchema: { type: 'object' } },
      }),
      identities: () => identities,
      clients: () => clients,
      grants: (identityId) => grants.filter((grant) => grant.identityId === identityId),
      approvals: () => [],
      breakers: () => [
        { serverKey: 'a', tool: 'x', state: 'open', failures: 5, successes: 0, openedAt: 1, until: 2 },
      ],
      metricsText: async () => '# nothing\n',
      find: async () => ({ hits: [], total: 0, searched: { servers: 1, tools: 1 }, meaning: 'off' }),
      onServers: serversChanged.event,
      onTools: toolsChanged.event,
    },
    identify(bearer) {
      if (bearer === adminToken) return { kind: 'admin' };
      return bearer === agentToken ? { kind: 'identity', id: bot.id, name: bot.name } : undefined;
    },
    agent: (idOrName) => identities.find(({ id, name }) => id === idOrName || name === idOrName)?.id,
    grantTarget: () => 'there',
    isHighRisk: (_key, tool) => tool.includes('write'),
    tokenTtl: () => 900_000,
    mayCall: (_id, _key, tool) => tool !== 'forbidden',
    place: (name, key) =>
      key === 'a' && name === 'x'
        ? { kind: 'found', serverKey: 'a', tool: 'x' }
        : name === 'a.x' || name === 'a:x'
          ? { kind: 'found', serverKey: 'a', tool: 'x' }
          : { kind: 'unknown' },
    invoke: async ({ argumentsText }) => ({
      answer: answerOf(`{"content":[],"structuredContent":${argumentsText}}`),
      attempts: 1,
      milliseconds: 2,
      executionMs: 1,
      serverKey: 'a',
    }),
    onCompleted: completed.event,
    onEnded: ended.event,
    onCircuits: circuitsChanged.event,
  };
  return { ports, servers, tools, records, serversChanged, toolsChanged, completed, circuitsChanged, ended };
}

/** The answer of a server with this result. */
export function answerOf(result: string) {
  const message = readMessage(Buffer.from(`{"jsonrpc":"2.0","id":1,"result":${result}}`));
  if (message === undefined) throw new Error('no message');
  return message;
}

export interface ServedApi extends AsyncDisposable {
  readonly api: Api;
  readonly url: string;
  /** As administrator, unless headers say otherwise. */
  ask(path: string, init?: RequestInit & { readonly token?: string }): Promise<Response>;
  /** With a JSON body. */
  send(
    method: string,
    path: string,
    body: unknown,
    token?: string,
  ): Promise<{ readonly status: number; readonly body: unknown }>;
}

/** The API behind a real HTTP server. */
export async function serveApi(ports: ApiPorts): Promise<ServedApi> {
  const api = createApi(ports);
  const server = createServer((request, response) => api.handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const ask: ServedApi['ask'] = (path, { token = adminToken, ...init } = {}) => {
    const headers = new Headers(init.headers);
    if (token !== '' && !headers.has('authorization')) headers.set('authorization', `Bearer ${token}`);
    return fetch(url + path, { ...init, headers });
  };
  return {
    api,
    url,
    ask,
    async send(method, path, body, token) {
      const response = await ask(path, {
        method,
        body: typeof body === 'string' ? body : JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
        ...(token === undefined ? {} : { token }),
      });
      const text = await response.text();
      return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
    },
    async [Symbol.asyncDispose]() {
      api.dispose();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
