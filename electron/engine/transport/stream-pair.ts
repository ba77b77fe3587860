import type { Readable, Writable } from 'node:stream';

/** Whether something can still be said and heard. */
export function isUsable(readable: Readable, writable: Writable): boolean {
  return writable.writable && !readable.readableEnded && !readable.destroyed;
}

/** Whether both are one, as those of a socket are. */
export function isSame(readable: Readable, writable: Writable): boolean {
  return (readable as unknown) === writable;
}
