import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { connectSocket, listenSocket } from '../../../../../electron/engine/transport/socket/socket.ts';
import { eventually } from '../../../../helper/eventually.ts';
import { socketIn } from '../../../../helper/socket-in.ts';
import { tempDir } from '../../../../helper/temp-dir.ts';

/** Connects a socket to a listener. */
async function connected() {
  const folder = await tempDir();
  const path = socketIn(folder.path);
  const taken: Socket[] = [];
  const listener = await listenSocket(path, (socket) => void taken.push(socket));
  const socket = await connectSocket(path);
  await eventually(() => expect(taken).toHaveLength(1));
  return {
    socket,
    other: taken[0] as Socket,
    async [Symbol.asyncDispose]() {
      await listener.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

function heardBy(socket: Socket): Buffer[] {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => void chunks.push(chunk));
  return chunks;
}

const sizeOf = (chunks: readonly Buffer[]) => chunks.reduce((sum, { length }) => sum + length, 0);

describe('a connected socket', () => {
  it('[PB-BRIDGE-1] never overwrites a chunk that it has emitted', async () => {
    await using pair = await connected();
    const chunks = heardBy(pair.socket);
    const said: Buffer[] = [];
    for (const size of [1, 100, 5_000, 16_383, 16_384, 65_536, 300_000, 3, 70_000, 10]) {
      const words = Buffer.alloc(size, said.length + 1);
      said.push(words);
      pair.other.write(words);
      await eventually(() => expect(sizeOf(chunks)).toBe(sizeOf(said)));
    }
    expect(Buffer.concat(chunks).equals(Buffer.concat(said))).toBe(true);
  });

  it('[PB-BRIDGE-1] keeps what comes before anybody listens, in order', async () => {
    await using pair = await connected();
    pair.other.write('one ');
    await eventually(() => expect(pair.socket.readableLength).toBe(4));
    const chunks = heardBy(pair.socket);
    pair.other.write('two');
    await eventually(() => expect(sizeOf(chunks)).toBe(7));
    expect(Buffer.concat(chunks).toString()).toBe('one two');
  });

  it('[NFR-R4] reads nothing while it is paused, so that the other side has to wait', async () => {
    await using pair = await connected();
    const chunks = heardBy(pair.socket);
    pair.other.write('first');
    await eventually(() => expect(chunks).toHaveLength(1));
    pair.socket.pause();
    const many = Buffer.alloc(8 * 1024 * 1024, 'x');
    pair.other.write(many);
    for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(chunks).toHaveLength(1);
    expect(pair.other.writableLength).toBeGreaterThan(0);
    pair.socket.resume();
    await eventually(() => expect(sizeOf(chunks)).toBe(many.length + 5));
  });
});
