import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readCatalogueFile } from '../../../../electron/engine/catalogue/catalogue-file.ts';
import { chooseProfile } from '../../../../electron/engine/catalogue/client-facts.ts';
import { openDiskCache } from '../../../../electron/engine/catalogue/disk-cache.ts';
import { createView } from '../../../../electron/engine/catalogue/view/view.ts';
import type { Problem } from '../../../../shared/error/problem.ts';
import { catalogueOf, offerOf, serverOf, toolNamed } from '../../../helper/catalogue.ts';
import { FakeClock } from '../../../helper/fake-clock.ts';
import { tempDir } from '../../../helper/temp-dir.ts';

async function setUp(content?: string) {
  const folder = await tempDir();
  const file = join(folder.path, 'catalogue.json');
  if (content !== undefined) await writeFile(file, content);
  const clock = new FakeClock();
  const reports: (Problem | undefined)[] = [];
  const open = () => openDiskCache({ file, clock, report: (problem) => reports.push(problem) });
  return { file, clock, reports, open, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

const tool = {
  name: 't',
  inputSchema: { type: 'object', $ref: '#/x' },
  annotations: { readOnlyHint: true },
  'x-kept': [null],
};
const catalogue = {
  ...catalogueOf(
    serverOf('b', { tools: [tool, 'off'], prompts: [{ name: 'p' }] }, ['off']),
    serverOf('a', { resources: [{ uri: 'u', name: 'u' }], instructions: 'Read me' }),
  ),
  revision: 7,
};
const cached = { ...catalogue, servers: catalogue.servers.map((server) => ({ ...server, cached: true })) };

describe('the catalogue on disk', () => {
  it('comes back as it was, in its order, marked as cached', async () => {
    await using it = await setUp();
    const cache = await it.open();
    expect(cache.stored).toBeUndefined();
    cache.save(catalogue);
    await cache.flush();
    expect((await it.open()).stored).toEqual(cached);
    expect(it.reports).toEqual([]);
  });

  it('[PB-BRIDGE-1] gives a bridge the very list that the hub would send', async () => {
    await using it = await setUp();
    const cache = await it.open();
    cache.save(catalogue);
    await cache.flush();
    const read = await readCatalogueFile(it.file);
    const profile = chooseProfile({ clientName: 'claude-ai', programDefault: 'safe' });
    if (read.kind !== 'catalogue') throw new Error(read.kind);
    const told = JSON.stringify(createView(read.catalogue, profile).tools);
    expect(told).toBe(JSON.stringify(createView(catalogue, profile).tools));
  });

  it('is written once for a burst, with the last state', async () => {
    await using it = await setUp();
    const cache = await it.open();
    for (const revision of [8, 9, 10]) cache.save({ ...catalogue, revision });
    await expect(readFile(it.file)).rejects.toThrow();
    await it.clock.advance(500);
    await cache.flush();
    expect(await readCatalogueFile(it.file)).toMatchObject({ catalogue: { revision: 10 } });
    expect(it.clock.pending).toBe(0);
  });

  it('is written when changes have stopped for a while, and in any case before long', async () => {
    await using it = await setUp();
    const cache = await it.open();
    const changes = async (count: number) => {
      for (let revision = 1; revision <= count; revision++) {
        cache.save({ ...catalogue, revision });
        await it.clock.advance(400);
      }
    };
    await changes(12);
    await expect(readFile(it.file)).rejects.toThrow();
    await changes(2);
    await expect.poll(() => readCatalogueFile(it.file)).toMatchObject({ kind: 'catalogue' });
    cache.save({ ...catalogue, revision: 99 });
    await cache.flush();
    expect(await readCatalogueFile(it.file)).toMatchObject({ catalogue: { revision: 99 } });
  });

  it('is not written again for what it holds already, and is for a switch of a tool', async () => {
    await using it = await setUp();
    const first = await it.open();
    first.save(catalogue);
    await first.flush();
    const cache = await it.open();
    if (cache.stored === undefined) throw new Error('nothing stored');
    await writeFile(it.file, 'untouched');
    const live = cache.stored.servers.map((server) => ({ ...server, cached: false }));
    cache.save({ ...cache.stored, servers: live });
    await cache.flush();
    expect(await readFile(it.file, 'utf8')).toBe('untouched');
    cache.save({ ...cache.stored, servers: live.map((server) => ({ ...server, disabledTools: new Set() })) });
    await cache.flush();
    expect(await readCatalogueFile(it.file)).toMatchObject({ kind: 'catalogue' });
  });

  it.each([
    ['broken text', '{"version":1,'],
    ['an empty file', ''],
    ['other JSON', '[]'],
    ['no servers', '{"version":1,"revision":1}'],
    ['a strange revision', '{"version":1,"revision":"2","servers":[]}'],
    ['a server without offer', '{"version":1,"revision":1,"servers":[{"key":"a","disabledTools":[]}]}'],
    [
      'an offer of wrong types',
      '{"version":1,"revision":1,"servers":[{"key":"a","disabledTools":[],"offer":{"tools":{}}}]}',
    ],
  ])('counts as empty when it holds %s, and is replaced', async (_what, content) => {
    await using it = await setUp(content);
    const cache = await it.open();
    expect(cache.stored).toBeUndefined();
    cache.save(catalogue);
    await cache.flush();
    expect(await readCatalogueFile(it.file)).toMatchObject({ kind: 'catalogue' });
  });

  it('sets a bad item aside and keeps the rest of its server', async () => {
    const offer = { ...offerOf({ tools: ['t'] }), tools: [toolNamed('t'), null, { name: 1 }] };
    const servers = [{ key: 'a', disabledTools: [], offer }];
    await using it = await setUp(JSON.stringify({ version: 1, revision: 1, servers }));
    const { stored } = await it.open();
    expect(stored?.servers[0]?.offer.tools).toEqual([toolNamed('t')]);
    expect(stored?.servers[0]?.setAside).toHaveLength(2);
  });

  it('is not touched, and reported, when a newer program wrote it', async () => {
    const newer = '{"version":2,"anything":true}';
    await using it = await setUp(newer);
    const cache = await it.open();
    cache.save(catalogue);
    await cache.flush();
    await it.clock.advance(1000);
    expect(cache.stored).toBeUndefined();
    expect(await readFile(it.file, 'utf8')).toBe(newer);
    expect(it.reports).toMatchObject([{ code: 'hub.newer_data' }]);
    expect(await readCatalogueFile(it.file)).toEqual({ kind: 'newer', version: 2 });
  });

  it('reports that it cannot be written, and that it can be again', async () => {
    await using it = await setUp();
    const cache = await openDiskCache({
      file: join(it.file, 'inside-a-file'),
      clock: it.clock,
      report: (problem) => it.reports.push(problem),
    });
    await writeFile(it.file, '');
    cache.save(catalogue);
    await cache.flush();
    expect(it.reports).toHaveLength(1);
    expect(it.reports[0]?.code).toBeDefined();
  });
});

describe('what the bridge loads', () => {
  const room = new URL('../../../../electron/engine/catalogue/', import.meta.url);

  it('[PB-BRIDGE-1] pulls in no schema library', async () => {
    const seen = new Set<string>();
    const packages = new Set<string>();
    const visit = async (url: URL): Promise<void> => {
      if (seen.has(url.href)) return;
      seen.add(url.href);
      const source = await readFile(url, 'utf8');
      const imports = source.matchAll(/^(?:import|export)(?! type)[^;]*? from '([^']+)';/gms);
      for (const [, from = ''] of imports) {
        if (from.startsWith('.')) await visit(new URL(from, url));
        else packages.add(from);
      }
    };
    for (const file of ['view/view.ts', 'client-facts.ts', 'catalogue-file.ts', 'view/prepared-list.ts'])
      await visit(new URL(file, room));
    expect([...packages].filter((name) => !name.startsWith('node:'))).toEqual([]);
  });
});
