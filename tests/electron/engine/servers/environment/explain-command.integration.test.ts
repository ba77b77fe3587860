import { chmod, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runForOutput } from '../../../../../electron/engine/servers/environment/ask-program.ts';
import { createCommandExplainer } from '../../../../../electron/engine/servers/environment/command-explainer.ts';
import { explainCommand } from '../../../../../electron/engine/servers/environment/explain-command.ts';
import type { EnvironmentReading } from '../../../../../electron/engine/servers/environment/login-env.ts';
import type { CommandExplanation } from '../../../../../shared/model/server/command.ts';
import { ancestorsVariable, extendAncestors } from '../../../../../shared/model/server/loop.ts';
import { FakeClock } from '../../../../helper/fake-clock.ts';
import { tempDir } from '../../../../helper/temp-dir.ts';
import { eventually, order, survivors } from '../harness.ts';

/** Creates a program that prints this, whatever it is asked. */
async function program(file: string, script: string, mode = 0o755): Promise<string> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `#!/bin/sh\n${script}\n`);
  await chmod(file, mode);
  return file;
}

async function link(file: string, target: string): Promise<string> {
  await mkdir(dirname(file), { recursive: true });
  await symlink(target, file);
  return file;
}

interface World {
  readonly home: string;
  readonly dirs?: readonly string[];
  readonly usualDirs?: readonly string[];
  readonly entry?: Readonly<Record<string, string>>;
  readonly written?: string;
}

function explain(command: string, { home, dirs = [], usualDirs = [], entry = {}, written }: World) {
  const path = [...dirs, ...usualDirs, '/usr/bin', '/bin'].join(':');
  const reading: EnvironmentReading = {
    env: { PATH: path },
    source: 'login-shell',
    shell: '/bin/zsh',
    readAt: 7,
    commonDirs: usualDirs,
  };
  const env = { PATH: path, HOME: home, ...entry };
  const more = written === undefined ? {} : { written };
  return explainCommand({ command, env, cwd: home, askWith: env, reading, home, ...more });
}

const candidate = ({ candidates }: CommandExplanation, file: string) =>
  candidates.find((one) => one.file === file);

