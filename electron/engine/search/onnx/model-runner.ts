import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { env, InferenceSession, Tensor } from 'onnxruntime-web/wasm';
import { normalised } from '../meaning/normalised.ts';
import type { ModelFolder, TextRole, ThreadData } from './contract.ts';
import { type InputName, type ModelSignature, signatureOf } from './model-form.ts';
import { type ModelHints, readHints } from './model-hints.ts';
import { type Pooling, pooled } from './pooling.ts';
import { openEncoder } from './text-encoder.ts';
import { unusableModel } from './unusable.ts';

/** A loaded model, in its thread. */
export interface ModelRunner {
  readonly dimension: number;
  encode(text: string, role: TextRole): readonly number[];
  /** Returns unit vectors in the order of the texts. Rejects with `search.model_unusable`. */
  run(texts: readonly (readonly number[])[]): Promise<readonly Float32Array[]>;
}

/** Loads the model of a folder and tests it once. Rejects with `search.model_unusable`. */
export async function loadModel({ files, runtime }: ThreadData): Promise<ModelRunner> {
  const hints = await readHints(files.folder);
  const session = await openSession(files, runtime);
  const form = signatureOf(session.inputMetadata, session.outputMetadata);
  if ('why' in form) throw unusableModel(files.folder, form.why);
  const encoder = await openEncoder(files, hints, form.isFlat);
  const run = (texts: readonly (readonly number[])[]) =>
    runModel({ session, form, hints, padId: encoder.padId, folder: files.folder }, texts);
  // Tests two lengths at once, since a model with a fixed length is useless.
  const tried = await run(['create an issue', 'mail'].map((text) => encoder.encode(text, 'text')));
  const [first] = tried;
  if (first === undefined || tried.some((one) => one.every((number) => number === 0)))
    throw unusableModel(files.folder, 'it returns empty vectors');
  return { dimension: first.length, encode: encoder.encode, run };
}

async function openSession({ folder, model, data }: ModelFolder, runtime: string): Promise<InferenceSession> {
  // Passes the runtime as bytes so that nothing is downloaded; outside a browser it supports only one thread.
  env.wasm.wasmBinary = await readFile(runtime).catch((reason: unknown) => {
    throw unusableModel(
      folder,
      'the runtime that comes with Patchbay is missing',
      'Reinstall Patchbay.',
      reason,
    );
  });
  env.wasm.numThreads = 1;
  env.logLevel = 'fatal';
  try {
    const beside =
      data === undefined ? {} : { externalData: [{ path: basename(data), data: await readFile(data) }] };
    return await InferenceSession.create(await readFile(model), { logSeverityLevel: 4, ...beside });
  } catch (reason) {
    throw unusableModel(
      folder,
      `${basename(model)} cannot be loaded as an ONNX model`,
      'Download the file again, or choose another version of the model or another model.',
      reason,
    );
  }
}

interface Runnable {
  readonly session: InferenceSession;
  readonly form: ModelSignature;
  readonly hints: Pick<ModelHints, 'pooling'>;
  readonly padId: number;
  readonly folder: string;
}

async function runModel(
  { session, form, hints, padId, folder }: Runnable,
  texts: readonly (readonly number[])[],
): Promise<readonly Float32Array[]> {
  const feeds = Object.fromEntries(
    form.inputs.map(({ name, isLong }) => [name, tensorOf(numbersFor(name, form, texts, padId), isLong)]),
  );
  const answer = await session.run(feeds, { logSeverityLevel: 4 }).catch((reason: unknown) => {
    throw unusableModel(folder, 'it failed to process a text', undefined, reason);
  });
  const output = answer[form.output];
  const vectors = output === undefined ? undefined : vectorsOf(output, texts, hints.pooling);
  if (vectors === undefined)
    throw unusableModel(folder, `its output "${form.output}" has an unexpected shape`);
  return vectors.map(normalised);
}

interface Numbers {
  readonly dims: readonly number[];
  readonly values: readonly number[];
}

function tensorOf({ dims, values }: Numbers, isLong: boolean): Tensor {
  return isLong
    ? new Tensor('int64', BigInt64Array.from(values, BigInt), dims)
    : new Tensor('int32', Int32Array.from(values), dims);
}

function numbersFor(
  name: InputName,
  { isFlat }: ModelSignature,
  texts: readonly (readonly number[])[],
  padId: number,
): Numbers {
  if (isFlat) return flatNumbers(name, texts);
  const tokens = Math.max(...texts.map(({ length }) => length));
  const valueAt = (text: readonly number[], at: number): number => {
    if (name === 'input_ids') return text[at] ?? padId;
    if (name === 'attention_mask') return at < text.length ? 1 : 0;
    return name === 'position_ids' ? at : 0;
  };
  return {
    dims: [texts.length, tokens],
    values: texts.flatMap((text) => Array.from({ length: tokens }, (_, at) => valueAt(text, at))),
  };
}

function flatNumbers(name: InputName, texts: readonly (readonly number[])[]): Numbers {
  let from = 0;
  const offsets = texts.map(({ length }) => {
    from += length;
    return from - length;
  });
  const values = name === 'offsets' ? offsets : texts.flat().map((id) => (name === 'input_ids' ? id : 1));
  return { dims: [values.length], values };
}

function vectorsOf(
  { data, dims }: Tensor,
  texts: readonly (readonly number[])[],
  pooling: Pooling,
): readonly Float32Array[] | undefined {
  if (!(data instanceof Float32Array) || dims[0] !== texts.length) return undefined;
  const [, second = 0, third = 0] = dims;
  if (dims.length === 2) return texts.map((_, at) => data.slice(at * second, (at + 1) * second));
  if (dims.length !== 3) return undefined;
  const vectors = { data, texts: texts.length, tokens: second, dimension: third };
  return pooled(
    vectors,
    texts.map(({ length }) => length),
    pooling,
  );
}
