import { truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { TextRole } from '../../../../../electron/engine/search/onnx/contract.ts';
import { findModel } from '../../../../../electron/engine/search/onnx/model-folder.ts';
import { loadModel } from '../../../../../electron/engine/search/onnx/model-runner.ts';
import { programs } from '../../../../helper/programs.ts';
import { tempDir } from '../../../../helper/temp-dir.ts';
import { layOut, toyFiles, toyModels, toyWeights } from '../../../../helper/toy-model.ts';

type Files = Readonly<Record<string, string | Buffer | undefined>>;

/** A model folder with these files, in this process, so that the runtime is compiled only once. */
async function opened(content: Files) {
  await using folder = await tempDir();
  await layOut(folder.path, content);
  const files = await findModel(folder.path);
  const model = await loadModel({ files, runtime: fileURLToPath(programs.embedding.runtime) });
  const vectors = async (texts: readonly string[], role: TextRole = 'text') =>
    (await model.run(texts.map((text) => model.encode(text, role)))).map((one) =>
      [...one].map((value) => Number(value.toFixed(3))),
    );
  return { model, vectors };
}

const root = (square: number) => Number(Math.sqrt(square).toFixed(3));

describe('[AG-US2-AC1] a model in a folder', () => {
  it.each(['bert', 'withoutTypes'] as const)(
    'returns unit vectors of the mean of its tokens: %s',
    async (form) => {
      const at = await opened(toyFiles(toyModels[form]));
      // Shorter texts are padded next to longer ones; the padding must not count.
      expect(await at.vectors(['cat', 'cat dog dog dog', 'Cat, dog!'])).toEqual([
        [1, 0, 0],
        [root(1 / 10), root(9 / 10), 0],
        [root(1 / 2), root(1 / 2), expect.closeTo(0, 2)],
      ]);
      expect(at.model.dimension).toBe(3);
    },
  );

  it('uses the sentence embedding of the model', async () => {
    const at = await opened(toyFiles(toyModels.sentence));
    expect(await at.vectors(['cat dog'])).toEqual([[root(1 / 2), root(1 / 2), 0]]);
    expect(await at.vectors(['cat dog dog'])).toEqual([[root(1 / 2), root(1 / 2), 0]]);
  });

  it('supports models of static word vectors', async () => {
    const at = await opened(toyFiles(toyModels.flat));
    expect(await at.vectors(['cat dog dog', 'dog cat', 'list'])).toEqual([
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ]);
  });

  it('follows the files next to the model: pooling, prefixes and maximum length', async () => {
    const hints = {
      '1_Pooling/config.json': JSON.stringify({ pooling_mode_lasttoken: true }),
      'config_sentence_transformers.json': JSON.stringify({ prompts: { query: 'dog ', document: '' } }),
      'sentence_bert_config.json': JSON.stringify({ max_seq_length: 8 }),
      'tokenizer.json': JSON.stringify({
        ...JSON.parse(String(toyFiles()['tokenizer.json'])),
        post_processor: {
          type: 'TemplateProcessing',
          single: [{ Sequence: { id: 'A', type_id: 0 } }],
          pair: [],
          special_tokens: {},
        },
      }),
    };
    const at = await opened({ ...toyFiles(), ...hints });
    // Nine words are cut to eight, keeping the last one.
    expect(await at.vectors(['list cat', `${'cat '.repeat(7)}list dog`])).toEqual([
      [1, 0, 0],
      [0, 1, 0],
    ]);
    const mean = { ...hints, '1_Pooling/config.json': '{}' };
    const other = await opened({ ...toyFiles(), ...mean });
    expect(await other.vectors(['cat'], 'query')).toEqual([[root(1 / 2), root(1 / 2), 0]]);
  });

  it('reads separate weights, and accepts empty texts and other scripts', async () => {
    const at = await opened({
      ...toyFiles(toyModels.outside),
      'onnx/model.onnx_data': toyWeights,
    });
    expect(await at.vectors(['dog'])).toEqual([[0, 1, 0]]);
    const odd = await at.vectors(['', '猫 🐈', 'x'.repeat(10_000), `${'cat '.repeat(5_000)}`]);
    expect(odd.map(({ length }) => length)).toEqual([3, 3, 3, 3]);
  });
});

describe('[AG-US2-AC1] a folder that cannot be used says why, and what to do', () => {
  it.each<[why: string, files: Files]>([
    ['past_key_values.0.key', toyFiles(toyModels.writer)],
    ['pixel_values', toyFiles(toyModels.picture)],
    ['none of its outputs is a text embedding', toyFiles(toyModels.strange)],
    ['it returns empty vectors', toyFiles(toyModels.mute)],
    ['cannot be loaded as an ONNX model', { ...toyFiles(), 'onnx/model.onnx': 'version https://git-lfs' }],
    ['cannot be loaded as an ONNX model', toyFiles(toyModels.outside)],
    ['its tokenizer.json cannot be read', { ...toyFiles(), 'tokenizer.json': '{"model":{}}' }],
    ['its tokenizer.json cannot be read', { ...toyFiles(), 'tokenizer.json': 'no JSON' }],
    ['its config.json cannot be read', { ...toyFiles(), 'config.json': '[]' }],
    [
      'pooling_mode_max_tokens',
      { ...toyFiles(), '1_Pooling/config.json': JSON.stringify({ pooling_mode_max_tokens: true }) },
    ],
    [
      'it failed to process a text',
      {
        ...toyFiles({
          ...toyModels.bert,
          weights: [{ name: 'words', dims: [4, 3], values: new Float32Array(12).fill(1) }],
        }),
      },
    ],
  ])('%s', async (why, files) => {
    const told = opened(files).then(({ vectors }) => vectors(['cat']));
    await expect(told).rejects.toMatchObject({
      problem: {
        code: 'search.model_unusable',
        sentence: expect.stringContaining(why),
        fix: expect.stringMatching(/\w/),
      },
    });
  });

  it.each<[why: string, files: Files]>([
    ['the folder contains no model', { ...toyFiles(), 'onnx/model.onnx': undefined }],
    ['it has no tokenizer.json', { ...toyFiles(), 'tokenizer.json': undefined }],
  ])('%s', async (why, files) => {
    await expect(opened(files)).rejects.toMatchObject({
      problem: { sentence: expect.stringContaining(why) },
    });
  });

  it('the folder is missing, its path is relative, or its model is too large', async () => {
    await using folder = await tempDir();
    const gone = findModel(join(folder.path, 'gone'));
    await expect(gone).rejects.toMatchObject({ problem: { code: 'search.model_unusable' } });
    await expect(findModel('models/mini')).rejects.toMatchObject({
      problem: { fix: expect.stringContaining('full path') },
    });
    await layOut(folder.path, toyFiles());
    const large = join(folder.path, 'onnx', 'model.onnx');
    // A sparse file: it takes no disk space.
    await truncate(large, 700_000_000);
    await expect(findModel(folder.path)).rejects.toThrow('700 MB');
  });
});