describe.runIf(process.platform !== 'win32')('what a command runs', () => {
  it('is the first executable file, with its version, and the reason against the others', async () => {
    await using folder = await tempDir();
    const at = (...parts: string[]) => join(folder.path, ...parts);
    const [a, b, c, d, e] = ['a', 'b', 'c', 'd', 'e'].map((name) => at(name));
    await program(at('a', 'tool'), 'echo no', 0o644);
    await link(at('b', 'tool'), '../gone/tool');
    await mkdir(at('nothing', 'tool'), { recursive: true });
    await program(at('c', 'tool'), 'echo "tool, version v2.10.3-rc.1 (build 77)"');
    await program(at('d', 'tool'), 'echo 1.0.0 >&2');
    await link(at('e', 'tool'), '../c/tool');
    const dirs = [a ?? '', b ?? '', at('nothing'), c ?? '', at('missing'), d ?? '', e ?? ''];
    const told = await explain('tool', { home: folder.path, dirs });
    expect(told.candidates).toEqual([
      { file: at('a', 'tool'), chosen: false, reason: 'It is not executable.' },
      {
        file: at('b', 'tool'),
        chosen: false,
        reason: `It is a link to ${at('gone', 'tool')}, which does not exist.`,
      },
      {
        file: at('c', 'tool'),
        version: '2.10.3-rc.1',
        chosen: true,
        reason: 'It is the first "tool" in the searched folders.',
      },
      {
        file: at('d', 'tool'),
        version: '1.0.0',
        chosen: false,
        reason: `Its folder is searched after that of ${at('c', 'tool')}.`,
      },
      {
        file: at('e', 'tool'),
        realFile: at('c', 'tool'),
        version: '2.10.3-rc.1',
        chosen: false,
        reason: `It is the same file as ${at('c', 'tool')}.`,
      },
    ]);
    expect(told).toMatchObject({
      command: 'tool',
      pinned: false,
      environment: { source: 'login-shell', shell: '/bin/zsh', readAt: 7 },
    });
    expect(told.searched.find(({ folder: dir }) => dir === at('missing'))).toEqual({
      folder: at('missing'),
      exists: false,
      source: 'login-shell',
    });
  });

  it('lists a folder with two names once', async () => {
    await using folder = await tempDir();
    const file = await program(join(folder.path, 'usr', 'bin', 'tool'), 'echo 1.2');
    const bin = await link(join(folder.path, 'bin'), 'usr/bin');
    const told = await explain('tool', { home: folder.path, dirs: [bin, dirname(file)] });
    expect(told.candidates.map((one) => [one.file, one.realFile])).toEqual([[join(bin, 'tool'), file]]);
  });

  it('says where each folder that is searched comes from', async () => {
    await using folder = await tempDir();
    const own = join(folder.path, 'own');
    const usual = join(folder.path, 'usual');
    const entry = { PATH: `${own}:node_modules/.bin:${usual}:/usr/bin` };
    const { searched } = await explain('x', { home: folder.path, usualDirs: [usual], entry });
    expect(searched.map(({ folder: dir, source }) => [dir, source])).toEqual([
      [own, 'entry'],
      [join(folder.path, 'node_modules/.bin'), 'entry'],
      [usual, 'well-known'],
      ['/usr/bin', 'login-shell'],
    ]);
  });

  it('describes a named file, and what its plain name would find', async () => {
    await using folder = await tempDir();
    const pinned = await program(join(folder.path, 'old', 'tool'), 'echo 1.2');
    const other = await program(join(folder.path, 'new', 'tool'), 'echo 3.4');
    const dirs = [dirname(other)];
    const told = await explain(pinned, { home: folder.path, dirs });
    expect(told.pinned).toBe(true);
    expect(told.candidates).toEqual([
      { file: pinned, version: '1.2', chosen: true, reason: 'The config names this file.' },
      { file: other, version: '3.4', chosen: false, reason: 'The config names another file.' },
    ]);
    const gone = await explain(join(folder.path, 'gone', 'tool'), { home: folder.path, dirs });
    expect(gone.candidates.map(({ chosen, reason }) => [chosen, reason])).toEqual([
      [false, 'There is no such file.'],
      [false, 'The config names another file.'],
    ]);
  });

  it('says why the chosen file will not run anyway', async () => {
    await using folder = await tempDir();
    const at = (name: string) => join(folder.path, name, 'tool');
    await mkdir(dirname(at('venv')), { recursive: true });
    await writeFile(at('venv'), '#!/old/venv/bin/python\n', { mode: 0o755 });
    await mkdir(dirname(at('through')), { recursive: true });
    await writeFile(at('through'), '#!/usr/bin/env -S no-such-runtime --x\n', { mode: 0o755 });
    await mkdir(dirname(at('foreign')), { recursive: true });
    const elf = Buffer.concat([await readFile(process.execPath)]).subarray(0, 64);
    elf.writeUInt16LE(process.arch === 'arm64' ? 0x3e : 0xb7, 18);
    await writeFile(at('foreign'), elf, { mode: 0o755 });
    const dirs = ['venv', 'through', 'foreign'].map((name) => dirname(at(name)));
    const told = await explain('tool', { home: folder.path, dirs });
    expect(candidate(told, at('venv'))).toMatchObject({
      chosen: true,
      reason: expect.stringMatching(/But it needs \/old\/venv\/bin\/python, which was not found\.$/),
    });
    expect(candidate(told, at('through'))?.reason).toContain('needs no-such-runtime, which was not found');
    if (process.platform === 'linux')
      expect(candidate(told, at('foreign'))?.reason).toMatch(/But it is built for \w+ processors, and this/);
  });

  it('knows which manager owns a file, what a shim runs, and what else is installed', async () => {
    await using folder = await tempDir();
    const at = (...parts: string[]) => join(folder.path, ...parts);
    const real = await program(at('.volta/tools/image/node/22.1.0/bin/npx'), 'echo 10.8.0');
    await program(at('.volta/bin/volta'), `test "$1 $2" = "which npx" && echo ${real}`);
    await program(at('.volta/bin/volta-shim'), 'echo 10.8.0');
    const shim = await link(at('.volta/bin/npx'), 'volta-shim');
    await program(at('.asdf/bin/asdf'), 'echo "No version is set" >&2; exit 126');
    const asdf = await program(at('.asdf/shims/npx'), 'exec asdf exec npx "$@"');
    const nvm = await program(at('.nvm/versions/node/v18.20.1/bin/npx'), 'echo 9.0.0');
    const dirs = [dirname(shim), dirname(asdf)];
    const told = await explain('npx', { home: folder.path, dirs });
    expect(candidate(told, shim)).toMatchObject({
      realFile: real,
      version: '10.8.0',
      manager: 'volta',
      chosen: true,
    });
    expect(candidate(told, asdf)).toMatchObject({
      manager: 'asdf',
      reason: expect.stringContaining('But asdf has no version of it for this folder.'),
    });
    expect(candidate(told, asdf)).not.toHaveProperty('version');
    expect(candidate(told, real)).toMatchObject({ chosen: false, reason: `It is what ${shim} runs.` });
    expect(candidate(told, nvm)).toEqual({
      file: nvm,
      version: '9.0.0',
      manager: 'nvm',
      chosen: false,
      reason: 'nvm has it for v18.20.1, whose folder is not searched.',
    });
  });

  it('is ready in time, whatever the programs do when they are asked', async () => {
    await using folder = await tempDir();
    const at = (name: string) => join(folder.path, name, 'tool');
    const proof = join(folder.path, 'proof');
    await program(at('chatty'), 'yes "no numbers here" | head -c 2000000; echo 1.2.3');
    await program(at('leaves'), 'sleep 1000 & echo 4.5.6');
    await program(at('fails'), 'echo "tool 7.8"; exit 3');
    await program(at('open'), `touch ${proof}; echo 9.9.9`);
    await chmod(dirname(at('open')), 0o777);
    const dirs = ['chatty', 'leaves', 'fails', 'open'].map((name) => dirname(at(name)));
    const told = await explain('tool', { home: folder.path, dirs });
    const versions = told.candidates.map(({ version }) => version).slice(0, 4);
    // The last one is in a folder that anyone can write to, so it is not run.
    expect(versions).toEqual([undefined, '4.5.6', '7.8', undefined]);
    await expect(readFile(proof)).rejects.toThrow('ENOENT');
  });

  it('does not wait for a program that hangs, which is killed with its descendants', async () => {
    await using folder = await tempDir();
    const marker = `test ${crypto.randomUUID()}`;
    const file = await program(join(folder.path, 'tool'), 'sleep 1000 & echo 1.2.3; exec sleep 1000');
    const env = { PATH: '/usr/bin:/bin', [ancestorsVariable]: extendAncestors(undefined, marker) };
    const answer = await runForOutput({ file, args: [], env, cwd: folder.path, timeout: 5_000 });
    expect(answer).toEqual({ stdout: '1.2.3\n', stderr: '' });
    await eventually(async () => (await survivors(marker)).length === 0);
  });
});

