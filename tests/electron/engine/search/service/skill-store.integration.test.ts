import { expect, test } from 'vitest';
import type { StoredToolSkills } from '../../../../../electron/engine/search/contract.ts';
import { skillStore } from '../../../../../electron/engine/search/service/skill-store.ts';
import { FakeClock } from '../../../../helper/fake-clock.ts';
import { stateIn } from '../../../../helper/state-db.ts';
import { tempDir } from '../../../../helper/temp-dir.ts';

const tool = (changes: Partial<StoredToolSkills> = {}): StoredToolSkills => ({
  serverKey: 'a "b"',
  name: 'x',
  digest: 'd1',
  classifier: 'rules 1',
  by: 'rules',
  skills: [{ id: 'files', confidence: 0.8 }],
  keywords: ['disk'],
  ...changes,
});

const suggestion = {
  id: 's1',
  name: 'Brewing',
  description: 'Beer.',
  tools: [{ serverKey: 'a', name: 'x' }],
  by: 'model',
  state: 'open',
} as const;

test('[AG-US3-AC2] [AG-US3-AC8] skills and suggestions survive restarts, the last decision on each', async () => {
  await using folder = await tempDir();
  {
    await using state = stateIn(folder.path);
    const store = skillStore(state, new FakeClock());
    store.saveTools([tool(), tool({ name: 'y', by: 'person' }), tool({ name: 'z' })]);
    store.saveTools([tool({ digest: 'd2' })]);
    store.saveSuggestion(suggestion);
    store.forget('a "b"', ['z']);
    await store.flush();
  }
  await using state = stateIn(folder.path);
  const kept = await skillStore(state, new FakeClock()).load();
  expect(kept.tools).toHaveLength(2);
  expect(kept.tools).toEqual(
    expect.arrayContaining([tool({ digest: 'd2' }), tool({ name: 'y', by: 'person' })]),
  );
  expect(kept.suggestions).toEqual([suggestion]);
});

test('vectors come back as they were, by model and text', async () => {
  await using folder = await tempDir();
  await using state = stateIn(folder.path);
  const store = skillStore(state, new FakeClock());
  const vector = Float32Array.of(0.5, -1.25, 3);
  const many = new Map(Array.from({ length: 700 }, (_, index) => [`t${index}`, vector] as const));
  await store.saveVectors('m', many);
  const found = await store.vectors('m', [...many.keys(), 'other']);
  expect(found.size).toBe(700);
  expect([...(found.get('t699') ?? [])]).toEqual([...vector]);
  expect((await store.vectors('another', ['t1'])).size).toBe(0);
});

test('an empty store creates no database', async () => {
  await using folder = await tempDir();
  await using state = stateIn(folder.path);
  const store = skillStore(state, new FakeClock());
  store.forget('a', ['x']);
  await store.flush();
  expect(await store.load()).toEqual({ tools: [], suggestions: [] });
  expect(await store.vectors('m', ['d'])).toEqual(new Map());
});
