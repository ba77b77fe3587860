import { expect, it } from 'vitest';
import { Emitter } from '../../../../../electron/engine/base/emitter.ts';
import type { CatalogueChange } from '../../../../../electron/engine/catalogue/contract.ts';
import { SearchService } from '../../../../../electron/engine/search/service/search-service.ts';
import type { SearchSettings } from '../../../../../shared/model/tool/search.ts';
import { catalogueOf, serverOf } from '../../../../helper/catalogue.ts';
import { eventually } from '../../../../helper/eventually.ts';
import { FakeClock } from '../../../../helper/fake-clock.ts';

const rules: SearchSettings = { classifier: { kind: 'rules' }, meaning: { kind: 'off' } };
const byModel: SearchSettings = { ...rules, classifier: { kind: 'sampling' } };

/** A search over one server that counts reads of the stored skills. */
function searching(settings: SearchSettings) {
  const clock = new FakeClock();
  const changes = new Emitter<CatalogueChange>();
  const current = catalogueOf(serverOf('github', { tools: ['create_issue', 'merge_pull_request'] }));
  const reads = { count: 0 };
  const titles = new Map<string, string>();
  const search = new SearchService({
    clock,
    logger: { log: () => {} },
    catalogue: {
      current,
      onChange: changes.event,
      setServers: () => {},
      setListing: () => {},
      setConfigDigest: () => {},
      setSettled: () => {},
      markUnsure: () => {},
      clearListing: () => {},
      flush: () => {},
      dispose: () => {},
    },
    keeper: {
      load: async () => {
        reads.count += 1;
        return { tools: [], suggestions: [] };
      },
      saveTools: () => {},
      saveSuggestion: () => {},
      forget: () => {},
      vectors: async () => new Map(),
      saveVectors: async () => {},
    },
    isConnected: () => true,
    titleOf: (key) => titles.get(key),
    uses: async () => [],
    settings: { read: async () => settings, write: async () => {} },
    askClient: async () => {
      throw new Error('nobody is there to be asked');
    },
    secret: () => undefined,
  });
  return { search, clock, reads, titles };
}

it('[AG-US3-AC1] a hub without searches classifies nothing; the first search sees every tool classified', async () => {
  const { search, clock, reads } = searching(rules);
  await clock.advance(60_000);
  expect(reads.count).toBe(0);
  const tools = (await search.skills()).tools();
  expect(tools.map(({ isClassified }) => isClassified)).toEqual([true, true]);
  search.dispose();
});

it('[AG-US3-AC1] a model, which is slow, classifies before the first search', async () => {
  const { search, clock, reads } = searching(byModel);
  await clock.advance(60_000);
  await eventually(() => expect(reads.count).toBe(1));
  search.dispose();
});

it('[AG-US2-AC1] search data is released when unused, and rebuilt for the next search', async () => {
  const { search, clock, reads } = searching(rules);
  const found = async () =>
    (await search.find({ query: 'create issue', limit: 5 })).hits.map(({ name }) => name);
  const before = await found();
  expect(before[0]).toBe('create_issue');
  await clock.advance(599_000);
  await found();
  await clock.advance(599_000);
  expect(reads.count).toBe(1);
  await clock.advance(601_000);
  expect(await found()).toEqual(before);
  expect(reads.count).toBe(2);
  search.dispose();
});

it('[AG-US3-AC1] results of a model are not released', async () => {
  const { search, clock, reads } = searching(byModel);
  await search.skills();
  await clock.advance(3_600_000);
  await search.skills();
  expect(reads.count).toBe(1);
  search.dispose();
});

it('[AG-US2-AC1] tools are found by the display name of their server, until it is removed', async () => {
  const { search, titles } = searching(rules);
  const found = async () => (await search.find({ query: 'Company repos', limit: 5 })).hits;
  expect(await found()).toEqual([]);
  titles.set('github', 'Company repos');
  expect((await found()).map(({ name }) => name).sort()).toEqual(['create_issue', 'merge_pull_request']);
  expect((await found())[0]?.matched).toEqual([{ field: 'server', ranges: [] }]);
  titles.clear();
  expect(await found()).toEqual([]);
  search.dispose();
});
