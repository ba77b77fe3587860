import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  readSearchSettings,
  searchSettingsFile,
} from '../../../../../electron/engine/search/service/settings-file.ts';
import { tempDir } from '../../../../helper/temp-dir.ts';

const off = { classifier: { kind: 'rules' }, meaning: { kind: 'off' } };

it('reads a model in a folder, which earlier versions ran, as off, and says so once', async () => {
  await using folder = await tempDir();
  const path = join(folder.path, 'search.json');
  const logged: string[] = [];
  const file = searchSettingsFile(path, { log: (level, text) => logged.push(`${level} ${text}`) });
  expect(await file.read()).toEqual(off);
  await writeFile(path, JSON.stringify({ ...off, meaning: { kind: 'folder', folder: '/models/mini' } }));
  expect(await file.read()).toEqual(off);
  expect(await file.read()).toEqual(off);
  expect(logged).toEqual([expect.stringMatching(/^warn Search by meaning is off:.* Choose Ollama/)]);
});

it('refuses other settings that are not valid', async () => {
  await using folder = await tempDir();
  const path = join(folder.path, 'search.json');
  const file = searchSettingsFile(path, { log: () => {} });
  await writeFile(path, '{"meaning":{"kind":"cloud"}}');
  await expect(file.read()).rejects.toMatchObject({ problem: { code: 'search.settings_unreadable' } });
  const withFolder = { meaning: { kind: 'folder' }, classifier: { kind: 'nobody' } };
  expect(readSearchSettings(withFolder)).toBeUndefined();
});