describe.runIf(process.platform !== 'win32')('what the command of a server runs', () => {
  it('is cached for a while, asked for without secrets, and shows none', async () => {
    await using folder = await tempDir();
    const secret = 'hunter2hunter2';
    const asked = join(folder.path, 'asked');
    const tool = join(folder.path, secret, 'tool');
    await program(tool, `echo "$TOOL_TOKEN,$PLAIN" >> ${asked}; echo 1.2.3`);
    const clock = new FakeClock();
    const env = async () => inherited;
    const inherited = { PATH: '/usr/bin:/bin', HOME: folder.path };
    const explainer = createCommandExplainer({ clock, env, instanceId: 'x', defaultCwd: folder.path });
    const target = { command: tool, args: [], env: { TOOL_TOKEN: secret, PLAIN: 'seen' } };
    const server = order('a', 'echo', { target, written: { command: '$TOOL' } });
    const [one, other] = await Promise.all([explainer.explain(server), explainer.explain(server)]);
    expect(other).toBe(one);
    expect(one).toMatchObject({ command: '$TOOL', pinned: true, candidates: [{ version: '1.2.3' }] });
    expect(JSON.stringify(one)).not.toContain(secret);
    expect(await readFile(asked, 'utf8')).toBe(',seen\n');
    await clock.advance(10_000);
    await explainer.explain(server);
    await explainer.explain({ ...server, fingerprint: 'another' });
    expect(await readFile(asked, 'utf8')).toBe(',seen\n'.repeat(3));
  });

  it('is nothing for a remote server', async () => {
    const options = { clock: new FakeClock(), env: async () => ({}), instanceId: 'x', defaultCwd: '/' };
    const value = { kind: 'http', explicit: true, url: 'http://127.0.0.1:1/mcp', headers: {} } as const;
    const remote = { ...order('a', 'echo'), target: { ok: true, value } } as const;
    await expect(createCommandExplainer(options).explain(remote)).rejects.toMatchObject({
      problem: { code: 'app.invalid_request' },
    });
  });
});
