import { expect } from 'vitest';
import type { Disposable } from '../../../../electron/engine/base/emitter.ts';
import { silentLogger } from '../../../../electron/engine/base/logger.ts';
import { ConnectionClosedError } from '../../../../electron/engine/jsonrpc/message.ts';
import type { RawMessage } from '../../../../electron/engine/jsonrpc/raw-message.ts';
import { toRaw } from '../../../../electron/engine/jsonrpc/read-message.ts';
import type {
  Connection,
  PreparedUpdate,
  ServerState,
  SupervisedServer,
} from '../../../../electron/engine/servers/contract.ts';
import { EraMemory } from '../../../../electron/engine/servers/lifecycle/connection/era-memory.ts';
import type { ServerPeer } from '../../../../electron/engine/servers/lifecycle/connection/server-connection.ts';
import { ManagedServer } from '../../../../electron/engine/servers/lifecycle/managed-server.ts';
import type { RunOptions, RunPorts } from '../../../../electron/engine/servers/lifecycle/run.ts';
import type { RunEnding } from '../../../../electron/engine/servers/lifecycle/run-ending.ts';
import { createContainerRegistry } from '../../../../electron/engine/servers/process/containers/container-registry.ts';
import { createProcessTables } from '../../../../electron/engine/servers/process/table/process-tables.ts';
import type { ServerConfig } from '../../../../electron/engine/servers/server-config.ts';
import type { Problem } from '../../../../shared/error/problem.ts';
import { ProblemError } from '../../../../shared/error/problem.ts';
import { FakeClock } from '../../../helper/fake-clock.ts';

export const crashed: Problem = {
  code: 'server.crashed',
  sentence: 'It ended.',
  fix: 'Look.',
  evidence: [],
};

/** Milliseconds that a scripted process takes for its handshake and for its end. */
const toConnect = 20;
const toEnd = 30;

/**
 * Returns a config with this name: `bad…` exits before its handshake, `mute…` never
 * completes it.
 */
export function order(name: string, rest: Partial<ServerConfig> = {}): ServerConfig {
  const value = { kind: 'stdio', command: name, args: [], env: {} } as const;
  const fingerprint = name;
  return { key: 'a', enabled: true, restart: 'always', fingerprint, target: { ok: true, value }, ...rest };
}

/** Scripted process of a server. Its calls take as many milliseconds as their method names. */
export class ScriptedRun {
  readonly name: string;
  readonly #options: RunOptions;
  readonly #clock: FakeClock;
  readonly #calls = new Map<
    object,
    { readonly reject: (error: Error) => void; readonly timer: Disposable }
  >();
  readonly #finish: (ending: RunEnding) => void;
  phase: 'starting' | 'serving' | 'ending' | 'over' = 'starting';
  left: readonly number[] = [];
  /** Allows callers to get an unknown outcome. */
  isCut = false;

  constructor(options: RunOptions, clock: FakeClock, finish: (ending: RunEnding) => void) {
    this.name = options.target.kind === 'stdio' ? options.target.command : '';
    this.#options = options;
    this.#clock = clock;
    this.#finish = finish;
    options.signal.addEventListener('abort', () => this.#close({ kind: 'stopped' }));
    options.events.started({ pid: 1 });
    clock.after(toConnect, () => this.#connect());
  }

  get calls(): number {
    return this.#calls.size;
  }

  get isEnding(): boolean {
    return this.phase === 'ending' || this.phase === 'over';
  }

  say(method: string): void {
    this.#options.events.notification(toRaw({ jsonrpc: '2.0', method }) as never, undefined);
  }

  ask(method: string): Promise<unknown> {
    const message = toRaw({ jsonrpc: '2.0', id: 1, method }) as never;
    const { signal } = new AbortController();
    return this.#options.events.request({ message, signal, notify: async () => {} });
  }

  crash(): void {
    if (this.isEnding) return;
    this.isCut = true;
    if (this.phase === 'starting') {
      this.#close({ kind: 'early', problem: exited });
    } else {
      this.#options.events.disconnected(crashed);
      this.#close({ kind: 'lost', problem: crashed, connectedFor: 0 });
    }
  }

  #connect(): void {
    if (this.phase !== 'starting' || this.name.startsWith('mute')) return;
    if (this.name.startsWith('bad')) {
      this.#close({ kind: 'early', problem: exited });
      return;
    }
    this.phase = 'serving';
    const handshake = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: this.name } };
    const calls = this.#calls;
    const peer: ServerPeer = {
      receivedCount: 0,
      get forwardedCount() {
        return calls.size;
      },
      request: () => ({ id: 1, result: Promise.resolve({}), abandon: () => false }),
      requestRaw: () => ({ id: 1, result: new Promise(() => {}), abandon: () => false }),
      forward: (request) => ({ id: 1, result: this.#call(request), abandon: () => false }),
      notify: () => Promise.resolve(),
    };
    this.#options.events.connected(peer, handshake);
  }

  #call(request: RawMessage): Promise<RawMessage> {
    if (this.isEnding) return Promise.reject(new ConnectionClosedError('closed', false));
    const call = {};
    return new Promise((resolve, reject) => {
      const timer = this.#clock.after(Number(request.method), () => {
        resolve(toRaw({ jsonrpc: '2.0', id: 1, result: { by: this.name } }));
        this.#calls.delete(call);
        if (this.#calls.size === 0) this.#options.events.idle();
      });
      this.#calls.set(call, { reject, timer });
    });
  }

  #close(ending: RunEnding): void {
    if (this.isEnding) return;
    this.phase = 'ending';
    const calls = [...this.#calls.values()];
    this.#calls.clear();
    for (const { reject, timer } of calls) {
      timer.dispose();
      reject(new ConnectionClosedError('closed', true));
    }
    if (calls.length > 0) this.#options.events.idle();
    this.#clock.after(toEnd, () => {
      this.phase = 'over';
      this.#finish(ending);
    });
  }
}

