// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references in config text look like this.
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createConfigStore } from '../../../../../electron/engine/config/store/store.ts';
import { permissions } from '../../../../helper/permissions.ts';
import { tempDir } from '../../../../helper/temp-dir.ts';
import { code, commented, keys, until } from './store-bench.ts';

const half = commented.slice(0, commented.length / 2);

/** Creates a folder in which hubs start one after the other. */
async function place() {
  const folder = await tempDir();
  const file = join(folder.path, 'mcp.json');
  const lastGood = join(folder.path, 'mcp.good.json');
  const env = { HOME: '/home/ann', TOKEN: 'hush-hush' };
  return {
    file,
    lastGood,
    async start() {
      const store = await createConfigStore({ file, lastGood, env: () => env, create: true });
      return Object.assign(store, { [Symbol.dispose]: () => store.dispose() });
    },
    async [Symbol.asyncDispose]() {
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** Creates a folder in which a hub has run with two servers. */
async function usedPlace() {
  const made = await place();
  await writeFile(made.file, commented);
  using first = await made.start();
  expect(keys(first.state)).toEqual(['a', 'b']);
  return made;
}

describe('a start that finds the config broken', () => {
  it.each([
    ['half-written', half, 'config.invalid_json'],
    ['empty', '', 'config.invalid_json'],
    ['blank', ' \n\n', 'config.invalid_json'],
    ['full of zeros, as after a power cut', '\0'.repeat(200), 'config.invalid_json'],
    ['no config at all', '[]', 'config.invalid_schema'],
    ['null', 'null', 'config.invalid_schema'],
  ])(
    '[PB-LIST-1] [PB-CFG-1] runs the last servers if it is %s, and says where the error is',
    async (_, text, why) => {
      await using there = await usedPlace();
      await writeFile(there.file, text);
      using store = await there.start();
      expect(keys(store.state)).toEqual(['a', 'b']);
      expect(store.state.problem).toMatchObject({ code: why });
      expect(store.state.problem?.sentence).toContain(`${there.file} is not`);
      expect(store.state.problem?.evidence.map(({ label }) => label)).toEqual(
        expect.arrayContaining(['line', 'column']),
      );
      expect(await code(store.setEnabled(['a'], false))).toBe(why);
      expect(await readFile(there.file, 'utf8')).toBe(text);
      await writeFile(there.file, commented.replace('"a"', '"c"'));
      expect(keys(await until(store, ({ problem }) => problem === undefined))).toEqual(['c', 'b']);
    },
  );

  it('[PB-LIST-1] runs the last servers if the file is missing, and creates no new one', async () => {
    await using there = await usedPlace();
    await rm(there.file);
    using store = await there.start();
    expect(keys(store.state)).toEqual(['a', 'b']);
    expect(store.state.problem?.code).toBe('config.file_not_found');
    await expect(stat(there.file)).rejects.toThrow('ENOENT');
    await store.setEnabled(['a'], false);
    expect(await readFile(there.file, 'utf8')).toContain('"disabled": true');
  });

  it('[PB-LIST-1] runs the last servers if the file cannot be read', async () => {
    await using there = await usedPlace();
    await rm(there.file);
    await mkdir(there.file);
    using store = await there.start();
    expect(keys(store.state)).toEqual(['a', 'b']);
    expect(store.state.problem?.code).toBe('config.unreadable');
  });

  it('[PB-LIST-1] waits a moment for the rest of the file, so that no earlier server is started', async () => {
    await using there = await usedPlace();
    await writeFile(there.file, half);
    const starting = there.start();
    await writeFile(there.file, commented.replace('"a"', '"c"'));
    using store = await starting;
    expect(keys(store.state)).toEqual(['c', 'b']);
    expect(store.state.problem).toBeUndefined();
  });

  it('[PB-LIST-1] does not take a broken file for one without servers where nothing ran before', async () => {
    await using there = await place();
    await writeFile(there.file, half);
    using store = await there.start();
    expect(store.state).toMatchObject({
      servers: [],
      isUnknown: true,
      problem: { code: 'config.invalid_json' },
    });
    await writeFile(there.file, commented);
    const state = await until(store, ({ problem }) => problem === undefined);
    expect(keys(state)).toEqual(['a', 'b']);
    expect(state.isUnknown).toBeUndefined();
  });

  it.each(['{}', '{"mcpServers":{}}'])('[PB-LIST-1] accepts %s as intended', async (text) => {
    await using there = await usedPlace();
    await writeFile(there.file, text);
    using store = await there.start();
    expect(store.state).toEqual({ servers: [] });
  });

  it('starts at once if there is no earlier config', async () => {
    await using there = await place();
    using store = await there.start();
    expect(store.state).toEqual({ servers: [] });
    expect(await readFile(there.file, 'utf8')).toContain('mcpServers');
  });

  it.runIf(process.platform !== 'win32')(
    '[PB-CFG-1] keeps the last config as it was written, private, and up to date with each edit',
    async () => {
      await using there = await usedPlace();
      const kept = () => readFile(there.lastGood, 'utf8');
      expect(await kept()).toBe(commented);
      expect(await kept()).toContain('${TOKEN}');
      expect((await stat(there.lastGood)).mode & 0o777).toBe(permissions(0o600));
      using store = await there.start();
      await store.remove('b');
      expect(await kept()).toBe(await readFile(there.file, 'utf8'));
      await writeFile(there.file, half);
      await until(store, ({ problem }) => problem !== undefined);
      expect(await kept()).not.toContain('x.dev');
    },
  );

  it('[PB-LIST-1] is not stopped by a copy that is broken itself', async () => {
    await using there = await usedPlace();
    await writeFile(there.lastGood, '{ half');
    using store = await there.start();
    expect(keys(store.state)).toEqual(['a', 'b']);
    expect(await readFile(there.lastGood, 'utf8')).toBe(commented);
  });
});

describe('the last good config', () => {
  it('[PB-CFG-1] replaces a broken file, which is saved, and this can be undone', async () => {
    await using there = await usedPlace();
    using store = await there.start();
    await writeFile(there.file, half);
    await until(store, ({ problem }) => problem !== undefined);
    expect(store.state.problem?.evidence).toContainEqual({ label: 'last good config', value: '2 servers' });
    const undo = await store.restoreGood();
    expect(store.state.problem).toBeUndefined();
    expect(await readFile(there.file, 'utf8')).toBe(commented);
    expect(await readFile(join(there.lastGood, '../mcp.bad.json'), 'utf8')).toBe(half);
    await store.undoRestore(undo);
    expect(await readFile(there.file, 'utf8')).toBe(half);
    expect(store.state.problem?.code).toBe('config.invalid_json');
    expect(keys(store.state)).toEqual(['a', 'b']);
  });

  it('[PB-CFG-1] is not undone over later changes', async () => {
    await using there = await usedPlace();
    using store = await there.start();
    await writeFile(there.file, half);
    await until(store, ({ problem }) => problem !== undefined);
    const undo = await store.restoreGood();
    await writeFile(there.file, '{"mcpServers": {}}');
    expect(await code(store.undoRestore(undo))).toBe('config.changed_meanwhile');
    expect(await readFile(there.file, 'utf8')).toBe('{"mcpServers": {}}');
  });

  it('[PB-CFG-1] cannot be restored if there never was one', async () => {
    await using there = await place();
    await writeFile(there.file, half);
    using store = await there.start();
    expect(store.state.problem?.evidence.map(({ label }) => label)).not.toContain('last good config');
    expect(await code(store.restoreGood())).toBe('config.file_not_found');
    expect(await readFile(there.file, 'utf8')).toBe(half);
  });
});
