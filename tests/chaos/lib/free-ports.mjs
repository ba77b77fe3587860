import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below those that systems hand out by themselves, so that nobody is given one of these while it is free for a moment. */
const RANGE = { from: 15_000, to: 32_000 };

/** Ports of 127.0.0.1, no two alike, that nobody listens on; a hub that is started again needs the same one. */
export async function freePorts(count) {
  const found = new Set();
  while (found.size < count) {
    const port = RANGE.from + Math.floor(Math.random() * (RANGE.to - RANGE.from));
    if (await isFree(port)) found.add(port);
  }
  return [...found];
}

async function isFree(port) {
  const server = createServer();
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}
