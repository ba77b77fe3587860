import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { httpWire } from '../../conformance/fidelity/http-wire.ts';
import { RawClient, textOf } from '../../conformance/fidelity/raw-client.ts';
import { eventually } from '../../helper/eventually.ts';
import { freePort } from '../../helper/free-port.ts';
import { fixture, nodeEntry, programs } from '../../helper/programs.ts';
import { tempDir } from '../../helper/temp-dir.ts';

interface Hub extends AsyncDisposable {
  readonly child: ChildProcess;
  readonly dir: string;
  /** Returns everything it has printed so far. */
  printed(): string;
  /** Connects a client that has initialized. */
  connect(): Promise<RawClient>;
  readonly ended: Promise<number | null>;
}

/** Starts `patchbay serve` with one server; resolves once it responds. */
async function startHub(env: Readonly<Record<string, string>> = {}, ...args: string[]): Promise<Hub> {
  const folder = await tempDir();
  const port = String(await freePort());
  const config = { mcpServers: { t: nodeEntry(fixture('tricky')) } };
  await writeFile(join(folder.path, 'mcp.json'), JSON.stringify(config));
  const serve = [programs.patchbay, 'serve', '--data-dir', folder.path, '--port', port, ...args];
  const child = spawn(process.execPath, serve, { env: { ...process.env, ...env }, stdio: 'pipe' });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      text += chunk;
    });
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  await eventually(() => expect(text).toContain('is running without a window'));
  return {
    child,
    dir: folder.path,
    printed: () => text,
    ended,
    async connect() {
      const token = (await readFile(join(folder.path, 'token'), 'utf8')).trim();
      const client = new RawClient(httpWire(`http://127.0.0.1:${port}/mcp`, token));
      await client.greet();
      return client;
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** On Windows a signal ends a program at once; `patchbay stop` asks it. */
const hasSignals = process.platform !== 'win32';

describe('patchbay serve', () => {
  // On Windows clients start the bridge itself.
  it.runIf(hasSignals)('[PB-HEAD-1] [PB-BRIDGE-1] writes what a client set up by hand starts', async () => {
    await using hub = await startHub();
    const launcher = join(hub.dir, 'bin', 'patchbay-bridge');
    await eventually(async () => expect(await readFile(launcher, 'utf8')).toContain('patchbay-bridge.mjs'));
    const { stdout } = await promisify(execFile)(launcher, ['--doctor', '--data-dir', hub.dir], { env: {} });
    expect(stdout).toMatch(/Patchbay +running/);
  });

  it.runIf(hasSignals)('[PB-HEAD-1] keeps the log of its folder, without what is secret', async () => {
    await using hub = await startHub();
    await hub.connect();
    hub.child.kill('SIGTERM');
    expect(await hub.ended).toBe(0);
    const text = await readFile(join(hub.dir, 'logs', 'patchbay.log'), 'utf8');
    const lines = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { readonly msg: string });
    expect(lines.map(({ msg }) => msg)).toContainEqual(expect.stringContaining('server "t"'));
    const token = (await readFile(join(hub.dir, 'token'), 'utf8')).trim();
    expect(text).not.toContain(token);
  });

  it.runIf(hasSignals)(
    '[PB-HEAD-1] [AG-US6-AC2] lets a call in progress finish when it is asked to stop',
    async () => {
      await using hub = await startHub();
      const client = await hub.connect();
      const call = client.call('t__slow', '{"milliseconds":700}');
      await eventually(async () => {
        expect(textOf(await client.call('t__received'))).toContain('received');
      });
      hub.child.kill('SIGTERM');
      expect(textOf(await call)).toBe('done');
      expect(await hub.ended).toBe(0);
      expect(hub.printed()).toContain('for a call to finish');
    },
  );

  it('[PB-HEAD-1] [PB-CFG-1] reports once a bad edit of a server that keeps running', async () => {
    await using hub = await startHub();
    const client = await hub.connect();
    const file = join(hub.dir, 'mcp.json');
    const good = await readFile(file, 'utf8');
    // Shows that the hub serves.
    await client.call('t__argv');
    await eventually(() => expect(hub.printed()).toMatch(/t: connected, [1-9]\d* tools/));
    const before = hub.printed().length;
    const printed = () => hub.printed().slice(before);
    const entry = { ...nodeEntry(fixture('tricky')), patchbay: { restart: 'sometimes' } };
    await writeFile(file, `{ "mcpServers": {\n "t": ${JSON.stringify(entry)} } }`);
    await eventually(() => expect(printed()).toContain('t: The changed config cannot be used'));
    expect(printed()).toMatch(/patchbay\.restart[\s\S]*line 2, column \d+/);
    expect(textOf(await client.call('t__argv'))).toBe('[]');
    await writeFile(file, good);
    await eventually(() => expect(printed()).toContain('t: recovered'));
    expect(printed().split('cannot be used')).toHaveLength(2);
  });

  it.runIf(hasSignals)(
    '[PB-HEAD-1] [PB-PROC-1] stops cleanly when it is asked to quit with Ctrl-\\',
    async () => {
      await using hub = await startHub();
      hub.child.kill('SIGQUIT');
      expect(await hub.ended).toBe(0);
    },
  );

  it.runIf(hasSignals)(
    '[PB-HEAD-1] [NFR-R4] cuts the call when it is asked twice, and tells the caller',
    async () => {
      await using hub = await startHub();
      const client = await hub.connect();
      const call = client.call('t__slow', '{"milliseconds":60000}');
      await eventually(async () => {
        expect(textOf(await client.call('t__received'))).toContain('received');
      });
      hub.child.kill('SIGINT');
      await eventually(() => expect(hub.printed()).toContain('for a call to finish'));
      hub.child.kill('SIGINT');
      // Another signal does not end it before its servers have stopped.
      hub.child.kill('SIGINT');
      expect(await call).toContain('call.outcome_unknown');
      expect(await hub.ended).toBe(0);
    },
  );
});
