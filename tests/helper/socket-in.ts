import { join } from 'node:path';

/** Returns the address for a test to listen on: a socket in its folder, or a named pipe on Windows. */
export function socketIn(folder: string): string {
  return process.platform === 'win32'
    ? `\\\\.\\pipe\\patchbay-${crypto.randomUUID()}`
    : join(folder, 'hub.sock');
}
