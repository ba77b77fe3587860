// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references in config text look like this.
import { chmod, lstat, mkdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ConfigState, ConfigStore } from '../../../../electron/engine/config/contract.ts';
import { createConfigStore } from '../../../../electron/engine/config/store.ts';
import { tempDir } from '../../../helper/temp-dir.ts';

const commented = `{
  // mine
  "mcpServers": {
    "a": {
      "command": "npx", // launcher
      "args": ["-y", "server"],
      "future": { "kept": true }
    },
    "b": { "url": "https://x.dev/mcp", "headers": { "Authorization": "Bearer \${TOKEN}" } }
  }
}
`;

interface Bench extends AsyncDisposable {
  readonly store: ConfigStore;
  readonly file: string;
  readonly folder: string;
  readonly states: ConfigState[];
  readonly env: Record<string, string | undefined>;
  text(): Promise<string>;
}

async function open(text?: string, create = false): Promise<Bench> {
  const folder = await tempDir();
  const file = join(folder.path, 'mcp.json');
  if (text !== undefined) await writeFile(file, text);
  const env: Record<string, string | undefined> = { HOME: '/home/ann', TOKEN: 'hush-hush' };
  const store = await createConfigStore({ file, env: () => env, create, platform: 'linux' });
  const states: ConfigState[] = [];
  store.onChange((state) => states.push(state));
  return {
    store,
    file,
    folder: folder.path,
    states,
    env,
    text: () => readFile(file, 'utf8'),
    [Symbol.asyncDispose]: async () => {
      store.dispose();
      await folder[Symbol.asyncDispose]();
    },
  };
}

const keys = (state: ConfigState) => state.servers.map(({ key }) => key);
const server = (state: ConfigState, key: string) => {
  const found = state.servers.find((candidate) => candidate.key === key);
  if (found === undefined) throw new Error(`no server ${key}`);
  return found;
};
const code = (outcome: Promise<unknown>) =>
  outcome.then(
    () => undefined,
    (error: { problem?: { code: string } }) => error.problem?.code,
  );

