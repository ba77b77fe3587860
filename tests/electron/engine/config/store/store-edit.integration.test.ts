// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references in config text look like this.
import { chmod, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { permissions } from '../../../../helper/permissions.ts';
import { code, commented, keys, open, server } from './store-bench.ts';

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

  it.each([
    ['UTF-16 with a mark', (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le')],
    ['UTF-16, the high byte first', (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16()],
    ['UTF-16 without a mark', (text: string) => Buffer.from(text, 'utf16le')],
  ])('[PB-CFG-1] reads a file in %s, and keeps all of it when it is edited', async (_what, encode) => {
    const text = commented.replace('"npx"', '"npx-é"');
    await using bench = await open(text);
    await writeFile(bench.file, encode(text));
    await bench.store.reload();
    expect(bench.store.state.problem).toBeUndefined();
    expect(keys(bench.store.state)).toEqual(['a', 'b']);
    await bench.store.setCommand('a', 'npx');
    expect(await bench.text()).toBe(`\uFEFF${commented}`);
  });

  it('[PB-CFG-2] never writes to a file in an encoding that is not known', async () => {
    await using bench = await open(commented);
    const latin = Buffer.from(commented.replace('"npx"', '"npx-é"'), 'latin1');
    await writeFile(bench.file, latin);
    await bench.store.reload();
    expect(bench.store.state.problem?.sentence).toContain('neither UTF-8 nor UTF-16');
    expect(keys(bench.store.state)).toEqual(['a', 'b']);
    expect(await code(bench.store.setCommand('a', 'node'))).toBe('config.unreadable');
    expect(await readFile(bench.file)).toEqual(latin);
  });

  it('[PB-CFG-1] writes another command, and its old one again to the byte', async () => {
    await using bench = await open(commented);
    await bench.store.setCommand('a', '/opt/node/bin/npx');
    expect(await bench.text()).toBe(commented.replace('"npx"', '"/opt/node/bin/npx"'));
    await bench.store.setCommand('a', 'npx');
    expect(await bench.text()).toBe(commented);
    await bench.store.add([{ key: 'far', entry: { url: 'https://mcp.example/mcp' } }]);
    expect(await code(bench.store.setCommand('far', 'npx'))).toBe('config.invalid_schema');
    expect(await code(bench.store.setCommand('nobody', 'npx'))).toBe('config.unknown_server');
  });

  it('returns what an edited entry would run, without writing it', async () => {
    await using bench = await open(commented);
    const draft = '{ "command": "npx", "args": ["${HOME}"] } // the end';
    const { target, display } = await bench.store.configure('a', draft);
    expect(target).toMatchObject({ ok: true, value: { command: 'npx', args: ['/home/ann'] } });
    expect(display).toBe('npx ${HOME}');
    const unset = await bench.store.configure('a', '{ "command": "npx", "args": ["$NOBODY"] }');
    expect(unset.target).toMatchObject({ ok: false, problem: { code: 'config.missing_env_var' } });
    expect(await code(bench.store.configure('a', '{ "command": }'))).toBe('config.invalid_json');
    expect(await code(bench.store.configure('a', '{ "args": [] }'))).toBe('config.invalid_schema');
    expect(await bench.text()).toBe(commented);
  });

  it('adds a duplicate turned off under a free name', async () => {
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
    const saved = text.replace('// launcher', '// starter');
    expect(await bench.store.saveText({ key: 'a', text: saved, base: text })).toEqual({ text: saved });
    expect(await bench.text()).toBe(commented.replace('// launcher', '// starter'));
    const save = (bad: string) => code(bench.store.saveText({ key: 'a', text: bad, base: saved }));
    expect(await save('{"command": }')).toBe('config.invalid_json');
    expect(await save('{"args": []}')).toBe('config.invalid_schema');
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

  it('rejects invalid edits, and writes nothing', async () => {
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
    while (writing) {
      expect(await bench.text()).toMatch(/^\{\n {2}\/\/ mine[\s\S]*\n\}\n$/);
      // A file that somebody has open all the time cannot be replaced on Windows.
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
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

  it('recreates a deleted file from the active text', async () => {
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
    expect((await stat(bench.file)).mode & 0o777).toBe(permissions(0o640));
  });
});

describe('validating drafts', () => {
  it('reports all errors of an entry and its key, and the warnings', async () => {
    await using bench = await open(commented);
    const { issues, entry } = bench.store.validate('b', '{\n  "args": "x",\n  "env": {"P": 1}\n}', 'a');
    expect(issues.map(({ severity, path, line }) => [severity, path, line])).toEqual([
      ['error', '(key)', undefined],
      ['error', 'command', 1],
      ['warning', 'args', 2],
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
});
