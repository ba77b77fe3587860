import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createPeer } from '../../../../../electron/engine/jsonrpc/peer.ts';
import { createStreamTransport } from '../../../../../electron/engine/transport/stdio/stream-transport.ts';

/** Starts a fixture with a peer on its stdio; it ends when it goes out of scope. */
async function startFixture(name: string, env: Record<string, string> = {}) {
  const file = fileURLToPath(new URL(`../../../../fixture/${name}.mjs`, import.meta.url));
  const child: ChildProcessByStdio<Writable, Readable, null> = spawn(process.execPath, [file], {
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const exited = once(child, 'exit');
  const closed: unknown[] = [];
  const transport = createStreamTransport({ readable: child.stdout, writable: child.stdin });
  const peer = createPeer(transport, {
    request: async () => ({}),
    notification: () => {},
    closed: (reason) => closed.push(reason),
  });
  await peer.start();
  return {
    child,
    peer,
    closed,
    exited,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

describe('stream transport over the stdio of a real program', () => {
  it('[FR-003] [FR-007] [FR-008] calls a tool', async () => {
    await using fixture = await startFixture('echo');
    const call = { name: 'echo', arguments: { text: 'é\u2028\n"', nested: { n: null } } };
    const result = await fixture.peer.request('tools/call', call).result;
    expect(result).toEqual({ content: [{ type: 'text', text: JSON.stringify(call.arguments) }] });
  });

  it('[EDGE-2] carries an answer of 50 MB', async () => {
    const bytes = 50 * 1024 * 1024;
    await using fixture = await startFixture('last-words', { BYTES: String(bytes) });
    const result = (await fixture.peer.request('a').result) as { text: string };
    expect(result.text.length).toBe(bytes);
  });

  it('[NFR-R4] delivers the last output of a program that exits with its answer', async () => {
    await using fixture = await startFixture('last-words', { BYTES: '300000' });
    const first = fixture.peer.request('a');
    const second = fixture.peer.request('b').result.catch((error: unknown) => error);
    expect(await first.result).toMatchObject({ text: expect.stringMatching(/^x{300000}$/) });
    expect(await second).toMatchObject({ name: 'ConnectionClosedError', sent: true });
    expect((await fixture.exited)[0]).toBe(3);
    expect(fixture.closed.length).toBe(1);
  });

  it('[SC-007] closes when the program is killed, with every request answered', async () => {
    await using fixture = await startFixture('echo');
    await fixture.peer.request('tools/list').result;
    const gone = once(fixture.child, 'close');
    fixture.child.kill('SIGKILL');
    const requests = Array.from({ length: 200 }, () =>
      fixture.peer.request('tools/list').result.catch((error: Error) => error.name),
    );
    const outcomes = await Promise.all(requests);
    expect(
      outcomes.every((outcome) => outcome === 'ConnectionClosedError' || typeof outcome === 'object'),
    ).toBe(true);
    await gone;
    expect(fixture.closed.length).toBe(1);
  });

  it('[PB-PROC-1] ends the program by ending its stdin', async () => {
    await using fixture = await startFixture('echo');
    await fixture.peer.request('tools/list').result;
    await fixture.peer.close();
    expect((await fixture.exited)[0]).toBe(0);
    expect(fixture.closed).toEqual([undefined]);
  });
});
