// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references in config text look like this.
import { execFileSync } from 'node:child_process';
import { lstat, mkdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ConfigState } from '../../../../../electron/engine/config/contract.ts';
import { createConfigStore } from '../../../../../electron/engine/config/store/store.ts';
import { replaceFile } from '../../../../../electron/engine/store/files/replace-file.ts';
import { permissions } from '../../../../helper/permissions.ts';
import { tempDir } from '../../../../helper/temp-dir.ts';
import { code, commented, keys, open, server, until } from './store-bench.ts';

describe('opening', () => {
  it('creates a missing file, private, and reads it', async () => {
    await using bench = await open(undefined, true);
    expect(await bench.text()).toBe('{\n  "mcpServers": {}\n}\n');
    expect((await stat(bench.file)).mode & 0o777).toBe(permissions(0o600));
    expect(bench.store.state).toEqual({ servers: [] });
  });

  it('reports a missing file that it should not create', async () => {
    await using bench = await open();
    expect(bench.store.state.problem?.code).toBe('config.file_not_found');
  });

  it('resolves each server on its own: bad ones carry their problem and cost no other', async () => {
    await using bench = await open(
      '{"mcpServers": {"ok": {"command": "$HOME/x", "env": {"T": "${TOKEN}"}}, "gone": {"command": "${GONE}"},' +
        '"bad": {}, "a:b": {"command": "x"}, "twice": {"command": "x"}, "twice": {"command": "y"},' +
        '"num": {"command": "x", "env": {"P": 1}}, "web": {"type": "sse", "url": "http://x.dev"}}}',
    );
    const { servers, problem } = bench.store.state;
    expect(problem).toBeUndefined();
    expect(servers.map(({ key, target }) => [key, target.ok ? 'ok' : target.problem.code])).toEqual([
      ['ok', 'ok'],
      ['gone', 'config.missing_env_var'],
      ['bad', 'config.invalid_schema'],
      ['a:b', 'config.invalid_schema'],
      ['twice', 'config.duplicate_key'],
      ['num', 'ok'],
      ['web', 'ok'],
    ]);
    expect(server(bench.store.state, 'ok').target).toEqual({
      ok: true,
      value: { kind: 'stdio', command: '/home/ann/x', args: [], env: { T: 'hush-hush' } },
    });
    expect(server(bench.store.state, 'num').warnings).toHaveLength(1);
    expect(server(bench.store.state, 'web')).toMatchObject({
      transport: 'sse',
      target: { value: { kind: 'sse', explicit: true } },
    });
    const shown = servers.map(({ display, target, warnings }) => [
      display,
      target.ok || target.problem,
      warnings,
    ]);
    expect(JSON.stringify(shown)).not.toContain('hush');
  });

  it.runIf(process.platform !== 'win32')(
    '[PB-CFG-1] waits for an envFile that is a pipe with the one server only, and takes what comes late',
    async () => {
      await using folder = await tempDir();
      const pipe = join(folder.path, 'env');
      execFileSync('mkfifo', [pipe]);
      const entries = { a: { command: 'x', envFile: pipe }, b: { command: 'y' } };
      await using bench = await open(JSON.stringify({ mcpServers: entries }));
      const isOk = (state: ConfigState) => state.servers.map(({ target }) => target.ok);
      expect(isOk(bench.store.state)).toEqual([false, true]);
      expect(server(bench.store.state, 'a').target).toMatchObject({
        problem: { sentence: expect.stringContaining('a pipe that has sent no data yet') },
      });
      await writeFile(pipe, 'NAME=late\n');
      const late = await until(bench.store, (state) => isOk(state).every(Boolean));
      expect(server(late, 'a').target).toMatchObject({ value: { env: { NAME: 'late' } } });
      // Nobody writes again: the last values stay.
      expect(isOk(await bench.store.reload())).toEqual([true, true]);
    },
  );

  it('starts on a broken file with its problem and no servers', async () => {
    await using bench = await open('{\n  "mcpServers": {\n');
    expect(bench.store.state.servers).toEqual([]);
    expect(bench.store.state.problem).toMatchObject({ code: 'config.invalid_json' });
    expect(bench.store.state.problem?.sentence).toContain('line 3, column 1');
  });
});

