import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { systemClock } from '../../../../electron/engine/base/clock.ts';
import { silentLogger } from '../../../../electron/engine/base/logger.ts';
import type { ServerState, Supervisor } from '../../../../electron/engine/servers/contract.ts';
import { createSupervisor } from '../../../../electron/engine/servers/lifecycle/supervisor.ts';
import type { SupervisorOptions } from '../../../../electron/engine/servers/lifecycle/supervisor-options.ts';
import type { LaunchTarget, ServerConfig } from '../../../../electron/engine/servers/server-config.ts';
import { processIdentity } from '../../../../electron/engine/store/files/process-identity.ts';
import {
  listWindowsProcesses,
  type WindowsProcess,
} from '../../../../electron/engine/store/files/windows-processes.ts';
import { ancestorsVariable, readAncestors } from '../../../../shared/model/server/loop.ts';
import type { ServerStatus } from '../../../../shared/model/server/server.ts';

export const fixture = (name: string): string =>
  fileURLToPath(new URL(`../../../fixture/${name}.mjs`, import.meta.url));

type Stdio = Extract<LaunchTarget, { kind: 'stdio' }>;

/** Returns a config that runs a fixture. */
export function order(
  key: string,
  name: string,
  { target = {}, ...rest }: Partial<Omit<ServerConfig, 'key' | 'target'>> & { target?: Partial<Stdio> } = {},
): ServerConfig {
  const value: Stdio = {
    kind: 'stdio',
    command: process.execPath,
    args: [fixture(name)],
    env: {},
    ...target,
  };
  return {
    key,
    enabled: true,
    restart: 'always',
    target: { ok: true, value },
    fingerprint: JSON.stringify(value),
    display: `node ${name}.mjs`,
    ...rest,
  };
}

/** Cases of the state union that can have this status. */
type StateOf<Status extends ServerStatus, State = ServerState> = State extends {
  readonly status: ServerStatus;
}
  ? Status extends State['status']
    ? State
    : never
  : never;

export interface Harness extends AsyncDisposable {
  readonly supervisor: Supervisor;
  readonly instanceId: string;
  /** Every status change, in order, as `key status`. */
  readonly history: readonly string[];
  /** Resolves with the server's state once it has the status; fails after 20 s. */
  until<Status extends ServerStatus>(
    key: string,
    status: Status,
    condition?: (state: StateOf<Status>) => boolean,
  ): Promise<StateOf<Status>>;
  call(key: string, tool: string, args?: Record<string, unknown>): Promise<string>;
}

/**
 * Creates a supervisor with short timeouts; disposing it shuts it down and verifies that no process is left.
 */
export function harness(options: Partial<SupervisorOptions> = {}): Harness {
  const { instanceId = `test ${crypto.randomUUID()}` } = options;
  const supervisor = createSupervisor({
    clock: systemClock,
    logger: silentLogger,
    env: async () => process.env,
    version: '0.0.0-test',
    ...options,
    instanceId,
    timing: { stopStep: 500, backoffInitial: 20, backoffMax: 100, ...options.timing },
  });
  const history: string[] = [];
  supervisor.onState(({ server, previous }) => {
    if (server.state.status !== previous) history.push(`${server.key} ${server.state.status}`);
  });
  return {
    supervisor,
    instanceId,
    history,
    until: (key, status, condition) => until(supervisor, key, status, condition),
    call: (key, tool, args = {}) => call(supervisor, key, tool, args),
    async [Symbol.asyncDispose]() {
      await supervisor.shutdown();
      expect(await survivors(instanceId)).toEqual([]);
    },
  };
}

function until<Status extends ServerStatus>(
  supervisor: Supervisor,
  key: string,
  status: Status,
  condition: (state: StateOf<Status>) => boolean = () => true,
): Promise<StateOf<Status>> {
  return new Promise((resolve, reject) => {
    const check = () => {
      const state = supervisor.servers.get(key)?.state;
      // The cast follows from the comparison, which the compiler cannot apply to a generic status.
      if (state?.status !== status || !condition(state as StateOf<Status>)) return false;
      clearTimeout(timer);
      subscription.dispose();
      resolve(state as StateOf<Status>);
      return true;
    };
    const timer = setTimeout(() => {
      subscription.dispose();
      const state = supervisor.servers.get(key)?.state;
      reject(new Error(`${key} is not ${status} but ${JSON.stringify(state)}`));
    }, 110_000);
    const subscription = supervisor.onState(check);
    check();
  });
}

async function call(
  supervisor: Supervisor,
  key: string,
  name: string,
  args: Record<string, unknown>,
): Promise<string> {
  const connection = await supervisor.servers.get(key)?.connection(60_000);
  const result = await connection?.request('tools/call', { name, arguments: args }).result;
  return (result as { content: { text: string }[] }).content[0]?.text ?? '';
}

/**
 * Returns the pids of living processes that the supervisor with this id started, directly or not: by their
 * environment or, on Windows, which hides it, by their parents.
 */
export async function survivors(instanceId: string): Promise<readonly number[]> {
  if (process.platform === 'win32') return nodeDescendants();
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name)).map(Number);
  const found = await Promise.all(
    pids.map(async (pid) => ((await isMarked(pid, instanceId)) && (await isAlive(pid)) ? [pid] : [])),
  );
  return found.flat();
}

/** Returns the programs that this one started and that run in Node, as servers of tests do. */
async function nodeDescendants(): Promise<readonly number[]> {
  const rows = await listWindowsProcesses();
  const childrenOf = (parents: readonly number[]): readonly number[] => {
    const found = rows.filter(({ parent }) => parents.includes(parent)).filter(isNode);
    const pids = found.map(({ pid }) => pid);
    return pids.length === 0 ? [] : [...pids, ...childrenOf(pids)];
  };
  return childrenOf([process.pid]);
}

function isNode({ name }: WindowsProcess): boolean {
  return name.toLowerCase() === 'node.exe';
}

export async function isAlive(pid: number): Promise<boolean> {
  return (await processIdentity(pid)) !== undefined;
}

async function isMarked(pid: number, instanceId: string): Promise<boolean> {
  const environ = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
  const entry = environ.split('\0').find((line) => line.startsWith(`${ancestorsVariable}=`));
  return readAncestors(entry?.slice(ancestorsVariable.length + 1)).includes(instanceId);
}

/** Resolves when the condition holds; fails after a minute. */
export async function eventually(condition: () => Promise<boolean> | boolean): Promise<void> {
  for (const deadline = Date.now() + 60_000; !(await condition()); ) {
    if (Date.now() > deadline) throw new Error('it did not happen within a minute');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
