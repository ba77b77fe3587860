import { isRunning } from '../../../renderer/lib/server/server-status.ts';
import type { IpcOutput } from '../../../shared/ipc/contract.ts';
import { settingsSchema } from '../../../shared/schema/settings.ts';
import { clients } from './sample-clients.ts';
import { heldOf } from './sample-guard.ts';
import { sampleNow } from './sample-health.ts';
import { stayingServers } from './sample-resilience.ts';
import { hourAgo, sampleServers } from './sample-servers.ts';
import { manyServers, manyTools, sampleTools } from './sample-tools.ts';

export type Snapshot = IpcOutput<'state.get'>;

/** Initial state and behaviour of the fake hub. */
export interface Scenario {
  readonly state: Snapshot;
  /** `never`: the first state never arrives; `lost`: the bridge rejects every call. */
  readonly answers: 'normal' | 'never' | 'lost';
  /** True if logs and memory figures keep arriving. */
  readonly lively: boolean;
  /** True if calls wait for approval. */
  readonly asks: boolean;
}

/** Puts the sleeping and the per-client server at the top. */
const richServers = [
  ...sampleServers.slice(0, 7),
  ...stayingServers.slice(0, 2),
  ...sampleServers.slice(7),
  ...stayingServers.slice(2),
]
  .map((server) => (isRunning(server) ? { ...server, health: sampleNow(server.key) } : server))
  .map((server) => ({ ...server, ...heldOf(server.key) }));

export function scenarioNamed(name: string, theme: string): Scenario {
  const state = stateFor(name, theme as Snapshot['settings']['theme']);
  const answers = name === 'loading' ? 'never' : name === 'lost' ? 'lost' : 'normal';
  const asks = name === 'asked';
  return { state, answers, lively: name === 'rich' || name === 'many', asks };
}

function stateFor(name: string, theme: Snapshot['settings']['theme']): Snapshot {
  const firstStepsDone = name !== 'empty';
  const settings = settingsSchema.parse({ startAtLogin: true, theme, firstStepsDone });
  const hub = hubView(name === 'broken');
  if (name === 'lost-state')
    return {
      hub: { ...hub, problems: [lostState] },
      settings,
      servers: richServers,
      tools: sampleTools(richServers),
      clients,
    };
  if (name === 'elsewhere')
    return { hub: { ...hub, problems: [anotherHub] }, settings, servers: [], tools: [], clients: [] };
  if (name === 'empty') return { hub, settings, servers: [], tools: [], clients: [] };
  if (name === 'many') return { hub, settings, servers: manyServers(), tools: manyTools(), clients };
  if (name === 'thousand') {
    const servers = manyServers(5);
    return { hub, settings, servers, tools: sampleTools(servers), clients };
  }
  if (name === 'alone') return { hub, settings, servers: richServers, tools: [], clients: [] };
  return { hub, settings, servers: richServers, tools: sampleTools(richServers), clients };
}

const lostState = {
  code: 'access.lost' as const,
  sentence:
    'The database /home/ada/.patchbay/state.db was damaged: it is not a database. It was set aside, and a new one was created.',
  fix: 'Until you decide how to continue, local clients that could call everything still can, all others are blocked, and so are tools that you have not reviewed. To continue with the recovered data, open Clients, Access in the window, or run: patchbay access continue.',
  evidence: [{ label: 'set aside as', value: '/home/ada/.patchbay/state.db.damaged-2026-11-28' }],
};

const anotherHub = {
  code: 'hub.already_running' as const,
  sentence: 'Another Patchbay (process 7402, version 0.1.0) already uses this data folder.',
  fix: 'Take over from it.',
  evidence: [{ label: 'pid', value: '7402' }],
};

function hubView(broken: boolean): Snapshot['hub'] {
  return {
    version: '0.1.0',
    pid: 48213,
    startedAt: hourAgo,
    dataDir: '/home/ada/.patchbay',
    configFile: '/home/ada/.patchbay/mcp.json',
    ...(broken ? {} : { endpoint: 'http://127.0.0.1:7420/mcp' }),
    revision: 15,
    secretsKeptBy: broken ? 'key-file' : 'keychain',
    problems: broken
      ? [
          {
            code: 'config.invalid_json',
            sentence: 'mcp.json has a mistake in line 14, column 7: a comma is missing.',
            fix: 'Mend the file. Until then the last good state keeps running.',
            evidence: [
              { label: 'file', value: '/home/ada/.patchbay/mcp.json' },
              { label: 'text', value: '    "memory": {\n      "command": "npx"\n      "args": ["-y"]' },
            ],
          },
          {
            code: 'hub.port_in_use',
            sentence: 'Port 7420 is used by another program.',
            fix: 'Close that program or choose another port. The bridge is not affected.',
            evidence: [{ label: 'port', value: '7420' }],
          },
        ]
      : [],
  };
}
