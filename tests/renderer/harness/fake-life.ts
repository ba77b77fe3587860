import type { IpcOutput } from '../../../shared/ipc/contract.ts';
import type { ActiveCall } from '../../../shared/model/activity/call.ts';
import type { ServerView } from '../../../shared/model/server/server.ts';
import type { EntryTrial } from '../../../shared/model/server/server-update.ts';
import { withoutProblem } from './entry-view.ts';
import { sampleHealth, sampleNow } from './sample-health.ts';
import { largeDifference, smallDifference } from './sample-resilience.ts';
import type { Snapshot } from './scenarios.ts';

/** Functions of the hub that the fake servers' lifecycle needs. */
export interface LifeHost {
  readonly state: () => Snapshot;
  readonly replace: (key: string, server: ServerView) => void;
}

/** Fakes sleep, health, trials and updates of servers. */
export class FakeLife {
  readonly #host: LifeHost;
  #calls: readonly ActiveCall[];

  constructor(host: LifeHost) {
    this.#host = host;
    this.#calls = host.state().clients.length === 0 ? [] : sampleCalls();
  }

  sleep(key: string): void {
    this.#change(key, ({ connectedAt: _ended, pid: _gone, health: _old, ...server }) => ({
      ...withoutProblem(server),
      status: 'disconnected',
      since: Date.now(),
      cached: true,
      asleep: { since: Date.now(), memorySaved: 121_000_000 },
    }));
  }

  checkHealth(key: string): void {
    this.#change(key, (server) => ({
      ...server,
      health: { ...sampleNow(key), by: 'ping', lastCheckAt: Date.now(), misses: 0 },
    }));
  }

  health(key: string): IpcOutput<'server.watchHealth'> {
    const server = this.#host.state().servers.find((one) => one.key === key);
    return { samples: server === undefined ? [] : sampleHealth(server) };
  }

  /** Fails for a text with `broken` in it; one with `thousand` adds that many tools. */
  async tryEntry(text: string): Promise<EntryTrial> {
    await new Promise((resolve) => setTimeout(resolve, text.includes('slow') ? 60_000 : 700));
    if (text.includes('broken')) return failedTrial;
    const difference = text.includes('thousand') ? largeDifference : smallDifference;
    return {
      ok: true,
      milliseconds: 812,
      serverInfo: { name: 'github-mcp-server', version: '0.21.0' },
      tools: 51 + difference.added.length - difference.removed.length,
      difference,
    };
  }

  /** Starts a saved entry beside the running server, which it then replaces. */
  update(key: string): void {
    this.#change(key, (server) => ({ ...server, update: { kind: 'starting', since: Date.now() } }));
    setTimeout(() => {
      this.#change(key, (server) => ({
        ...server,
        update: { kind: 'done', at: Date.now(), difference: smallDifference, draining: false },
      }));
    }, 1_200);
  }

  endUpdate(key: string): void {
    this.#change(key, ({ update: _read, ...server }) => server);
  }

  quitPlan(): IpcOutput<'app.quitPlan'> {
    const clients = this.#host
      .state()
      .clients.map(({ id, name, lastActiveAt }) => ({ id, name, lastActiveAt }));
    return { clients, calls: this.#calls };
  }

  /** Answers active calls one after the other; the fake hub itself stays. */
  drain(): void {
    const next = this.#calls[0];
    if (next === undefined) return;
    setTimeout(() => {
      this.#calls = this.#calls.slice(1);
      this.#change(next.serverKey, (server) => ({
        ...server,
        activeCalls: Math.max(0, server.activeCalls - 1),
      }));
      this.drain();
    }, 4_000);
  }

  #change(key: string, change: (server: ServerView) => ServerView): void {
    const server = this.#host.state().servers.find((one) => one.key === key);
    if (server !== undefined) this.#host.replace(key, change(server));
  }
}

function sampleCalls(): readonly ActiveCall[] {
  const now = Date.now();
  const call = { method: 'tools/call' };
  return [
    {
      ...call,
      id: 1,
      clientId: 'c1',
      clientName: 'claude-ai',
      serverKey: 'slack',
      name: 'conversations_history',
      since: now - 12_000,
    },
    {
      ...call,
      id: 2,
      clientId: 'c1',
      clientName: 'claude-ai',
      serverKey: 'slack',
      name: 'users_search',
      since: now - 3_000,
    },
    {
      ...call,
      id: 3,
      clientId: 'c2',
      clientName: 'cursor-vscode',
      serverKey: 'chroma',
      name: 'chroma_query_documents',
      since: now - 41_000,
    },
  ];
}

const failedTrial: EntryTrial = {
  ok: false,
  milliseconds: 1904,
  problem: {
    code: 'server.exited_before_handshake',
    sentence: 'It exited with code 1 before it had introduced itself.',
    fix: 'Look at the last lines below, then fix the config.',
    evidence: [
      { label: 'command', value: 'npx -y @modelcontextprotocol/server-github@broken' },
      { label: 'exit', value: 'code 1 after 1.9 s' },
      {
        label: 'last lines of stderr',
        value:
          'npm error code ETARGET\nnpm error notarget No matching version found for @modelcontextprotocol/server-github@broken.',
      },
    ],
  },
};
