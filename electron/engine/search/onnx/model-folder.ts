import { readdir, stat } from 'node:fs/promises';
import { basename, isAbsolute, join, relative } from 'node:path';
import { digestOf } from '../../base/digest.ts';
import type { ModelFolder } from './contract.ts';
import { unusableModel } from './unusable.ts';

/** Bytes; a larger model would not fit into WebAssembly memory together with its working set. */
const maxModelBytes = 500_000_000;
const maxTokenizerBytes = 100_000_000;

/** Optional files that describe how to use the model. */
const hintFiles = [
  'tokenizer_config.json',
  'config.json',
  'sentence_bert_config.json',
  'config_sentence_transformers.json',
  join('1_Pooling', 'config.json'),
];

/** Must be raised when the same files produce different vectors. */
const formatVersion = 1;

/** Finds the model in a folder. Rejects with `search.model_unusable`. */
export async function findModel(folder: string): Promise<ModelFolder> {
  if (!isAbsolute(folder))
    throw unusableModel(folder, 'its path is not absolute', 'Enter the full path of the folder.');
  const model = await chooseModel(folder);
  const tokenizer = join(folder, 'tokenizer.json');
  const data = await firstFile([`${model}_data`, `${model}.data`]);
  await refuseLarge(folder, model, data?.bytes ?? 0);
  const read = await fileAt(tokenizer);
  if (read === undefined)
    throw unusableModel(
      folder,
      'it has no tokenizer.json',
      'Copy tokenizer.json of the same model into the folder.',
    );
  if (read.bytes > maxTokenizerBytes) throw unusableModel(folder, 'its tokenizer.json is too large');
  const parts = [model, ...(data === undefined ? [] : [data.path]), tokenizer];
  const identity = await identityOf(folder, [...parts, ...hintFiles.map((name) => join(folder, name))]);
  return { folder, model, tokenizer, identity, ...(data === undefined ? {} : { data: data.path }) };
}

async function chooseModel(folder: string): Promise<string> {
  const found = await Promise.all([onnxIn(folder), onnxIn(join(folder, 'onnx'))]);
  const [own] = found;
  if (own === undefined)
    throw unusableModel(folder, 'the folder does not exist or cannot be read', 'Choose the folder again.');
  const files = bySuitability(found.flatMap((one) => one ?? []));
  const [best] = files;
  if (best !== undefined) return best;
  throw unusableModel(
    folder,
    'the folder contains no model',
    'Choose the folder that contains tokenizer.json and model.onnx or onnx/model.onnx.',
  );
}

async function onnxIn(folder: string): Promise<readonly string[] | undefined> {
  const names = await readdir(folder).catch(() => undefined);
  return names?.filter((name) => name.endsWith('.onnx')).map((name) => join(folder, name));
}

/**
 * Sorts model files: 8-bit weights first, since they take half the time and memory for nearly the same
 * vectors; 16-bit and smaller formats last, since not all of them run here.
 */
export function bySuitability(files: readonly string[]): readonly string[] {
  return [...files].sort((one, other) => rank(one) - rank(other) || one.localeCompare(other));
}

function rank(file: string): number {
  const name = basename(file, '.onnx');
  if (/fp16|f16|bf16|bnb|q[1-4]/.test(name)) return 3;
  if (/quantized|int8|q8/.test(name)) return 0;
  return name === 'model' ? 1 : 2;
}

async function refuseLarge(folder: string, model: string, beside: number): Promise<void> {
  const bytes = ((await fileAt(model))?.bytes ?? 0) + beside;
  if (bytes <= maxModelBytes) return;
  throw unusableModel(
    folder,
    `${basename(model)} has ${Math.round(bytes / 1_000_000)} MB, more than the maximum of ${maxModelBytes / 1_000_000} MB`,
    'Choose a smaller or a quantized model: a few tens of MB are enough for tool descriptions.',
  );
}

async function identityOf(folder: string, files: readonly string[]): Promise<string> {
  const facts = await Promise.all(files.map(async (file) => [relative(folder, file), await fileAt(file)]));
  return digestOf([formatVersion, ...facts]).slice(0, 24);
}

async function firstFile(paths: readonly string[]) {
  for (const path of paths) {
    const file = await fileAt(path);
    if (file !== undefined) return { path, ...file };
  }
  return undefined;
}

async function fileAt(path: string) {
  const file = await stat(path).catch(() => undefined);
  return file?.isFile() ? { bytes: file.size, changed: file.mtimeMs } : undefined;
}