const exited: Problem = {
  code: 'server.exited_before_handshake',
  sentence: 'It exited.',
  fix: 'Look.',
  evidence: [],
};

interface Hooks {
  readonly hasOpenWork?: () => boolean;
  readonly mustListFirst?: () => boolean;
  readonly prepare?: (connection: Connection) => Promise<PreparedUpdate>;
  readonly onChange?: (server: SupervisedServer) => void;
  /** Called with the processes that run when another one starts. */
  readonly onRun?: (run: ScriptedRun, others: readonly ScriptedRun[]) => void;
}

/** Creates a server whose processes are scripted by the test. */
export function scripted(clock: FakeClock, { onChange, onRun, prepare, ...hooks }: Hooks = {}) {
  const runs: ScriptedRun[] = [];
  const heard: string[] = [];
  const notices: string[] = [];
  const server = new ManagedServer({
    key: 'a',
    ports: portsOf(
      clock,
      (options) =>
        new Promise((resolve) => {
          const run: ScriptedRun = new ScriptedRun(options, clock, (ending) =>
            resolve({ ending, left: run.left }),
          );
          onRun?.(run, alive());
          runs.push(run);
        }),
    ),
    random: () => 0.5,
    events: {
      state: ({ server: changed, previous }) => {
        if (changed.state.status !== previous) heard.push(changed.state.status);
        onChange?.(changed);
      },
      notification: ({ notification: { method }, connection }) =>
        void notices.push(`${connection?.handshake.serverInfo.name} ${method}`),
      request: async (_server, { message }) => message.method,
      lateAnswer: () => {},
    },
    hooks: {
      ...hooks,
      ...(prepare === undefined ? {} : { prepare: (_key, connection) => prepare(connection) }),
    },
  });
  const alive = () => runs.filter(({ phase }) => phase !== 'over');
  return {
    server,
    /** Status changes. */
    heard,
    notices,
    runs,
    alive,
    /** Names of the processes that are not ending. */
    names: () => alive().flatMap((run) => (run.isEnding ? [] : [run.name])),
    /** Returns the running process with this name. */
    run(name: string): ScriptedRun {
      const found = alive().find((run) => run.name === name);
      if (found === undefined) throw new Error(`${name} does not run`);
      return found;
    },
    call: (milliseconds: number) => call(server, milliseconds),
    /** Advances the time, after pending work has started. */
    async pass(milliseconds: number): Promise<void> {
      await clock.advance(0);
      await clock.advance(milliseconds);
    },
  };
}

/** Creates a server whose config `one` is connected. */
export async function connected(rest: Partial<ServerConfig> = {}, hooks: Hooks = {}) {
  const clock = new FakeClock();
  const owned = scripted(clock, hooks);
  owned.server.apply(order('one', rest));
  // Wakes it if it sleeps.
  owned.server.connection(toConnect).catch(() => undefined);
  await owned.pass(toConnect);
  expect(owned.server.state.status).toBe('connected');
  return { clock, ...owned };
}

export type Outcome = { readonly by: unknown } | { readonly problem: string } | { readonly unknown: true };

/** Calls like the router: retries once what was certainly not sent. */
async function call(server: SupervisedServer, milliseconds: number): Promise<Outcome> {
  const message = toRaw({ jsonrpc: '2.0', id: 1, method: String(milliseconds) });
  try {
    const first = connectionOf(server.state) ?? (await server.connection(30_000));
    return resultOf(
      await first.forward(message, {}).result.catch(async (error: unknown) => {
        if (!(error instanceof ConnectionClosedError) || error.sent) throw error;
        return (await server.connection(30_000)).forward(message, {}).result;
      }),
    );
  } catch (error) {
    if (error instanceof ProblemError) return { problem: error.problem.code };
    if (error instanceof ConnectionClosedError && error.sent) return { unknown: true };
    throw error;
  }
}

function connectionOf(state: ServerState): Connection | undefined {
  return 'connection' in state ? state.connection : undefined;
}

function resultOf({ result }: RawMessage): Outcome {
  return { by: (result as { by: unknown }).by };
}

function portsOf(clock: FakeClock, run: RunPorts['run']): RunPorts {
  return {
    run,
    clock,
    logger: silentLogger,
    env: async () => ({}),
    registry: createContainerRegistry(silentLogger),
    containers: { prepare: async () => undefined },
    processes: createProcessTables(),
    version: '0',
    instanceId: 'x',
    defaultCwd: '/',
    eras: new EraMemory(clock, silentLogger),
    sessionStreams: new Map(),
    timing: {
      handshake: 1_000,
      handshakeDownloading: 1_000,
      stopStep: 100,
      backoffInitial: 500,
      backoffMax: 30_000,
      stable: 60_000,
      slowProbe: 300_000,
      drain: 30_000,
    },
  };
}
