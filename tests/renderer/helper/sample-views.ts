import type { ClientView } from '../../../shared/model/client/client.ts';
import type { ServerView } from '../../../shared/model/server/server.ts';
import type { ToolSummary } from '../../../shared/model/tool/tool.ts';

export function aServer(key: string, part: Partial<ServerView> = {}): ServerView {
  return {
    key,
    transport: 'stdio',
    status: 'connected',
    enabled: true,
    since: 0,
    restarts: 0,
    start: 'auto',
    isolation: 'shared',
    instances: 0,
    activeCalls: 0,
    openCircuits: [],
    target: `run ${key}`,
    counts: { tools: 0, disabledTools: 0, resources: 0, prompts: 0 },
    cached: false,
    warnings: [],
    ...part,
  };
}

export function aTool(serverKey: string, name: string, part: Partial<ToolSummary> = {}): ToolSummary {
  return { serverKey, name, enabled: true, ...part };
}

export function aClient(id: string, part: Partial<ClientView> = {}): ClientView {
  return {
    id,
    name: 'claude-ai',
    version: '1',
    via: 'bridge',
    connectedAt: 0,
    nameStyle: 'safe',
    stale: false,
    listedTools: 0,
    calls: 0,
    lastActiveAt: 0,
    ...part,
  };
}
