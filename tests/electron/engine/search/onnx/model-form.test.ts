import { expect, it } from 'vitest';
import { bySuitability } from '../../../../../electron/engine/search/onnx/model-folder.ts';
import { signatureOf } from '../../../../../electron/engine/search/onnx/model-form.ts';
import { pooled } from '../../../../../electron/engine/search/onnx/pooling.ts';
import { slicesOf } from '../../../../../electron/engine/search/onnx/slices.ts';

const input = (name: string, type = 'int64') => ({ name, isTensor: true, type });
const output = (name: string, type = 'float32') => ({ name, isTensor: true, type });

it('[AG-US2-AC1] accepts models with and without token types, and prefers a pooled output', () => {
  expect(signatureOf([input('input_ids')], [output('last_hidden_state')])).toEqual({
    inputs: [{ name: 'input_ids', isLong: true }],
    output: 'last_hidden_state',
    isFlat: false,
  });
  const whole = [input('input_ids', 'int32'), input('attention_mask'), input('token_type_ids')];
  expect(signatureOf(whole, [output('token_embeddings'), output('sentence_embedding')])).toMatchObject({
    inputs: [{ isLong: false }, { isLong: true }, { isLong: true }],
    output: 'sentence_embedding',
  });
  expect(signatureOf([input('input_ids'), input('offsets')], [output('embeddings')])).toMatchObject({
    isFlat: true,
  });
  expect(signatureOf([input('input_ids')], [output('whatever')])).toMatchObject({ output: 'whatever' });
});

it.each([
  ['past_key_values', [input('input_ids'), input('past_key_values.0.key')], [output('logits')]],
  ['input_ids', [input('attention_mask')], [output('last_hidden_state')]],
  ['integers', [input('input_ids', 'float32')], [output('last_hidden_state')]],
  ['logits, scores', [input('input_ids')], [output('logits'), output('scores')]],
  ['float32', [input('input_ids')], [output('last_hidden_state', 'float16')]],
])('[AG-US2-AC1] says why a model is not for text embeddings: %s', (why, inputs, outputs) => {
  expect(signatureOf(inputs, outputs)).toEqual({ why: expect.stringContaining(why) });
});

it('pools token vectors without the padding', () => {
  const data = Float32Array.from([1, 0, 3, 4, 9, 9, 5, 6, 9, 9, 9, 9]);
  const vectors = { data, texts: 2, tokens: 3, dimension: 2 };
  const joined = (how: 'mean' | 'first' | 'last') => pooled(vectors, [2, 1], how).map((one) => [...one]);
  expect(joined('mean')).toEqual([
    [2, 2],
    [5, 6],
  ]);
  expect(joined('first')).toEqual([
    [1, 0],
    [5, 6],
  ]);
  expect(joined('last')).toEqual([
    [3, 4],
    [5, 6],
  ]);
});

it('batches texts of similar length, and skips none', () => {
  expect(slicesOf([])).toEqual([]);
  expect(slicesOf([5, 200, 6, 300])).toEqual([[0, 2], [1], [3]]);
  expect(
    slicesOf(Array.from({ length: 64 }, () => 40))
      .flat()
      .sort((one, other) => one - other),
  ).toEqual(Array.from({ length: 64 }, (_, at) => at));
});

it('prefers 8-bit weights to full ones, and puts 16-bit and smaller ones last', () => {
  const files = ['model_fp16', 'model_q4', 'model_q4f16', 'model', 'model_O3', 'model_quantized'];
  expect(bySuitability(files.map((name) => `/m/onnx/${name}.onnx`)).map((one) => one.slice(8, -5))).toEqual([
    'model_quantized',
    'model',
    'model_O3',
    'model_fp16',
    'model_q4',
    'model_q4f16',
  ]);
  expect(bySuitability(['/m/model_bnb4.onnx', '/m/model_quint8_avx2.onnx'])[0]).toBe(
    '/m/model_quint8_avx2.onnx',
  );
});
