import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../../../electron/engine/base/clock.ts';
import { FolderEmbedder } from '../../../../../electron/engine/search/onnx/folder-embedder.ts';
import { findModel } from '../../../../../electron/engine/search/onnx/model-folder.ts';
import { FakeClock } from '../../../../helper/fake-clock.ts';
import { programs } from '../../../../helper/programs.ts';
import { tempDir } from '../../../../helper/temp-dir.ts';
import { layOut, toyFiles } from '../../../../helper/toy-model.ts';

const patience = 20_000;

/** A model folder with these files, in its own thread. */
async function opened(files: Readonly<Record<string, string | Buffer | undefined>>, clock = systemClock) {
  const folder = await tempDir();
  await layOut(folder.path, files);
  const embedder = new FolderEmbedder(await findModel(folder.path), programs.embedding, clock);
  return {
    folder: folder.path,
    embedder,
    vectors: async (...texts: string[]) =>
      (await embedder.embed(texts, patience)).map((one) => [...one].map((value) => Number(value.toFixed(3)))),
    async [Symbol.asyncDispose]() {
      embedder.model.dispose();
      await folder[Symbol.asyncDispose]();
    },
  };
}

describe('[AG-US2-AC1] a model in a folder runs in a thread', () => {
  it('and returns unit vectors with a known dimension', async () => {
    await using at = await opened(toyFiles());
    expect(await at.vectors('cat', 'cat list dog', '')).toEqual([
      [1, 0, 0],
      expect.anything(),
      expect.anything(),
    ]);
    expect(await at.embedder.model.load()).toBe(3);
  });

  it('answers a query before queued texts', async () => {
    await using at = await opened(toyFiles());
    const order: string[] = [];
    const texts = Array.from({ length: 400 }, () => 'cat dog '.repeat(60));
    const many = at.embedder.embed(texts, patience).then(() => order.push('texts'));
    const query = at.embedder.embed(['dog'], patience, 'query').then(() => order.push('query'));
    await Promise.all([many, query]);
    expect(order).toEqual(['query', 'texts']);
  });

  it('is unloaded when unused, and loaded again on use', async () => {
    const clock = new FakeClock();
    await using at = await opened(toyFiles(), clock);
    expect(at.embedder.model.isLoaded()).toBe(false);
    await at.vectors('cat');
    expect(at.embedder.model.isLoaded()).toBe(true);
    clock.advance(600_000);
    expect(at.embedder.model.isLoaded()).toBe(false);
    expect(await at.vectors('cat')).toEqual([[1, 0, 0]]);
  });

  it('has another tag when one of its files changes', async () => {
    await using at = await opened(toyFiles());
    const again = new FolderEmbedder(await findModel(at.folder), programs.embedding, systemClock);
    expect(again.tag).toBe(at.embedder.tag);
    await utimes(join(at.folder, 'onnx', 'model.onnx'), 1, 1);
    const later = await findModel(at.folder);
    expect(`folder ${later.identity}`).not.toBe(at.embedder.tag);
  });

  it('a slow model is aborted: the query alone, or the whole model for texts', async () => {
    const clock = new FakeClock();
    await using at = await opened(toyFiles(), clock);
    await at.vectors('cat');
    const texts = Array.from({ length: 2_000 }, () => 'cat dog '.repeat(60));
    const many = at.embedder.embed(texts, 60_000);
    const query = at.embedder.embed(['dog'], 1_500, 'query');
    // The requests have been sent by then.
    await Promise.resolve();
    await Promise.resolve();
    await Promise.resolve();
    clock.advance(1_500);
    await expect(query).rejects.toThrow('too slow');
    expect(at.embedder.model.isLoaded()).toBe(true);
    clock.advance(60_000);
    await expect(many).rejects.toThrow('too slow');
    expect(at.embedder.model.isLoaded()).toBe(false);
  });

  it('reports a missing runtime and a terminated thread', async () => {
    await using folder = await tempDir();
    await layOut(folder.path, toyFiles());
    const files = await findModel(folder.path);
    const nowhere = new URL('nowhere.wasm', programs.embedding.runtime);
    const without = new FolderEmbedder(files, { ...programs.embedding, runtime: nowhere }, systemClock);
    await expect(without.model.load()).rejects.toThrow('runtime');
    const broken = new FolderEmbedder(files, { ...programs.embedding, thread: nowhere }, systemClock);
    await expect(broken.embed(['cat'], patience)).rejects.toMatchObject({
      problem: { code: 'search.model_unusable' },
    });
  });
});
