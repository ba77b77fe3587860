// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references in manifests look like this.
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importBench } from '../../../../helper/importer.ts';
import { permissions } from '../../../../helper/permissions.ts';
import { zip } from '../../../../helper/zip.ts';

const manifest = {
  manifest_version: '0.3',
  name: 'acme.weather',
  display_name: 'Weather',
  version: '1.2.0',
  server: {
    type: 'node',
    entry_point: 'server/index.js',
    mcp_config: {
      command: 'node',
      args: [
        '${__dirname}/server/index.js',
        '--docs=${DOCUMENTS}${/}w',
        '${user_config.folders}',
        '${user_config.units}',
      ],
      env: { API_KEY: '${user_config.api_key}', REGION: '${user_config.region}', MODE: 'fast' },
      platform_overrides: { win32: { command: 'node.exe' }, linux: { env: { MODE: 'linux' } } },
    },
  },
  user_config: {
    api_key: {
      type: 'string',
      title: 'Key',
      description: 'From the page of the maker',
      sensitive: true,
      required: true,
    },
    region: { type: 'string', title: 'Region' },
    units: { type: 'string', default: 'metric' },
    folders: { type: 'directory', multiple: true, default: ['${HOME}/a', '~/b'] },
  },
};
const files = [
  { name: 'manifest.json', content: JSON.stringify(manifest) },
  { name: 'server/', content: '' },
  { name: 'server/index.js', content: 'console.log(1)' },
  { name: 'bin/run', content: '#!/bin/sh', mode: 0o100755 },
];

