import { chmod, rename, stat, unlink, writeFile } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createPeer } from '../../../../../electron/engine/jsonrpc/peer.ts';
import {
  connectSocket,
  listenSocket,
  readHelloLine,
} from '../../../../../electron/engine/transport/socket/socket.ts';
import { createStreamTransport } from '../../../../../electron/engine/transport/stdio/stream-transport.ts';
import { FakeClock } from '../../../../helper/fake-clock.ts';
import { socketIn } from '../../../../helper/socket-in.ts';
import { tempDir } from '../../../../helper/temp-dir.ts';

/** A Windows named pipe is not a file. */
const hasFiles = process.platform !== 'win32';

async function listening(onConnection: (socket: Socket) => void = () => {}) {
  const folder = await tempDir();
  const path = socketIn(folder.path);
  const listener = await listenSocket(path, onConnection);
  return {
    path,
    listener,
    async [Symbol.asyncDispose]() {
      await listener.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

const overSocket = (socket: Socket) => createStreamTransport({ readable: socket, writable: socket });
const echo = { notification: () => {}, closed: () => {}, request: async (request: unknown) => request };

describe('local socket', () => {
  it('[PB-BRIDGE-1] [PB-SAFE-2] reads the first line and leaves the rest to the transport', async () => {
    const hellos: string[] = [];
    await using hub = await listening((socket) => {
      void readHelloLine(socket, 4096, 5000).then((line) => {
        hellos.push(line);
        return createPeer(overSocket(socket), echo).start();
      });
    });
    const socket = await connectSocket(hub.path);
    socket.write('{"hello":"dé');
    socket.write('jà"}\r\n{"jsonrpc":"2.0","id":"first","method":"early"}\n');
    const peer = createPeer(overSocket(socket), echo);
    await peer.start();
    const result = await peer.request('later', { n: 1 }).result;
    expect(hellos).toEqual(['{"hello":"déjà"}']);
    expect(result).toMatchObject({ method: 'later', params: { n: 1 } });
    if (hasFiles) expect((await stat(hub.path)).mode & 0o777).toBe(0o600);
    await peer.close();
  });

  it.runIf(hasFiles)('listens again after its file was deleted or replaced; connections stay', async () => {
    const sockets: Socket[] = [];
    await using hub = await listening((socket) => sockets.push(socket));
    const early = await connectSocket(hub.path);
    expect(await hub.listener.isFound()).toBe(true);
    await unlink(hub.path);
    expect(await hub.listener.isFound()).toBe(false);
    await writeFile(hub.path, '');
    expect(await hub.listener.isFound()).toBe(false);
    await hub.listener.moveTo(hub.path);
    expect(await hub.listener.isFound()).toBe(true);
    (await connectSocket(hub.path)).destroy();
    early.write('still here\n');
    expect(await readHelloLine(sockets[0] as Socket, 100, 5_000)).toBe('still here');
  });

  it.runIf(hasFiles)('leaves the file of another listener in place when it closes', async () => {
    await using hub = await listening();
    await unlink(hub.path);
    const other = await listenSocket(hub.path, () => {});
    await hub.listener.close();
    (await connectSocket(hub.path)).destroy();
    expect(await other.isFound()).toBe(true);
    await other.close();
  });

  it('[PB-SAFE-2] refuses a first line that is too long, too late or cut short', async () => {
    const clock = new FakeClock();
    const sockets: Promise<string>[] = [];
    await using hub = await listening((socket) => {
      sockets.push(readHelloLine(socket, 10, 1000, clock));
      sockets.at(-1)?.catch(() => {});
    });
    const connectAndSay = async (text: string) => {
      const before = sockets.length;
      const socket = await connectSocket(hub.path);
      socket.write(text);
      while (sockets.length === before) await new Promise((resolve) => setImmediate(resolve));
      return socket;
    };
    await connectAndSay('x'.repeat(11));
    await expect(sockets[0]).rejects.toThrow('too long');
    (await connectAndSay('short')).end();
    await expect(sockets[1]).rejects.toThrow('before the first line');
    await connectAndSay('');
    await clock.advance(1000);
    await expect(sockets[2]).rejects.toThrow('in time');
    expect(clock.pending).toBe(0);
  });

  it.runIf(hasFiles)('[PB-HEAD-1] replaces a socket file that nobody listens on', async () => {
    await using folder = await tempDir();
    const path = join(folder.path, 'hub.sock');
    await leaveStaleSocket(path);
    const listener = await listenSocket(path, (socket) => socket.end('hello'));
    const socket = await connectSocket(path);
    expect(String(await new Promise((resolve) => socket.once('data', resolve)))).toBe('hello');
    await listener.close();
    await expect(stat(path)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('[PB-HEAD-1] leaves a socket alone that somebody listens on', async () => {
    await using hub = await listening((socket) => socket.end());
    await expect(listenSocket(hub.path, () => {})).rejects.toMatchObject({
      problem: { code: 'hub.already_running' },
    });
    (await connectSocket(hub.path)).destroy();
  });

  it.runIf(hasFiles)('[PB-HEAD-1] does not remove a file that is not a socket', async () => {
    await using folder = await tempDir();
    const path = join(folder.path, 'hub.sock');
    await writeFile(path, 'precious');
    await chmod(path, 0o600);
    await expect(listenSocket(path, () => {})).rejects.toMatchObject({
      problem: { code: 'hub.data_folder_unwritable', sentence: expect.stringContaining('is not a socket') },
    });
    expect((await stat(path)).size).toBe(8);
  });

  it('[PB-HEAD-1] refuses a path that the system would cut off', async () => {
    const path = `/tmp/${'x'.repeat(120)}/hub.sock`;
    await expect(listenSocket(path, () => {})).rejects.toMatchObject({
      problem: { code: 'hub.data_folder_unwritable' },
    });
  });

  it('[PB-BRIDGE-1] says that the hub is not there, and can be interrupted', async () => {
    await using folder = await tempDir();
    const path = join(folder.path, 'hub.sock');
    await expect(connectSocket(path)).rejects.toMatchObject({
      problem: { code: 'hub.unreachable', sentence: 'Patchbay is not running.' },
    });
    await expect(connectSocket(path, AbortSignal.abort(new Error('stop')))).rejects.toThrow('stop');
  });

  it('[PB-PROC-1] ends the connections there are when it closes', async () => {
    await using hub = await listening();
    const socket = await connectSocket(hub.path);
    socket.resume();
    const closed = new Promise((resolve) => socket.once('close', resolve));
    await hub.listener.close();
    await hub.listener.close();
    await closed;
  });
});

/** Listens, then ends without removing the file, like a killed program. */
async function leaveStaleSocket(path: string): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(`${path}.first`, resolve));
  await rename(`${path}.first`, path);
  await new Promise<void>((resolve) => server.close(() => resolve()));
}
