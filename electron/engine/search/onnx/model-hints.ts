import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { TextRole } from './contract.ts';
import type { Pooling } from './pooling.ts';
import { unusableModel } from './unusable.ts';

/** Settings of a model from the files next to it. */
export interface ModelHints {
  readonly tokenizerConfig: Readonly<Record<string, unknown>>;
  readonly maxTokens: number;
  readonly pooling: Pooling;
  /** Prefixes for texts. */
  readonly prompts: Readonly<Record<TextRole, string>>;
}

/** Tokens; searched texts have about this length. */
const defaultMaxTokens = 256;

const tokenizerSchema = z.looseObject({ model_max_length: z.number().optional() });
const configSchema = z.looseObject({ max_position_embeddings: z.number().optional() });
const sentenceSchema = z.looseObject({ max_seq_length: z.number().nullish() });
const poolingSchema = z.record(z.string(), z.unknown());
const promptsSchema = z.looseObject({ prompts: z.record(z.string(), z.string()).optional() });

/** Rejects with `search.model_unusable` if an existing file cannot be read. */
export async function readHints(folder: string): Promise<ModelHints> {
  const tokenizerConfig = await readJson(folder, 'tokenizer_config.json', tokenizerSchema);
  const { max_position_embeddings } = await readJson(folder, 'config.json', configSchema);
  const { max_seq_length } = await readJson(folder, 'sentence_bert_config.json', sentenceSchema);
  const pooling = await readJson(folder, join('1_Pooling', 'config.json'), poolingSchema);
  const { prompts = {} } = await readJson(folder, 'config_sentence_transformers.json', promptsSchema);
  const limits = [
    defaultMaxTokens,
    tokenizerConfig.model_max_length,
    max_position_embeddings,
    max_seq_length,
  ];
  return {
    tokenizerConfig,
    maxTokens: Math.min(
      ...limits.flatMap((one) => (typeof one === 'number' && one >= minTokens ? [one] : [])),
    ),
    pooling: poolingOf(folder, pooling),
    prompts: { text: prompts.document ?? prompts.passage ?? '', query: prompts.query ?? '' },
  };
}

/** Lower limits are mistakes. */
const minTokens = 8;

function poolingOf(folder: string, said: Readonly<Record<string, unknown>>): Pooling {
  if (said.pooling_mode_mean_tokens === true) return 'mean';
  if (said.pooling_mode_cls_token === true) return 'first';
  if (said.pooling_mode_lasttoken === true) return 'last';
  const other = Object.entries(said).find(([name, on]) => name.startsWith('pooling_mode_') && on === true);
  if (other === undefined) return 'mean';
  throw unusableModel(folder, `its pooling mode "${other[0]}" is not supported`);
}

async function readJson<T>(folder: string, name: string, schema: z.ZodType<T>): Promise<T> {
  const text = await readFile(join(folder, name), 'utf8').catch(() => '{}');
  const read = schema.safeParse(parsed(text));
  if (read.success) return read.data;
  throw unusableModel(
    folder,
    `its ${name} cannot be read`,
    'Copy that file of the model into the folder again, or delete it.',
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
