import { Emitter } from '../../electron/engine/base/emitter.ts';
import { RpcError, rpcErrorCodes } from '../../electron/engine/jsonrpc/message.ts';
import type { PendingRequest } from '../../electron/engine/jsonrpc/peer-contract.ts';
import type { Connection, ServerStateChange } from '../../electron/engine/servers/contract.ts';
import {
  createHealthMonitor,
  type HealthMonitorOptions,
} from '../../electron/engine/servers/health/health-monitor.ts';
import type { Problem } from '../../shared/error/problem.ts';
import { FakeClock } from './fake-clock.ts';
import { createFakeServer, createFakeSupervisor } from './fake-supervisor.ts';

/** A connection whose pings a test answers, or not. */
export function createPingable(capabilities: Readonly<Record<string, unknown>> = {}) {
  let lastId = 0;
  let received = 1;
  let mode: 'answers' | 'silent' | 'silent-to-pings' | 'refuses-oddly' | 'unknown-method' = 'answers';
  const asked: string[] = [];
  const abandoned: number[] = [];
  const waiting = new Map<number, (error: Error) => void>();
  const request = (method: string): PendingRequest => {
    asked.push(method);
    const id = ++lastId;
    const result = new Promise<unknown>((resolve, reject) => {
      waiting.set(id, reject);
      const answers = mode === 'answers' || (mode === 'silent-to-pings' && method !== 'ping');
      if (answers) resolve({});
      // An odd refusal does not count as a message received.
      if (mode === 'refuses-oddly')
        reject(new RpcError({ code: rpcErrorCodes.internalError, message: 'no' }));
      if (mode === 'unknown-method') {
        reject(new RpcError({ code: rpcErrorCodes.methodNotFound, message: 'Method not found: ping' }));
      }
      if (answers || mode === 'unknown-method') received++;
    });
    const abandon = (reason: Error) => {
      abandoned.push(id);
      waiting.get(id)?.(reason);
      return true;
    };
    return { id, result, abandon };
  };
  const handshake = { protocolVersion: '2025-11-25', capabilities, serverInfo: {} };
  const connection = { handshake, request, received: () => received } as Partial<Connection> as Connection;
  return {
    connection,
    asked,
    /** Requests that were given up. */
    abandoned,
    set mode(next: typeof mode) {
      mode = next;
    },
    /** A message comes from the server. */
    says: () => {
      received++;
    },
    /** Every request that is still open fails. */
    breaks: (error: Error) => {
      for (const reject of waiting.values()) reject(error);
    },
  };
}

type Settings = ReturnType<HealthMonitorOptions['settings']>;

/** A monitor over servers without processes. */
export function createMonitored(keys: readonly string[] = ['a'], first: Settings = { isRemote: false }) {
  const clock = new FakeClock();
  const supervisor = createFakeSupervisor(keys);
  const instances = new Emitter<ServerStateChange>();
  const failed: [string, Problem][] = [];
  const told: string[][] = [];
  let settings = first;
  const monitor = createHealthMonitor({
    clock,
    supervisor: { ...supervisor, instances: { onState: instances.event } },
    settings: () => settings,
    fail: ({ id }, problem) => failed.push([id, problem]),
    env: async () => ({}),
    onChange: (changed) => told.push([...changed]),
    random: () => 0.5,
  });
  return {
    clock,
    supervisor,
    monitor,
    failed,
    /** Keys named in each notice. */
    told,
    set settings(next: Settings) {
      settings = next;
      monitor.settingsChanged();
    },
    /** Connects a process that a client has of its own. */
    connectInstance(id: string, key = 'a') {
      const server = createFakeServer(key, (previous) => instances.fire({ server, previous }), {
        id,
        sessionId: id,
      });
      const pingable = createPingable();
      server.connected(pingable.connection);
      return { server, pingable };
    },
    /** Connects a server to something that can be pinged. */
    connect(key = 'a', capabilities: Readonly<Record<string, unknown>> = {}) {
      const pingable = createPingable(capabilities);
      supervisor.server(key).connected(pingable.connection);
      return pingable;
    },
  };
}
