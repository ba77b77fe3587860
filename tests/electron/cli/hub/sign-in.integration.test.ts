import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { authServer } from '../../../helper/auth-server.ts';
import { eventually } from '../../../helper/eventually.ts';
import { freePort } from '../../../helper/free-port.ts';
import { fixture, nodeEntry, programs } from '../../../helper/programs.ts';
import { onReturn, visit } from '../../../helper/scripted-browser.ts';
import { tempDir } from '../../../helper/temp-dir.ts';

/** Starts a command of `patchbay` on a data folder. */
function begin(dir: string, ...argv: string[]) {
  const args = [programs.patchbay, ...argv, '--data-dir', dir];
  const child = spawn(process.execPath, args, { timeout: 100_000, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  child.stdout.on('data', (chunk) => {
    said += chunk;
  });
  const done = Promise.all([text(child.stderr), once(child, 'close')]).then(([stderr, [code]]) => ({
    code,
    stdout: said,
    stderr,
  }));
  return { done, said: () => said };
}

const run = (dir: string, ...argv: string[]) => begin(dir, ...argv).done;

/** Starts a sign-in and opens the address that it prints. */
async function signIn(dir: string, change: (params: URLSearchParams) => void = () => {}) {
  const command = begin(dir, 'sign-in', 'guarded');
  const shown = () => /^ {2}(http\S+)$/m.exec(command.said())?.[1];
  await eventually(() => expect(shown()).toBeDefined());
  const page = await visit(shown() ?? '', onReturn(change));
  return { page, ...(await command.done) };
}

async function statusOf(dir: string) {
  const { stdout } = await run(dir, 'status', '--json');
  return JSON.parse(stdout).servers[0].status;
}

describe('patchbay sign-in', () => {
  let auth: Awaited<ReturnType<typeof authServer>>;
  let folder: Awaited<ReturnType<typeof tempDir>>;

  beforeAll(async () => {
    auth = await authServer();
    folder = await tempDir();
    const mcpServers = { guarded: { type: 'http', url: auth.url }, local: nodeEntry(fixture('tricky')) };
    await writeFile(join(folder.path, 'mcp.json'), JSON.stringify({ mcpServers }));
  });

  afterAll(async () => {
    await folder[Symbol.asyncDispose]();
    await auth[Symbol.asyncDispose]();
  });

  it('[NFR-SEC3] [PB-HEAD-1] signs in before a hub runs, which then finds it; out and in again while it runs', async () => {
    const first = await signIn(folder.path);
    expect([first.code, first.stderr]).toEqual([0, '']);
    expect(first.stdout).toContain('You are signed in to guarded.');
    const port = String(await freePort());
    const serve = [programs.patchbay, 'serve', '--data-dir', folder.path, '--port', port];
    const hub = spawn(process.execPath, serve, { stdio: 'ignore' });
    const isNow = (status: string) =>
      eventually(async () => expect(await statusOf(folder.path)).toBe(status));
    try {
      await isNow('connected');
      expect(await run(folder.path, 'sign-out', 'guarded')).toMatchObject({ code: 0, stderr: '' });
      await isNow('needs-auth');
      expect((await signIn(folder.path)).code).toBe(0);
      await isNow('connected');
    } finally {
      const ended = once(hub, 'exit');
      hub.kill('SIGTERM');
      await ended;
    }
  });

  it('[NFR-SEC3] says why nobody is signed in, and ends with 1', async () => {
    const { code, stderr, page } = await signIn(folder.path, (params) => {
      params.delete('code');
      params.set('error', 'access_denied');
    });
    expect([code, page.status]).toEqual([1, 400]);
    expect(stderr).toContain('The sign-in was declined. [server.sign_in_failed]');
  });

  it('names the servers without a sign-in', async () => {
    const local = await run(folder.path, 'sign-in', 'local');
    expect([local.code, local.stdout]).toEqual([1, '']);
    expect(local.stderr).toContain(
      'You cannot sign in to local: it is a program on this machine, not a remote server.',
    );
    expect(await run(folder.path, 'sign-out', 'nobody')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('[config.unknown_server]'),
    });
  });
});
