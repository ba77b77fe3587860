import { once } from 'node:events';
import { connect } from 'node:net';
import { queryObjects, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../../electron/engine/base/clock.ts';
import { silentLogger } from '../../../../electron/engine/base/logger.ts';
import { createHttpEndpoint } from '../../../../electron/engine/gateway/http/http-endpoint.ts';
import type { SessionRegistry } from '../../../../electron/engine/gateway/session/session-registry.ts';
import { createSocketEndpoint } from '../../../../electron/engine/gateway/socket/socket-endpoint.ts';
import { until } from '../../../helper/gateway.ts';
import { createMemoryHub, type MemoryServer, type Talker } from '../../../helper/memory-hub.ts';
import { socketIn } from '../../../helper/socket-in.ts';
import { tempDir } from '../../../helper/temp-dir.ts';

/** `npm run test:soak` sets 10,000; the check uses few. */
const rounds = Number(process.env.SOAK_ROUNDS ?? 120);

/**
 * Maximum heap growth in bytes between a third of the way and the end: too little for a leak in each round.
 */
const mayGrow = 4 * 1024 * 1024 + rounds * 256;

/** Number of sessions that the runtime may still reference for a moment. */
const someMore = 8;

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

async function heapInUse(): Promise<number> {
  // Socket ends are reported a turn or two later.
  await new Promise((resolve) => setTimeout(resolve, 50));
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

/** Registers sessions and counts those still in memory, whatever references them. */
function counted(sessions: Pick<SessionRegistry, 'open'>) {
  let kind: NewableFunction | undefined;
  // Sessions of other test files that ran in this worker.
  let others = 0;
  const count = () => (kind === undefined ? 0 : queryObjects(kind, { format: 'count' }));
  return {
    open: async (...options: Parameters<SessionRegistry['open']>) => {
      const session = await sessions.open(...options);
      if (kind === undefined) {
        kind = session.constructor as NewableFunction;
        others = count() - 1;
      }
      return session;
    },
    inMemory: () => count() - others,
  };
}

/** Measures the heap growth over the last two thirds of the rounds. */
async function growthOver(visited: Talker, round: () => Promise<void>): Promise<number> {
  let early = 0;
  for (let index = 0; index < rounds; index++) {
    if (index === Math.floor(rounds / 3)) early = await heapInUse();
    await round();
    // Memory that the test itself holds.
    visited.requests.splice(0);
  }
  return (await heapInUse()) - early;
}

const capabilities = { tools: {}, logging: {}, resources: { subscribe: true } };
const server: MemoryServer = {
  capabilities,
  offer: {
    capabilities,
    tools: Array.from({ length: 50 }, (_, index) => ({
      name: `tool_${index}`,
      description: 'x'.repeat(1_000),
    })),
    resources: [{ uri: 'file:///a', name: 'a' }],
  },
  answers: {
    'tools/call': () => ({ content: [{ type: 'text', text: 'x'.repeat(2_000) }] }),
    'logging/setLevel': () => ({}),
    'resources/subscribe': () => ({}),
    'resources/unsubscribe': () => ({}),
  },
};

/** Actions of each client before it leaves without notice. */
const visit = [
  { id: 1, method: 'tools/list' },
  { id: 2, method: 'logging/setLevel', params: { level: 'info' } },
  { id: 3, method: 'resources/subscribe', params: { uri: 'file:///a' } },
  { id: 4, method: 'tools/call', params: { name: 's__tool_1' } },
].map((message) => ({ jsonrpc: '2.0', ...message }));

const initialize = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
};

describe('memory', () => {
  it('[PB-ISO-1] stays flat over abandoned HTTP sessions, whose number is bounded', async () => {
    await using hub = createMemoryHub({ s: server });
    await hub.connect('s');
    const sessions = counted(hub.sessions);
    const endpoint = createHttpEndpoint({
      token: 't',
      version: '1',
      instanceId: 'soak',
      sessions,
      hasServer: () => true,
      hasProfile: () => false,
      log: silentLogger,
      clock: systemClock,
      limits: { maxSessions: 64, idleMs: 60_000, maxAgeMs: 60_000 },
    });
    await endpoint.listen(0);
    const headers = {
      authorization: 'Bearer t',
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    };
    const post = (message: unknown, more = {}) =>
      fetch(`http://127.0.0.1:${endpoint.port}/mcp`, {
        method: 'POST',
        headers: { ...headers, ...more },
        body: JSON.stringify(message),
      });

    const growth = await growthOver(hub.server('s'), async () => {
      const begun = await post(initialize);
      const session = {
        'mcp-session-id': begun.headers.get('mcp-session-id') ?? '',
        'mcp-protocol-version': '2025-11-25',
      };
      await begun.text();
      for (const message of visit) {
        const answer = await post(message, session);
        expect(await answer.text()).toContain('"result"');
      }
      expect(hub.sessions.views().length).toBeLessThanOrEqual(64);
    });
    await heapInUse();
    expect(sessions.inMemory()).toBeLessThan(64 + someMore);
    await hub.sessions.close();
    await endpoint.close();
    expect(growth).toBeLessThan(mayGrow);
    // The last subscriber's departure has been reported.
    expect(hub.server('s').requests.at(-1)?.method).toBe('resources/unsubscribe');
  }, 1_800_000);

  it('[PB-BRIDGE-1] stays flat over bridges that come and go', async () => {
    await using folder = await tempDir();
    await using hub = createMemoryHub({ s: server });
    await hub.connect('s');
    const path = socketIn(folder.path);
    const sessions = counted(hub.sessions);
    const endpoint = createSocketEndpoint({
      path,
      version: '1',
      sessions,
      log: silentLogger,
    });
    await endpoint.listen();
    const hello = { patchbay: 1, kind: 'bridge', version: '1', pid: 1 };
    const lines = [hello, initialize, ...visit].map((message) => `${JSON.stringify(message)}\n`);

    const growth = await growthOver(hub.server('s'), async () => {
      const socket = connect(path);
      socket.write(lines.join(''));
      let heard = '';
      await new Promise<void>((resolve) => {
        socket.on('data', (chunk) => {
          heard += chunk;
          if (heard.split('\n').length > visit.length + 2) resolve();
        });
      });
      socket.destroy();
      await once(socket, 'close');
    });
    await until('the last one', () => hub.sessions.views().length === 0);
    await heapInUse();
    expect(sessions.inMemory()).toBeLessThan(someMore);
    await endpoint.close();
    expect(growth).toBeLessThan(mayGrow);
  }, 1_800_000);
});
