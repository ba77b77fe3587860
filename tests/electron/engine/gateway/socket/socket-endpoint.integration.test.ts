import { readdir, stat } from 'node:fs/promises';
import { connect as connectSocket, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { silentLogger } from '../../../../../electron/engine/base/logger.ts';
import { createSessionRegistry } from '../../../../../electron/engine/gateway/session/session-registry.ts';
import type { AdminService } from '../../../../../electron/engine/gateway/socket/admin-session.ts';
import { createSocketEndpoint } from '../../../../../electron/engine/gateway/socket/socket-endpoint.ts';
import { readHelloLine } from '../../../../../electron/engine/transport/socket/socket.ts';
import { createStreamTransport } from '../../../../../electron/engine/transport/stdio/stream-transport.ts';
import { ProblemError, problem } from '../../../../../shared/error/problem.ts';
import { eventually } from '../../../../helper/eventually.ts';
import {
  catalogueOf,
  echoRouter,
  offerOf,
  RawClient,
  surroundings,
  until,
} from '../../../../helper/gateway.ts';
import { socketIn } from '../../../../helper/socket-in.ts';
import { tempDir } from '../../../../helper/temp-dir.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});

async function hub(admin?: AdminService) {
  const folder = await tempDir();
  const path = socketIn(folder.path);
  const sessions = createSessionRegistry(
    surroundings({ router: echoRouter, catalogue: catalogueOf({ files: offerOf('read') }) }),
  );
  const endpoint = createSocketEndpoint({
    path,
    version: '1.2.3',
    sessions,
    log: silentLogger,
    ...(admin && { admin }),
  });
  await endpoint.listen();
  cleanups.push(async () => folder[Symbol.asyncDispose](), endpoint.close, sessions.close);
  return { path, sessions, endpoint };
}

async function connect(path: string): Promise<Socket> {
  const socket = connectSocket(path);
  cleanups.push(async () => socket.destroy());
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  return socket;
}

/** Reads the hub's first line, or nothing if it hangs up; later data stays in the socket. */
function firstLine(socket: Socket): Promise<string> {
  return readHelloLine(socket, 65_536, 5_000).catch(() => '');
}

const hello = (fields: Readonly<Record<string, unknown>> = {}) =>
  `${JSON.stringify({ patchbay: 1, kind: 'bridge', version: '0.0.1', pid: 1, ...fields })}\n`;

describe('the socket endpoint', () => {
  it('[PB-BRIDGE-1] accepts a bridge of any version with the same wire version, and what it sends right after hello', async () => {
    const { path, sessions } = await hub();
    const socket = await connect(path);
    const initialize = {
      jsonrpc: '2.0',
      id: 'early',
      method: 'initialize',
      params: { clientInfo: { name: 'c' } },
    };
    socket.write(
      `${hello({ version: '0.0.1-old', later: { field: 1 }, names: 'dot' })}${JSON.stringify(initialize)}\n`,
    );
    expect(JSON.parse(await firstLine(socket))).toEqual({ patchbay: 1, version: '1.2.3', pid: process.pid });
    const client = await new RawClient(createStreamTransport({ readable: socket, writable: socket })).open();
    await until('the early answer', () => client.answersTo('early').length === 1);
    expect((await client.request('tools/list')).result?.tools).toMatchObject([{ name: 'files.read' }]);
    expect(sessions.views()).toMatchObject([{ name: 'c', via: 'bridge', bridgeVersion: '0.0.1-old' }]);
    await client.close();
    await until('the end', () => sessions.views().length === 0);
  });

  it.each([
    ['a newer wire', hello({ patchbay: 2 }), 'hub.version_mismatch'],
    ['an older wire', hello({ patchbay: 0 }), 'hub.version_mismatch'],
    ['something else', 'GET / HTTP/1.1\n', 'app.invalid_request'],
    ['a hello that lacks its fields', hello({ kind: 'window' }), 'app.invalid_request'],
  ])('[PB-BRIDGE-1] refuses %s with its code, and opens no session', async (_what, line, code) => {
    const { path, sessions } = await hub();
    const socket = await connect(path);
    socket.write(line);
    const answer = JSON.parse(await firstLine(socket));
    expect(answer).toMatchObject({ patchbay: 1, error: { code, fix: expect.any(String) } });
    expect(sessions.views()).toEqual([]);
  });

  it('[PB-SAFE-2] hangs up on an endless hello, and on one that is cut off', async () => {
    const { path, sessions } = await hub();
    const endless = await connect(path);
    endless.write(Buffer.alloc(70_000, 'x'));
    expect(await firstLine(endless)).toBe('');
    const cut = await connect(path);
    cut.end('{"patchbay":');
    expect(await firstLine(cut)).toBe('');
    expect(sessions.views()).toEqual([]);
  });

  it.skipIf(process.platform !== 'linux')(
    '[NFR-R3] [PB-SAFE-2] keeps no descriptor of a peer it refused, whether that leaves in the middle or stays',
    async () => {
      const { path } = await hub();
      const descriptors = async () => (await readdir('/proc/self/fd')).length;
      const before = await descriptors();
      const peers = await Promise.all(Array.from({ length: 20 }, () => connect(path)));
      for (const [nr, peer] of peers.entries()) {
        peer.on('error', () => {});
        peer.write(`garbage\n${'x'.repeat(1_000_000)}`);
        if (nr % 2 === 0) setTimeout(() => peer.destroy(), 20);
        else peer.pause();
      }
      // Clients that stay read nothing, so they notice the end of the connection only when they do.
      await until('the ends', () => peers.every((peer, nr) => nr % 2 === 1 || peer.destroyed));
      await eventually(async () => expect(await descriptors()).toBeLessThanOrEqual(before + 10));
      for (const peer of peers) peer.destroy();
      await eventually(async () => expect(await descriptors()).toBeLessThanOrEqual(before));
    },
  );

  it('[PB-BRIDGE-1] answers a bridge that only asks whether it is there, and opens no session for it', async () => {
    const { path, sessions } = await hub();
    const changes: unknown[] = [];
    sessions.onChange((views) => changes.push(views));
    const socket = await connect(path);
    socket.write(hello({ probe: true }));
    expect(JSON.parse(await firstLine(socket))).toMatchObject({ version: '1.2.3', pid: process.pid });
    socket.resume();
    await until('the end', () => socket.closed);
    expect([changes, sessions.views()]).toEqual([[], []]);
  });

  describe('for commands', () => {
    async function ask(admin: AdminService | undefined, method: string, params?: unknown) {
      const { path, sessions } = await hub(admin);
      const socket = await connect(path);
      const request = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
      socket.write(`${JSON.stringify({ patchbay: 1, kind: 'admin', version: '9' })}\n${request}\n`);
      expect(JSON.parse(await firstLine(socket))).toMatchObject({ version: '1.2.3', pid: process.pid });
      const answer: unknown = JSON.parse(await firstLine(socket));
      return { answer, sessions: sessions.views() };
    }

    it('[PB-HEAD-1] answers them, and opens no session', async () => {
      const asked: unknown[] = [];
      const answer = async (...call: unknown[]) => {
        asked.push(call);
        return ['x'];
      };
      const heard = await ask({ answer }, 'any.call', { input: { key: 'a' } });
      expect(heard).toEqual({ answer: { jsonrpc: '2.0', id: 1, result: { output: ['x'] } }, sessions: [] });
      expect(asked).toEqual([['any.call', { key: 'a' }]]);
    });

    it('[NFR-R4] sends them the complete problem', async () => {
      const found = problem('config.unknown_server', 'There is no server a.', 'Name another.', { key: 'a' });
      const { answer } = await ask({ answer: () => Promise.reject(new ProblemError(found)) }, 'any.call');
      expect(answer).toMatchObject({ error: { message: found.sentence, data: found } });
    });

    it('[PB-HEAD-1] refuses them if there is no handler', async () => {
      const { answer } = await ask(undefined, 'hub.status');
      expect(answer).toMatchObject({ error: { data: { code: 'app.invalid_request' } } });
    });
  });

  it.skipIf(process.platform === 'win32')('[PB-SAFE-2] keeps the socket to its owner', async () => {
    const { path } = await hub();
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('[PB-ISO-1] treats two bridges of one host as two clients, and ends all when it closes', async () => {
    const { path, sessions, endpoint } = await hub();
    const clients = await Promise.all(
      [1, 2].map(async () => {
        const socket = await connect(path);
        socket.write(hello());
        await firstLine(socket);
        const client = await new RawClient(
          createStreamTransport({ readable: socket, writable: socket }),
        ).open();
        await client.greet('host');
        return client;
      }),
    );
    expect(new Set(sessions.views().map(({ id }) => id)).size).toBe(2);
    await sessions.close();
    await endpoint.close();
    await until('the ends', () => clients.every(({ isClosed }) => isClosed));
    await expect(connect(path)).rejects.toThrow();
  });
});
