import { type Problem, type ProblemCode, problem } from '../../shared/error/problem.ts';
import type { ClientView } from '../../shared/model/client/client.ts';
import type { ConnectClient } from '../../shared/model/client/connect.ts';
import type { HubView } from '../../shared/model/hub/hub.ts';
import type { ServerView } from '../../shared/model/server/server.ts';

/** A healthy server; `changes` make it any other. */
export function serverView(key: string, changes: Partial<ServerView> = {}): ServerView {
  return {
    key,
    transport: 'stdio',
    status: 'connected',
    enabled: true,
    since: 1,
    restarts: 0,
    start: 'auto',
    isolation: 'shared',
    instances: 0,
    activeCalls: 0,
    openCircuits: [],
    target: `run ${key}`,
    counts: { tools: 3, disabledTools: 0, resources: 0, prompts: 0 },
    cached: false,
    warnings: [],
    ...changes,
  };
}

export function hubView(changes: Partial<HubView> = {}): HubView {
  return {
    version: '0.1.0',
    pid: 1,
    startedAt: 1,
    dataDir: '/data',
    configFile: '/data/mcp.json',
    endpoint: 'http://127.0.0.1:7420/mcp',
    revision: 1,
    problems: [],
    ...changes,
  };
}

export function clientView(id: string, changes: Partial<ClientView> = {}): ClientView {
  return {
    id,
    name: id,
    version: '1.0.0',
    via: 'bridge',
    connectedAt: 1,
    nameStyle: 'safe',
    stale: false,
    listedTools: 3,
    calls: 0,
    lastActiveAt: 1,
    ...changes,
  };
}

/** A client that was found and not connected; `changes` make it any other. */
export function connectClient(id: string, changes: Partial<ConnectClient> = {}): ConnectClient {
  return {
    id,
    title: id,
    kind: 'editor',
    status: 'found',
    files: [],
    canLocate: true,
    wipes: 0,
    pickup: 'by-itself',
    pickupText: 'It notices by itself.',
    bundle: false,
    suggestBundle: false,
    canUndo: false,
    clientNames: [],
    limits: { nameLength: 64, hearsChanges: true },
    ...changes,
  };
}

export function someProblem(code: ProblemCode): Problem {
  return problem(code, `A sentence about ${code}.`, 'Do this.');
}
