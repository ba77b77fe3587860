import { writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { code, commented, keys, open, server } from '../store/store-bench.ts';

const listed = `{
  "mcpServers": {
    "a": {
      "command": "npx", // launcher
      "patchbay": { "disabledTools": ["old", /* kept off */ "risky"] }
    },
    // between
    "b": { "command": "npx", "disabled": false },
    "c": { "command": "npx", "patchbay": { "enabledTools": ["x", "y"] } } // last
  }
}
`;

describe('several changes at once', () => {
  it('[PB-CFG-1] are one write, and one undo brings every byte back: comments, order, explicit values', async () => {
    await using bench = await open(listed);
    const undo = await bench.store.changeMany([
      { kind: 'tools', key: 'a', names: ['old', 'new'], enabled: true },
      { kind: 'tools', key: 'c', names: ['x'], enabled: false },
      { kind: 'switch', key: 'b', enabled: false },
      { kind: 'remove', key: 'a' },
      { kind: 'remove', key: 'b' },
    ]);
    expect(keys(bench.store.state)).toEqual(['c']);
    await bench.store.undoChange(undo);
    expect(await bench.text()).toBe(listed);
    expect(await code(bench.store.undoChange(undo))).toBe('config.unknown_server');
  });

  it('[PB-CFG-1] undo what was done and keep what has been edited since, here and in other entries', async () => {
    await using bench = await open(listed);
    const undo = await bench.store.changeMany([
      { kind: 'tools', key: 'a', names: ['old', 'one', 'two'], enabled: false },
      { kind: 'switch', key: 'b', enabled: false },
    ]);
    await bench.store.setToolsEnabled('a', ['later'], false);
    await bench.store.add([{ key: 'd', entry: { command: 'node' } }]);
    await bench.store.undoChange(undo);
    expect([...(server(bench.store.state, 'a')?.disabledTools ?? [])]).toEqual(['old', 'risky', 'later']);
    expect(await bench.text()).toContain('"b": { "command": "npx", "disabled": false }');
    expect(keys(bench.store.state)).toEqual(['a', 'b', 'c', 'd']);
  });

  it('[PB-CFG-1] restore removed servers to their positions although others were added meanwhile', async () => {
    await using bench = await open(commented);
    const undo = await bench.store.changeMany([
      { kind: 'remove', key: 'a' },
      { kind: 'remove', key: 'b' },
    ]);
    await bench.store.add([{ key: 'c', entry: { command: 'node' } }]);
    await bench.store.undoChange(undo);
    expect(keys(bench.store.state).toSorted()).toEqual(['a', 'b', 'c']);
    expect(await bench.text()).toContain('"command": "npx", // launcher');
  });

  it('[PB-CFG-1] are all rejected if one of them is, and undo is rejected if a name is taken', async () => {
    await using bench = await open(commented);
    const some = bench.store.changeMany([
      { kind: 'remove', key: 'a' },
      { kind: 'switch', key: 'nobody', enabled: false },
    ]);
    expect(await code(some)).toBe('config.unknown_server');
    expect(await bench.text()).toBe(commented);
    const undo = await bench.store.changeMany([{ kind: 'remove', key: 'a' }]);
    await bench.store.add([{ key: 'a', entry: { command: 'other' } }]);
    expect(await code(bench.store.undoChange(undo))).toBe('config.duplicate_key');
    await bench.store.remove('a');
    await bench.store.undoChange(undo);
    expect(keys(bench.store.state).toSorted()).toEqual(['a', 'b']);
  });

  it('[PB-CFG-1] change nothing that is already so', async () => {
    await using bench = await open(listed);
    const undo = await bench.store.changeMany([
      { kind: 'tools', key: 'a', names: ['risky'], enabled: false },
      { kind: 'switch', key: 'b', enabled: true },
    ]);
    expect(await bench.text()).toBe(listed);
    await writeFile(bench.file, listed.replace('"risky"', '"other"'));
    await bench.store.reload();
    await bench.store.undoChange(undo);
    expect(await bench.text()).toContain('"other"');
  });
});

describe('a name for people', () => {
  it('[PB-CFG-1] is ours before another program’s, restarts nothing, and says nothing where it is the key', async () => {
    const entry = { command: 'x' };
    const named = { ...entry, name: 'Team wiki', patchbay: { title: '  My\nwiki ' } };
    const servers = { a: entry, b: named, c: { ...entry, title: 'c' }, d: { ...entry, name: 5 } };
    await using bench = await open(JSON.stringify({ mcpServers: servers }));
    const { state } = bench.store;
    expect(state.servers.map(({ title }) => title)).toEqual([undefined, 'My wiki', undefined, undefined]);
    expect(server(state, 'b')?.fingerprint).toBe(server(state, 'a')?.fingerprint);
  });
});

describe('tags and favorites', () => {
  it('[PB-CFG-1] stand in our part of the entry, restart nothing, and undo leaves no trace', async () => {
    await using bench = await open(listed);
    const fingerprint = server(bench.store.state, 'a')?.fingerprint;
    const undo = await bench.store.changeMany([
      { kind: 'tags', key: 'a', tags: ['work', 'data'] },
      { kind: 'favorite', key: 'b', favorite: true },
      { kind: 'favorite', key: 'c', favorite: false },
    ]);
    expect(server(bench.store.state, 'a')).toMatchObject({ tags: ['work', 'data'], fingerprint });
    expect(server(bench.store.state, 'b')?.favorite).toBe(true);
    const later = await bench.store.changeMany([{ kind: 'tags', key: 'a', tags: [] }]);
    await bench.store.undoChange(later);
    await bench.store.undoChange(undo);
    expect(await bench.text()).toBe(listed);
  });
});
