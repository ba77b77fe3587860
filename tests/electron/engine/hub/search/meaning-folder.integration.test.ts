import { rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SemanticSearch } from '../../../../../electron/engine/hub/search/hub-meaning.ts';
import { documentsOf } from '../../../../../electron/engine/search/index/documents.ts';
import * as room from '../../../../../electron/engine/search/room.ts';
import type { SemanticSearchState } from '../../../../../shared/model/search.ts';
import { serverOf } from '../../../../helper/catalogue.ts';
import { eventually } from '../../../../helper/eventually.ts';
import { FakeClock } from '../../../../helper/fake-clock.ts';
import { onnxModel } from '../../../../helper/onnx-model.ts';
import { programs } from '../../../../helper/programs.ts';
import { tempDir } from '../../../../helper/temp-dir.ts';
import { layOut, toyFiles, toyModels } from '../../../../helper/toy-model.ts';

const documents = documentsOf(
  serverOf('zoo', { tools: [{ name: 'feline' }, { name: 'canine' }, { name: 'list' }] }),
  true,
);

/** A hub's semantic search with a model folder, its stored vectors and its events. */
async function inFolder(files = toyFiles()) {
  const folder = await tempDir();
  await layOut(folder.path, files);
  const kept = new Map<string, Map<string, Float32Array>>();
  const failures: unknown[] = [];
  const states: SemanticSearchState[] = [];
  const clock = new FakeClock();
  const meaning = new SemanticSearch({
    clock,
    embedding: programs.embedding,
    secret: () => undefined,
    report: (error) => failures.push(error),
    keeper: {
      vectors: async (model) => new Map(kept.get(model)),
      saveVectors: async (model, vectors) => {
        kept.set(model, new Map([...(kept.get(model) ?? []), ...vectors]));
      },
    },
  });
  meaning.onState((state) => states.push(state));
  onTestFinished(async () => {
    meaning.dispose();
    await folder[Symbol.asyncDispose]();
  });
  const source = { kind: 'folder', folder: folder.path } as const;
  return {
    ...{ meaning, source, kept, failures, states, clock, folder: folder.path },
    ask: (query: string) =>
      meaning.ask(
        room,
        source,
        query,
        () => documents,
        () => undefined,
      ),
  };
}

type Meant = Awaited<ReturnType<typeof inFolder>>;

/** Returns the most similar document once the model is loaded and all vectors are known. */
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

describe('[AG-US2-AC1] semantic search with a model folder', () => {
  it('blocks no search while it loads, reports its progress, and then finds by meaning', async () => {
    const at = await inFolder();
    expect(at.meaning.state(at.source)).toEqual({ kind: 'resting' });
    expect(await at.ask('kitten')).toEqual({ kind: 'starting' });
    expect(await nearest(at, 'kitten')).toBe('feline');
    expect(await nearest(at, 'dog')).toBe('canine');
    expect(at.states[0]).toEqual({ kind: 'starting' });
    expect(at.states.at(-1)).toEqual({ kind: 'ready', known: 3, total: 3 });
    expect(at.failures).toEqual([]);
  });

  it('computes vectors as soon as it is chosen, stores them, and replaces damaged ones', async () => {
    const at = await inFolder();
    const begin = () =>
      at.meaning.begin(
        room,
        at.source,
        () => documents,
        () => undefined,
      );
    await begin();
    await eventually(() => expect([...at.kept.values()].map(({ size }) => size)).toEqual([3]));
    const [vectors = new Map<string, Float32Array>()] = at.kept.values();
    const [digest = ''] = vectors.keys();
    vectors.set(digest, new Float32Array(2));
    // Chosen again, so that it reads the stored vectors.
    await at.meaning.begin(
      room,
      { kind: 'off' },
      () => documents,
      () => undefined,
    );
    expect(at.meaning.state({ kind: 'off' })).toEqual({ kind: 'off' });
    await begin();
    expect(await nearest(at, 'cat')).toBe('feline');
    expect([...at.kept.values()][0]?.get(digest)).toHaveLength(3);
  });

  it('switches to a changed model file without mixing vectors', async () => {
    const at = await inFolder();
    expect(await nearest(at, 'cat')).toBe('feline');
    // The vectors of cats and dogs are swapped.
    const { values, ...words } = toyModels.bert.weights[0];
    const swapped = values.map((_, place) => values[place - (place % 3) + (((place % 3) + 1) % 3)] ?? 0);
    const model = { ...toyModels.bert, weights: [{ ...words, values: swapped }] };
    await writeFile(join(at.folder, 'onnx', 'model.onnx'), onnxModel(model));
    await utimes(join(at.folder, 'onnx', 'model.onnx'), 1, 1);
    await at.clock.advance(5_000);
    await nearest(at, 'dog');
    expect(at.kept.size).toBe(2);
  });

  it('reports why it fails, falls back to keywords, and retries after a while', async () => {
    const at = await inFolder();
    await rm(join(at.folder, 'tokenizer.json'));
    expect(await at.ask('cat')).toEqual({ kind: 'failed' });
    expect(await at.ask('cat')).toEqual({ kind: 'failed' });
    expect(at.failures).toHaveLength(1);
    expect(at.meaning.state(at.source)).toMatchObject({
      kind: 'failed',
      problem: { code: 'search.model_unusable', fix: expect.stringContaining('tokenizer.json') },
    });
    await layOut(at.folder, toyFiles());
    await at.clock.advance(30_000);
    expect(await nearest(at, 'cat')).toBe('feline');
  });

  it('also reports that no program can load the model', async () => {
    const at = await inFolder(toyFiles(toyModels.writer));
    expect(await at.ask('cat')).toEqual({ kind: 'starting' });
    await eventually(() => expect(at.meaning.state(at.source)).toMatchObject({ kind: 'failed' }));
    expect(await at.ask('cat')).toEqual({ kind: 'failed' });
    expect(at.failures).toMatchObject([{ problem: { code: 'search.model_unusable' } }]);
  });
});
