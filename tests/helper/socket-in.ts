import { join } from 'node:path';

/** Where a test listens: a socket in its folder, or on Windows a named pipe. */
export function socketIn(folder: string): string {
  return process.platform === 'win32'
    ? `\\\\.\\pipe\\patchbay-${crypto.randomUUID()}`
    : join(folder, 'hub.sock');
}
