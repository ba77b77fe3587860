import { fstatSync } from 'node:fs';
import { type OnReadOpts, Socket, type SocketConstructorOpts } from 'node:net';
import type { Readable } from 'node:stream';

const BUFFER_BYTES = 64 * 1024;
/** From this size on a new buffer to read into is cheaper than a copy of what was read. */
const LARGE_BYTES = 16 * 1024;

/**
 * A socket that reads into a buffer which stays, and tells small chunks as copies out of it. By itself a stream makes a
 * new buffer of 64 KiB for each read and leads what was read through a queue, which costs more than all else that a
 * short message needs. Of what a readable stream is, `data`, `end`, `pause` and `resume` are as they always are.
 */
export function openDirectly(open: (onread: OnReadOpts) => Socket): Socket {
  let buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES);
  const socket = open({
    buffer: () => buffer,
    callback: (length) => {
      const chunk = length < LARGE_BYTES ? copyOf(buffer, length) : buffer.subarray(0, length);
      if (length >= LARGE_BYTES) buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES);
      return tell(socket, chunk);
    },
  });
  return socket;
}

/** Standard input, read directly where it is a pipe or a socket. To be opened once, and in place of `process.stdin`. */
export function openInput(): Readable {
  if (!isStreamed(0)) return process.stdin;
  return openDirectly((onread) => {
    const options: SocketConstructorOpts & { readonly onread: OnReadOpts } = {
      fd: 0,
      readable: true,
      writable: false,
      onread,
    };
    return new Socket(options);
  });
}

/** False stops reading until the stream wants more. */
function tell(socket: Socket, chunk: Buffer): boolean {
  // What nobody listens for yet, or what comes after something that waits, waits in the stream.
  if (socket.readableFlowing !== true || socket.readableLength > 0) return socket.push(chunk);
  socket.emit('data', chunk);
  return true;
}

function isStreamed(descriptor: number): boolean {
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