describe('following the file', () => {
  it('[PB-CFG-1] keeps the last good state in force while the file is broken, and touches nothing', async () => {
    await using bench = await open(commented);
    const before = bench.store.state;
    const broken = commented.replace('"args"', 'args');
    await writeFile(bench.file, broken);
    const state = await until(bench.store, ({ problem }) => problem !== undefined);
    expect(state.problem).toMatchObject({ code: 'config.invalid_json' });
    expect(state.problem?.evidence).toContainEqual({ label: 'line', value: '6' });
    expect(state.servers).toEqual(before.servers);
    expect(await code(bench.store.setEnabled(['a'], false))).toBe('config.invalid_json');
    expect(await code(bench.store.entry('a'))).toBe('config.invalid_json');
    expect(await bench.text()).toBe(broken);
    await writeFile(bench.file, commented);
    expect(await until(bench.store, ({ problem }) => problem === undefined)).toEqual(before);
  });

  it('[PB-CFG-1] changes the fingerprint of what changed and of nothing else', async () => {
    await using bench = await open(commented);
    const old = bench.store.state;
    const edited = commented.replace('"server"', '"server@2"').replace('// mine', '// ours');
    await writeFile(bench.file, edited);
    const state = await until(bench.store, (next) => next !== old);
    expect(server(state, 'a').fingerprint).not.toBe(server(old, 'a').fingerprint);
    expect(server(state, 'b').fingerprint).toBe(server(old, 'b').fingerprint);
  });

  it('sees repeated atomic replaces, deletion, and the file coming back', async () => {
    await using bench = await open(commented);
    for (const name of ['one', 'two', 'three', 'four']) {
      await writeFile(`${bench.file}.new`, JSON.stringify({ mcpServers: { [name]: { command: 'x' } } }));
      await replaceFile(`${bench.file}.new`, bench.file);
      await until(bench.store, (state) => keys(state).join() === name);
    }
    await rm(bench.file);
    const gone = await until(bench.store, ({ problem }) => problem?.code === 'config.file_not_found');
    expect(keys(gone)).toEqual(['four']);
    await writeFile(bench.file, commented);
    await until(bench.store, (state) => state.problem === undefined && keys(state).join() === 'a,b');
  });

  it('announces nothing for comments, order of fields, touches and its own writes', async () => {
    await using bench = await open(commented);
    // Replaces the file atomically, as editors do: a half-written file would be announced.
    const replace = async (text: string) => {
      await writeFile(`${bench.file}.new`, text);
      await replaceFile(`${bench.file}.new`, bench.file);
    };
    const entries = {
      a: { future: { kept: true }, args: ['-y', 'server'], command: 'npx' },
      b: { headers: { Authorization: 'Bearer ${TOKEN}' }, url: 'https://x.dev/mcp' },
    };
    await replace(commented.replace('// mine', '// really mine'));
    await bench.store.reload();
    await replace(JSON.stringify({ mcpServers: entries }));
    await bench.store.reload();
    expect(bench.states).toEqual([]);
    await bench.store.setEnabled(['a'], false);
    expect(bench.states).toHaveLength(1);
    // A change that is announced shows that nothing before it was.
    await replace(JSON.stringify({ mcpServers: { ...entries, c: { command: 'x' } } }));
    await until(bench.store, (state) => keys(state).join() === 'a,b,c');
    expect(bench.states).toHaveLength(2);
  });

  it.runIf(process.platform !== 'win32')(
    '[PB-CFG-1] reports a pipe or folder in its place, does not wait, and keeps the last valid state',
    async () => {
      await using bench = await open(commented);
      await rm(bench.file);
      execFileSync('mkfifo', [bench.file]);
      const pipe = await until(bench.store, ({ problem }) => problem?.code === 'config.unreadable');
      expect(pipe.problem?.sentence).toBe(`${bench.file} is a pipe, not a file.`);
      expect(await code(bench.store.setEnabled(['a'], false))).toBe('config.unreadable');
      await rm(bench.file);
      await mkdir(bench.file);
      const folder = await until(bench.store, ({ problem }) => problem?.sentence.includes('folder') === true);
      expect(folder.problem?.fix).toMatch(/^Replace the folder with a config file/);
      expect(keys(folder)).toEqual(['a', 'b']);
      await rm(bench.file, { recursive: true });
      await writeFile(bench.file, commented);
      await until(bench.store, ({ problem }) => problem === undefined);
    },
  );

  // Windows makes links only for some users, and Wine none that Node reads.
  it.runIf(process.platform !== 'win32')(
    'follows the file behind a symbolic link and keeps the link',
    async () => {
      await using folder = await tempDir();
      await mkdir(join(folder.path, 'dotfiles'));
      await mkdir(join(folder.path, 'data'));
      const real = join(folder.path, 'dotfiles', 'real.json');
      const link = join(folder.path, 'data', 'mcp.json');
      await writeFile(real, commented);
      await symlink(real, link);
      const store = await createConfigStore({ file: link, env: () => ({ TOKEN: 'x' }), create: true });
      try {
        await store.setEnabled(['a'], false);
        expect((await lstat(link)).isSymbolicLink()).toBe(true);
        expect(await readFile(real, 'utf8')).toContain('"disabled": true');
        await writeFile(real, commented);
        await until(store, (state) => server(state, 'a').enabled);
      } finally {
        store.dispose();
      }
    },
  );

  it('[FR-002] expands again on reload, in the current environment', async () => {
    await using bench = await open(commented);
    const old = server(bench.store.state, 'b').fingerprint;
    bench.env.TOKEN = undefined;
    const without = await bench.store.reload();
    expect(server(without, 'b').target).toMatchObject({
      ok: false,
      problem: { code: 'config.missing_env_var' },
    });
    bench.env.TOKEN = 'hush-hush';
    expect(server(await bench.store.reload(), 'b').fingerprint).toBe(old);
    bench.env.TOKEN = 'other';
    expect(server(await bench.store.reload(), 'b').fingerprint).not.toBe(old);
  });
});
