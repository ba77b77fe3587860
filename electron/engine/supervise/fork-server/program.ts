/**
 * Fork server: a small program that starts processes for the hub. The system copies the page tables of the
 * parent while Node waits; here nobody else has to wait. It ends when the hub closes its channel.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { connect, type Socket } from 'node:net';
import type { ForkEvent, StartRequest } from './protocol.ts';

process.on('message', (order: StartRequest) => void handleRequest(order));
process.on('disconnect', () => process.exit());
send({ kind: 'ready' });

async function handleRequest(request: StartRequest): Promise<void> {
  const { id, listener, tokens } = request;
  const opened = await Promise.allSettled(tokens.map((token) => openStream(listener, token)));
  const streams = opened.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  try {
    for (const one of opened) if (one.status === 'rejected') throw one.reason;
    reportExit(id, start(request, streams));
  } catch (error) {
    send({ kind: 'failed', id, reason: error instanceof Error ? error.message : String(error) });
  } finally {
    // The child has its own copies; these must not read what the hub writes to it.
    for (const stream of streams) stream.destroy();
  }
}

/** Opens a stream to the hub and identifies it by its token. */
function openStream(listener: string, token: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(listener);
    socket.once('error', reject);
    socket.write(`${token}\n`, () => resolve(socket));
  });
}

function start({ program: { file, args, env, cwd } }: StartRequest, streams: Socket[]): ChildProcess {
  return spawn(file, args, { cwd, env, stdio: streams, detached: true });
}

function reportExit(id: number, child: ChildProcess): void {
  child.on('error', ({ message }) => send({ kind: 'failed', id, reason: message }));
  child.once('exit', (code, signal) => send({ kind: 'ended', id, exit: { code, signal } }));
  if (child.pid !== undefined) send({ kind: 'started', id, pid: child.pid });
}

function send(event: ForkEvent): void {
  if (process.connected) process.send?.(event);
}
