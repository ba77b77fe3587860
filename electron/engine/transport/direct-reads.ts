import { fstatSync } from 'node:fs';
import { type OnReadOpts, Socket, type SocketConstructorOpts } from 'node:net';
import type { Readable } from 'node:stream';

const BUFFER_BYTES = 64 * 1024;
/** Allocating a new buffer is cheaper than copying from this size on. */
const LARGE_BYTES = 16 * 1024;

/**
 * Creates a socket that reads into one reused buffer and emits small chunks as copies. A plain stream
 * allocates 64 KiB for each read and queues what it read, which costs more than everything else a short
 * message needs. Only `data`, `end`, `pause` and `resume` behave as in any readable stream.
 */
export function openDirectSocket(open: (onread: OnReadOpts) => Socket): Socket {
  let buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES);
  const socket = open({
    buffer: () => buffer,
    callback: (length) => {
      const chunk = length < LARGE_BYTES ? copyOf(buffer, length) : buffer.subarray(0, length);
      if (length >= LARGE_BYTES) buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES);
      return emitChunk(socket, chunk);
    },
  });
  return socket;
}

/**
 * Returns standard input, read directly if it is a pipe or a socket. Call it once, and do not use
 * `process.stdin` as well.
 */
export function openStdin(): Readable {
  if (!isPipeOrSocket(0)) return process.stdin;
  return openDirectSocket((onread) => {
    const options: SocketConstructorOpts & { readonly onread: OnReadOpts } = {
      fd: 0,
      readable: true,
      writable: false,
      onread,
    };
    return new Socket(options);
  });
}

/** Returns false to stop reading until the stream wants more. */
function emitChunk(socket: Socket, chunk: Buffer): boolean {
  // Data that nobody listens for yet, or that follows queued data, goes through the stream's queue.
  if (socket.readableFlowing !== true || socket.readableLength > 0) return socket.push(chunk);
  socket.emit('data', chunk);
  return true;
}

function isPipeOrSocket(descriptor: number): boolean {
  try {
    const stats = fstatSync(descriptor);
    return stats.isFIFO() || stats.isSocket();
  } catch {
    return false;
  }
}

function copyOf(buffer: Buffer, length: number): Buffer {
  const copy = Buffer.allocUnsafe(length);
  buffer.copy(copy, 0, 0, length);
  return copy;
}
