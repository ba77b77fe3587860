import { describe, expect, it, onTestFinished } from 'vitest';
import { documentsOf } from '../../../../../electron/engine/search/index/documents.ts';
import * as room from '../../../../../electron/engine/search/search-module.ts';
import { SemanticSearch } from '../../../../../electron/engine/search/service/semantic-search.ts';
import type { EmbeddingSource, SemanticSearchState } from '../../../../../shared/model/tool/search.ts';
import { serverOf } from '../../../../helper/catalogue.ts';
import { embeddingServer } from '../../../../helper/embedding-server.ts';
import { eventually } from '../../../../helper/eventually.ts';
import { FakeClock } from '../../../../helper/fake-clock.ts';

const documents = documentsOf(
  serverOf('zoo', { tools: [{ name: 'feline' }, { name: 'canine' }, { name: 'list' }] }),
  true,
);

/** A hub's semantic search with a model at an address, its stored vectors and its events. */
async function atAddress() {
  const model = await embeddingServer();
  const kept = new Map<string, Map<string, Float32Array>>();
  const failures: unknown[] = [];
  const states: SemanticSearchState[] = [];
  const clock = new FakeClock();
  const meaning = new SemanticSearch({
    clock,
    secret: () => undefined,
    report: (error) => failures.push(error),
    keeper: {
      vectors: async (tag) => new Map(kept.get(tag)),
      saveVectors: async (tag, vectors) => {
        kept.set(tag, new Map([...(kept.get(tag) ?? []), ...vectors]));
      },
    },
  });
  meaning.onState((state) => states.push(state));
  onTestFinished(async () => {
    meaning.dispose();
    await model[Symbol.asyncDispose]();
  });
  const given = [() => documents, () => undefined] as const;
  return {
    ...{ meaning, model, source: model.source, kept, failures, states, clock },
    ask: (query: string, source: EmbeddingSource = model.source) =>
      meaning.ask(room, source, query, ...given),
    begin: (source: EmbeddingSource) => meaning.begin(room, source, ...given),
  };
}

type Meant = Awaited<ReturnType<typeof atAddress>>;

/** Returns the most similar document once all vectors are known. */
async function nearest(at: Meant, query: string): Promise<string | undefined> {
  let best: string | undefined;
  await eventually(async () => {
    const answer = await at.ask(query);
    if (answer.kind !== 'used') throw new Error(answer.kind);
    expect(at.meaning.state(at.source)).toEqual({ kind: 'ready', known: 3, total: 3 });
    best = [...documents].sort((one, other) => answer.similarity(other) - answer.similarity(one))[0]?.name;
  });
  return best;
}

describe('[AG-US2-AC1] semantic search of a hub', () => {
  it('rests until the first search, reports its progress, and then finds by meaning', async () => {
    const at = await atAddress();
    expect(at.meaning.state(at.source)).toEqual({ kind: 'resting' });
    expect(await nearest(at, 'kitten')).toBe('feline');
    expect(await nearest(at, 'dog')).toBe('canine');
    expect(at.states[0]).toEqual({ kind: 'learning', known: 0, total: 3 });
    expect(at.states.at(-1)).toEqual({ kind: 'ready', known: 3, total: 3 });
    expect(at.failures).toEqual([]);
  });

  it('computes vectors as soon as it is chosen, and reuses the stored ones when it is chosen again', async () => {
    const at = await atAddress();
    at.begin(at.source);
    await eventually(() => expect([...at.kept.values()].map(({ size }) => size)).toEqual([3]));
    expect(at.model.texts).toHaveLength(3);
    at.begin({ kind: 'off' });
    expect(at.meaning.state({ kind: 'off' })).toEqual({ kind: 'off' });
    expect(at.meaning.state(at.source)).toEqual({ kind: 'resting' });
    expect(at.states.at(-1)).toEqual({ kind: 'off' });
    at.begin(at.source);
    await eventually(() => expect(at.states.at(-1)).toEqual({ kind: 'ready', known: 3, total: 3 }));
    expect(at.model.texts).toHaveLength(3);
  });

  it('switches to another model without mixing vectors', async () => {
    const at = await atAddress();
    expect(await nearest(at, 'cat')).toBe('feline');
    const other = { ...at.source, model: 'park' };
    at.begin(other);
    expect(at.meaning.state(at.source)).toEqual({ kind: 'resting' });
    await eventually(() => expect(at.meaning.state(other)).toMatchObject({ kind: 'ready', known: 3 }));
    expect(at.kept.size).toBe(2);
  });

  it('reports a failure once, falls back to keywords, and retries after a while', async () => {
    const at = await atAddress();
    at.model.state.isDown = true;
    expect(await at.ask('cat')).toEqual({ kind: 'failed' });
    expect(await at.ask('cat')).toEqual({ kind: 'failed' });
    expect(at.failures).toMatchObject([{ problem: { code: 'search.provider_failed' } }]);
    expect(at.meaning.state(at.source)).toMatchObject({ kind: 'failed' });
    expect(at.states.at(-1)).toMatchObject({ kind: 'failed' });
    at.model.state.isDown = false;
    expect(await at.ask('cat')).toEqual({ kind: 'failed' });
    await at.clock.advance(30_000);
    expect(await nearest(at, 'cat')).toBe('feline');
  });

  it('is not failed by an earlier try when a model is chosen again', async () => {
    const at = await atAddress();
    let release = () => {};
    at.model.state.hold = new Promise((resolve) => {
      release = resolve;
    });
    at.model.state.isDown = true;
    expect(await at.ask('cat')).toEqual({ kind: 'failed' });
    await eventually(() => expect(at.model.texts.length).toBeGreaterThan(1));
    at.model.state.isDown = false;
    at.begin(at.source);
    release();
    await eventually(() => expect(at.states.at(-1)).toEqual({ kind: 'ready', known: 3, total: 3 }));
    expect(at.failures).toHaveLength(1);
  });

  it('retries a failed model at once when it is chosen again', async () => {
    const at = await atAddress();
    at.model.state.isDown = true;
    expect(await at.ask('cat')).toEqual({ kind: 'failed' });
    await eventually(() => expect(at.states.at(-1)?.kind).toBe('failed'));
    at.model.state.isDown = false;
    at.begin(at.source);
    await eventually(() => expect(at.states.at(-1)).toEqual({ kind: 'ready', known: 3, total: 3 }));
  });
});
