import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { defaultSettings, readSettingsText } from '../../../../electron/main/port/settings-file.ts';
import { SettingsStore } from '../../../../electron/main/port/settings-store.ts';
import { tempDir } from '../../../helper/temp-dir.ts';

const time = Date.UTC(2026, 0, 2, 3, 4, 5);

async function open(folder: string, text: string | undefined) {
  const file = join(folder, 'settings.json');
  if (text !== undefined) await writeFile(file, text);
  const written: unknown[] = [];
  const store = new SettingsStore({
    file,
    write: (settings) => void written.push(settings),
    now: () => time,
  });
  return { file, store, written };
}

describe('the text of the settings file', () => {
  it.each([
    [undefined, 'good'],
    ['{}', 'good'],
    ['{"version":1,"port":8000,"unknown":true}', 'good'],
    ['', 'damaged'],
    ['{"port":', 'damaged'],
    ['[]', 'damaged'],
    ['"text"', 'damaged'],
    ['null', 'damaged'],
    ['{"port":"8000"}', 'damaged'],
    ['{"port":80}', 'damaged'],
    ['{"version":0}', 'damaged'],
    ['{"version":2}', 'newer'],
    ['{"version":99,"port":"changed meaning"}', 'newer'],
  ])('[PB-APP-1] %j is %s', (text, kind) => {
    expect(readSettingsText(text).kind).toBe(kind);
  });
});

describe('the settings', () => {
  it('[PB-APP-1] are the defaults in a new folder, with nothing written', async () => {
    await using folder = await tempDir();
    const { store } = await open(folder.path, undefined);
    expect(store.current).toEqual(defaultSettings);
    expect(store.problems).toEqual([]);
    expect(await readdir(folder.path)).toEqual([]);
  });

  it('[PB-APP-1] of a damaged file are moved aside, and the defaults used and reported', async () => {
    await using folder = await tempDir();
    const { store, written } = await open(folder.path, '{"port": 80, "theme": "dark"}');
    expect(store.current).toEqual(defaultSettings);
    expect(await readdir(folder.path)).toEqual(['settings.json.broken-2026-01-02T03-04-05.000Z']);
    const kept = join(folder.path, 'settings.json.broken-2026-01-02T03-04-05.000Z');
    expect(await readFile(kept, 'utf8')).toBe('{"port": 80, "theme": "dark"}');
    expect(store.problems).toMatchObject([{ code: 'hub.settings_unreadable' }]);
    expect(JSON.stringify(store.problems)).toContain('port');
    store.save({ ...store.current, port: 8000 });
    expect(written).toHaveLength(1);
  });

  it('[PB-CFG-2] of a newer version are refused, never overwritten', async () => {
    await using folder = await tempDir();
    const { file, store, written } = await open(folder.path, '{"version":2}');
    expect(store.problems).toMatchObject([{ code: 'hub.newer_data' }]);
    expect(() => store.save(store.current)).toThrow(/newer version/);
    expect(written).toEqual([]);
    expect(await readFile(file, 'utf8')).toBe('{"version":2}');
  });
});