async function until(store: ConfigStore, holds: (state: ConfigState) => boolean): Promise<ConfigState> {
  const deadline = Date.now() + 10_000;
  while (!holds(store.state)) {
    if (Date.now() > deadline) throw new Error(`never came: ${JSON.stringify(store.state.problem)}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return store.state;
}

describe('opening', () => {
  it('creates a missing file, private, and reads it', async () => {
    await using bench = await open(undefined, true);
    expect(await bench.text()).toBe('{\n  "mcpServers": {}\n}\n');
    expect((await stat(bench.file)).mode & 0o777).toBe(0o600);
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

  it('sees atomic replaces, again and again, and deletion, and the file coming back', async () => {
    await using bench = await open(commented);
    for (const name of ['one', 'two', 'three', 'four']) {
      await writeFile(`${bench.file}.new`, JSON.stringify({ mcpServers: { [name]: { command: 'x' } } }));
      await rename(`${bench.file}.new`, bench.file);
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
    await writeFile(bench.file, commented.replace('// mine', '// really mine'));
    await writeFile(
      bench.file,
      JSON.stringify({
        mcpServers: {
          a: { future: { kept: true }, args: ['-y', 'server'], command: 'npx' },
          b: { headers: { Authorization: 'Bearer ${TOKEN}' }, url: 'https://x.dev/mcp' },
        },
      }),
    );
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(bench.states).toEqual([]);
    await bench.store.setEnabled(['a'], false);
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(bench.states).toHaveLength(1);
  });

  it('follows the file behind a symbolic link and keeps the link', async () => {
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
  });

  it('[FR-002] expands again on reload, in the environment of then', async () => {
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

describe('editing', () => {
  it('[PB-CFG-1] adds, updates, renames and removes, each changing only its place', async () => {
    await using bench = await open(commented);
    await bench.store.add([{ key: 'c', entry: { command: 'node' } }]);
    await bench.store.update(
      'a',
      { command: 'npx', args: ['-y', 'server'], future: { kept: true } },
      'first',
    );
    expect(keys(bench.store.state)).toEqual(['first', 'b', 'c']);
    const undo = await bench.store.remove('c');
    expect(await bench.text()).toBe(commented.replace('"a": {', '"first": {'));
    await bench.store.undoRemove(undo);
    expect(keys(bench.store.state)).toEqual(['first', 'b', 'c']);
    expect(await code(bench.store.undoRemove(undo))).toBe('config.unknown_server');
  });

  it('[PB-CFG-1] edits a file with a byte order mark and Windows line ends and keeps both', async () => {
    const windows = `\uFEFF${commented.replaceAll('\n', '\r\n')}`;
    await using bench = await open(windows);
    await bench.store.setEnabled(['a', 'b'], false);
    expect(bench.store.state.servers.map(({ enabled }) => enabled)).toEqual([false, false]);
    expect((await bench.text()).replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    await bench.store.setEnabled(['b', 'a'], true);
    expect(await bench.text()).toBe(windows);
  });

  it('duplicates switched off under a free name', async () => {
    await using bench = await open(commented);
    expect(await bench.store.duplicate('a')).toBe('a-copy');
    expect(await bench.store.duplicate('a')).toBe('a-copy-2');
    expect(keys(bench.store.state)).toEqual(['a', 'a-copy-2', 'a-copy', 'b']);
    expect(server(bench.store.state, 'a-copy').enabled).toBe(false);
  });

  it('shows and saves the text of an entry, comments included', async () => {
    await using bench = await open(commented);
    const { text, entry } = await bench.store.entry('a');
    expect(text.split('\n')[1]).toBe('  "command": "npx", // launcher');
    expect(entry).toEqual({ command: 'npx', args: ['-y', 'server'], future: { kept: true } });
    await bench.store.saveText('a', text.replace('// launcher', '// starter'));
    expect(await bench.text()).toBe(commented.replace('// launcher', '// starter'));
    expect(await code(bench.store.saveText('a', '{"command": }'))).toBe('config.invalid_json');
    expect(await code(bench.store.saveText('a', '{"args": []}'))).toBe('config.invalid_schema');
  });

  it('switches tools off in the entry, without a restart', async () => {
    await using bench = await open(commented);
    const old = server(bench.store.state, 'a').fingerprint;
    await bench.store.setToolsEnabled('a', ['drop'], false);
    expect([...server(bench.store.state, 'a').disabledTools]).toEqual(['drop']);
    expect(server(bench.store.state, 'a').fingerprint).toBe(old);
    await bench.store.setToolsEnabled('a', ['drop'], true);
    expect(await bench.text()).toBe(commented);
  });

  it('refuses what cannot be, and writes nothing', async () => {
    await using bench = await open(commented);
    const { store } = bench;
    const entry = { command: 'x' };
    expect(await code(store.add([{ key: 'a', entry }]))).toBe('config.duplicate_key');
    expect(
      await code(
        store.add([
          { key: 'n', entry },
          { key: 'n', entry },
        ]),
      ),
    ).toBe('config.duplicate_key');
    expect(await code(store.add([{ key: 'x:y', entry }]))).toBe('config.invalid_schema');
    expect(await code(store.add([{ key: 'n', entry: {} }]))).toBe('config.invalid_schema');
    expect(await code(store.update('nope', entry))).toBe('config.unknown_server');
    expect(await code(store.update('a', entry, 'b'))).toBe('config.duplicate_key');
    expect(await code(store.setEnabled(['a', 'nope'], false))).toBe('config.unknown_server');
    expect(await code(store.remove('nope'))).toBe('config.unknown_server');
    expect(await bench.text()).toBe(commented);
  });

  it('refuses to guess which of two equal keys is meant, and still edits the others', async () => {
    await using bench = await open(
      '{"mcpServers": {"t": {"command": "x"}, "t": {"command": "y"}, "o": {"command": "z"}}}',
    );
    expect(await code(bench.store.setEnabled(['t'], false))).toBe('config.duplicate_key');
    await bench.store.setEnabled(['o'], false);
    expect(await bench.text()).toContain('"o": {"command": "z", "disabled": true}');
  });

  it('[PB-CFG-2] loses none of many edits at once, nor an edit made by hand just before', async () => {
    await using bench = await open(commented);
    await writeFile(bench.file, commented.replace('// mine', '// by hand'));
    const names = Array.from({ length: 20 }, (_, index) => `s${index}`);
    await Promise.all(names.map((key) => bench.store.add([{ key, entry: { command: 'x' } }])));
    expect(keys(bench.store.state)).toEqual(['a', 'b', ...names]);
    expect(await bench.text()).toContain('// by hand');
  });

  it('[PB-CFG-2] is readable as a whole at every moment of many writes', async () => {
    await using bench = await open(commented);
    let writing = true;
    const edits = (async () => {
      for (let round = 0; round < 30; round += 1) await bench.store.setEnabled(['a'], round % 2 === 1);
      writing = false;
    })();
    while (writing) expect(await bench.text()).toMatch(/^\{\n {2}\/\/ mine[\s\S]*\n\}\n$/);
    await edits;
    expect(await bench.text()).toBe(commented);
  });

  it('names a read-only file and leaves it', async () => {
    await using bench = await open(commented);
    await chmod(bench.file, 0o444);
    const outcome = await bench.store.setEnabled(['a'], false).catch((error: unknown) => error);
    expect(outcome).toMatchObject({ problem: { code: 'config.unwritable' } });
    expect(String(outcome)).toContain(bench.file);
    expect(await bench.text()).toBe(commented);
  });

  it('writes a deleted file anew from what is in force', async () => {
    await using bench = await open(commented);
    await rm(bench.file);
    await bench.store.setEnabled(['a'], false);
    expect(await bench.text()).toContain('// mine');
    expect(bench.store.state.problem).toBeUndefined();
  });

  it('keeps the permissions of the file', async () => {
    await using bench = await open(commented);
    await chmod(bench.file, 0o640);
    await bench.store.setEnabled(['a'], false);
    expect((await stat(bench.file)).mode & 0o777).toBe(0o640);
  });
});

describe('judging drafts', () => {
  it('tells all that is wrong with an entry and its key, and what is only odd', async () => {
    await using bench = await open(commented);
    const { issues, entry } = bench.store.validate('b', '{\n  "args": "x",\n  "env": {"P": 1}\n}', 'a');
    expect(issues.map(({ severity, path, line }) => [severity, path, line])).toEqual([
      ['error', '(key)', undefined],
      ['error', 'args', 2],
      ['error', 'command', 1],
      ['warning', 'env.P', 3],
    ]);
    expect(entry).toEqual({ args: 'x', env: { P: 1 } });
    expect(bench.store.validate('a', '{"command": "${GONE}"}', 'a').issues).toMatchObject([
      { severity: 'warning', path: 'command' },
    ]);
    expect(bench.store.validate('new', '{"command": }').issues).toMatchObject([
      { severity: 'error', line: 1 },
    ]);
    expect(bench.store.validate('new', '{"command": "x"}').issues).toEqual([]);
  });

  it('marks pasted servers that exist', async () => {
    await using bench = await open(commented);
    expect(bench.store.parsePaste('{"a": {"command": "x"}}')).toMatchObject({
      kind: 'entries',
      entries: [{ key: 'a', exists: true }],
    });
  });
});
