import type { Readable, Writable } from 'node:stream';

/** Returns true if the stream can still emit data. */
export function isReadable(readable: Readable): boolean {
  return !readable.readableEnded && !readable.destroyed;
}

/** Returns true if both are the same stream, as for a socket. */
export function isSame(readable: Readable, writable: Writable): boolean {
  return (readable as unknown) === writable;
}
