/**
 * Fork server: a small program that starts processes for the hub. The system copies the page tables of the
 * parent while Node waits; here nobody else has to wait. It ends when the hub closes its channel.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { connect, type Socket } from 'node:net';
import type { ForkNews, StartOrder } from './protocol.ts';

process.on('message', (order: StartOrder) => void carryOut(order));
process.on('disconnect', () => process.exit());
tell({ kind: 'ready' });

async function carryOut(order: StartOrder): Promise<void> {
  const { id, door, tokens } = order;
  const opened = await Promise.allSettled(tokens.map((token) => openStream(door, token)));
  const streams = opened.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  try {
    for (const one of opened) if (one.status === 'rejected') throw one.reason;
    follow(id, start(order, streams));
  } catch (error) {
    tell({ kind: 'failed', id, reason: error instanceof Error ? error.message : String(error) });
  } finally {
    // The child has its own copies; these must not read what the hub writes to it.
    for (const stream of streams) stream.destroy();
  }
}

/** Opens a stream to the hub and identifies it by its token. */
function openStream(door: string, token: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(door);
    socket.once('error', reject);
    socket.write(`${token}\n`, () => resolve(socket));
  });
}

function start({ program: { file, args, env, cwd } }: StartOrder, streams: Socket[]): ChildProcess {
  return spawn(file, args, { cwd, env, stdio: streams, detached: true });
}

function follow(id: number, child: ChildProcess): void {
  child.on('error', ({ message }) => tell({ kind: 'failed', id, reason: message }));
  child.once('exit', (code, signal) => tell({ kind: 'ended', id, exit: { code, signal } }));
  if (child.pid !== undefined) tell({ kind: 'started', id, pid: child.pid });
}

function tell(news: ForkNews): void {
  if (process.connected) process.send?.(news);
}