describe('a bundle', () => {
  it('[PB-CLIENT-2] finds folders where the system has them, under the name in the language of the person', async () => {
    await using bench = await importBench();
    await bench.put(
      '.config/user-dirs.dirs',
      '# made by xdg-user-dirs\nXDG_DESKTOP_DIR="$HOME/"\nXDG_DOCUMENTS_DIR="$HOME/Dokumente"\nXDG_DOWNLOAD_DIR="/data/down"\n',
    );
    const settings = {
      folders: { type: 'directory', default: ['${DOCUMENTS}/w', '${DOWNLOADS}', '${DESKTOP}'] },
    };
    const content = JSON.stringify({ ...manifest, user_config: settings });
    const file = await bench.put('weather.mcpb', zip([{ name: 'manifest.json', content }]));
    const { entries, inputs } = await bench.importer.readFiles([file]);
    expect(inputs.find(({ id }) => id === 'setting:folders')?.default).toBe(
      `${bench.home}/Dokumente/w\n/data/down\n${bench.home}/`,
    );
    expect(JSON.stringify(entries)).toContain(`--docs=${bench.home}/Dokumente/w`);
  });

  it('[PB-CLIENT-2] [NFR-SEC1] is previewed by its manifest, asks for its settings, and is put into the data folder', async () => {
    await using bench = await importBench();
    const file = await bench.put('weather.mcpb', zip(files));
    const preview = await bench.importer.readFiles([file]);
    expect(preview).toMatchObject({ title: 'Weather', apps: [], issues: [] });
    expect(preview.entries).toMatchObject([{ key: 'acme-weather', suggested: true, issues: [] }]);
    expect(preview.inputs).toEqual([
      {
        id: 'setting:folders',
        title: 'folders',
        kind: 'folder',
        required: false,
        multiple: true,
        default: `${bench.home}/a\n${bench.home}/b`,
      },
      { id: 'setting:units', title: 'units', kind: 'text', required: false, default: 'metric' },
      {
        id: 'setting:api_key',
        title: 'Key',
        description: 'From the page of the maker',
        kind: 'password',
        required: true,
        secretName: 'API_KEY',
      },
      { id: 'setting:region', title: 'Region', kind: 'text', required: false },
    ]);
    expect(await readdir(bench.dir)).toEqual(['mcp.json']);
    const first = await bench.addSuggested(preview);
    expect(first.waiting).toEqual([{ key: 'acme-weather', values: ['API_KEY'] }]);
    expect(await bench.entry('acme-weather')).toMatchObject({ env: { API_KEY: '${secret:API_KEY}' } });
    await bench.importer.undo(first.undoId ?? '');
    expect(await bench.entry('acme-weather')).toBeUndefined();

    const inputs = [{ id: 'setting:api_key', value: 'hush', secretName: 'WEATHER' }];
    const { undoId = '', secrets } = await bench.addSuggested(preview, { inputs });
    const folder = join(bench.dir, 'bundles', 'acme.weather-1.2.0');
    expect(await bench.entry('acme-weather')).toEqual({
      command: 'node',
      args: [
        `${folder}/server/index.js`,
        '--docs=${HOME}/Documents/w',
        `${bench.home}/a`,
        `${bench.home}/b`,
        'metric',
      ],
      env: { API_KEY: '${secret:WEATHER}', MODE: 'linux' },
      patchbay: { title: 'Weather' },
    });
    expect(secrets).toEqual(['WEATHER']);
    expect(await readFile(join(folder, 'server/index.js'), 'utf8')).toBe('console.log(1)');
    expect((await stat(join(folder, 'bin/run'))).mode & 0o777).toBe(permissions(0o755));
    await bench.importer.undo(undoId);
    expect(await bench.entry('acme-weather')).toBeUndefined();
    expect(await readdir(join(bench.dir, 'bundles'))).toEqual([]);
    expect(bench.vault.size).toBe(0);
  });

  it('[PB-CLIENT-2] that is named like a device of Windows gets a folder that Windows can open', async () => {
    await using bench = await importBench();
    const content = JSON.stringify({ ...manifest, name: 'Aux.weather' });
    const [, ...rest] = files;
    const file = await bench.put('weather.mcpb', zip([{ name: 'manifest.json', content }, ...rest]));
    await bench.addSuggested(await bench.importer.readFiles([file]));
    expect(await readdir(join(bench.dir, 'bundles'))).toEqual(['bundle-Aux.weather-1.2.0']);
  });

  it.each([
    ['win32', 'python'],
    ['linux', 'python3'],
  ] as const)(
    '[PB-CLIENT-2] of Python that names no command is run on %s by %s',
    async (platform, command) => {
      await using bench = await importBench({ platform });
      const plain = { name: 'kite', version: '1', server: { type: 'python', entry_point: 'main.py' } };
      const file = await bench.put(
        'k.mcpb',
        zip([{ name: 'manifest.json', content: JSON.stringify(plain) }]),
      );
      const { entries } = await bench.importer.readFiles([file]);
      expect(entries[0]?.target.split(' ')[0]).toBe(command);
    },
  );

  it('[PB-CLIENT-2] that is there already gets a folder beside', async () => {
    await using bench = await importBench();
    const file = await bench.put('weather.dxt', zip(files));
    const inputs = [{ id: 'setting:api_key', value: 'hush', secretName: 'WEATHER' }];
    for (const key of ['a', 'b']) {
      const preview = await bench.importer.readFiles([file]);
      const entries = [{ id: '0', key, secrets: [] }];
      expect((await bench.addSuggested(preview, { entries, inputs })).failed).toEqual([]);
    }
    expect((await readdir(join(bench.dir, 'bundles'))).sort()).toEqual([
      'acme.weather-1.2.0',
      'acme.weather-1.2.0-2',
    ]);
  });

  it.each([
    ['a file that leads out of it', [...files, { name: '../../evil', content: 'x' }]],
    ['an absolute file', [...files, { name: '/tmp/evil', content: 'x' }]],
    ['a link', [...files, { name: 'link', content: '/etc/passwd', mode: 0o120777 }]],
    ['no manifest', files.slice(1)],
    ['a manifest that is no JSON', [{ name: 'manifest.json', content: '{' }]],
    ['a manifest without a server', [{ name: 'manifest.json', content: '{"name": "x", "version": "1"}' }]],
  ])('[PB-CLIENT-2] with %s is refused, and nothing of it stays', async (_what, members) => {
    await using bench = await importBench();
    const file = await bench.put('bad.mcpb', zip(members));
    const inputs = [{ id: 'setting:api_key', value: 'hush', secretName: 'WEATHER' }];
    const added = bench.importer.readFiles([file]).then(async (preview) => {
      const { failed } = await bench.addSuggested(preview, { inputs });
      throw { problem: failed[0]?.problem };
    });
    await expect(added).rejects.toMatchObject({ problem: { code: 'import.bad_bundle' } });
    expect(await readdir(join(bench.dir, 'bundles')).catch(() => [])).toEqual([]);
    expect(bench.vault.size).toBe(0);
    expect(await bench.entry('acme-weather')).toBeUndefined();
  });

  it('[PB-CLIENT-2] that is no archive, or made for other systems, says so', async () => {
    await using bench = await importBench();
    const broken = await bench.put('broken.mcpb', 'PK nothing');
    await expect(bench.importer.readFiles([broken])).rejects.toMatchObject({
      problem: { code: 'import.bad_bundle' },
    });
    const elsewhere = { ...manifest, compatibility: { platforms: ['win32'] } };
    const file = await bench.put(
      'w.mcpb',
      zip([{ name: 'manifest.json', content: JSON.stringify(elsewhere) }]),
    );
    const { entries } = await bench.importer.readFiles([file]);
    expect(entries).toMatchObject([{ suggested: false, issues: [{ severity: 'error' }] }]);
  });
});
