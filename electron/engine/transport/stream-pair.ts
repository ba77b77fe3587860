import type { Readable, Writable } from 'node:stream';

/** Whether something can still be heard. */
export function isReadable(readable: Readable): boolean {
  return !readable.readableEnded && !readable.destroyed;
}

/** Whether both are one, as those of a socket are. */
export function isSame(readable: Readable, writable: Writable): boolean {
  return (readable as unknown) === writable;
}
