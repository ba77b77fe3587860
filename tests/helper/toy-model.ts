import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type ModelGraph, type ModelNode, type ModelValue, onnxModel } from './onnx-model.ts';

/** Words that lie one way, those that lie another, and those that say nothing. */
const words = {
  cat: [1, 0, 0],
  kitten: [0.9, 0.1, 0],
  feline: [1, 0.1, 0],
  dog: [0, 1, 0],
  canine: [0.1, 1, 0],
  list: [0, 0, 1],
} as const;

const special = ['[PAD]', '[UNK]', '[CLS]', '[SEP]'];
const vocabulary = [...special, ...Object.keys(words)];
/** What is filled up with is far off, so that a model that counts it in is told apart. */
const table = [[0, -9, 9], [0.001, 0.001, 0.001], [0, 0, 0], [0, 0, 0], ...Object.values(words)];
const dimension = 3;

export const toyTokenizer = {
  version: '1.0',
  added_tokens: special.map((content, id) => ({
    id,
    content,
    special: true,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
  })),
  normalizer: { type: 'BertNormalizer', clean_text: true, handle_chinese_chars: true, lowercase: true },
  pre_tokenizer: { type: 'BertPreTokenizer' },
  post_processor: {
    type: 'BertProcessing',
    cls: ['[CLS]', 2],
    sep: ['[SEP]', 3],
  },
  decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
  model: {
    type: 'WordPiece',
    unk_token: '[UNK]',
    continuing_subword_prefix: '##',
    max_input_chars_per_word: 100,
    vocab: Object.fromEntries(vocabulary.map((word, id) => [word, id])),
  },
};

const long = (name: string): ModelValue => ({ name, type: 'int64', dims: ['batch', 'sequence'] });
const weights = {
  name: 'words',
  dims: [table.length, dimension],
  values: Float32Array.from(table.flat()),
};
const look: ModelNode = { op: 'Gather', inputs: ['words', 'input_ids'], outputs: ['last_hidden_state'] };
const bert = [long('input_ids'), long('attention_mask'), long('token_type_ids')];
const hidden: ModelValue = {
  name: 'last_hidden_state',
  type: 'float',
  dims: ['batch', 'sequence', dimension],
};

/** Models of the forms that there are: each looks words up and knows no more. */
export const toyModels = {
  /** As BERT is exported: a vector for each token. */
  bert: { nodes: [look], weights: [weights], inputs: bert, outputs: [hidden] },
  withoutTypes: { nodes: [look], weights: [weights], inputs: bert.slice(0, 2), outputs: [hidden] },
  /** Joins the vectors itself, here by the largest number of each. */
  sentence: {
    nodes: [
      look,
      {
        op: 'ReduceMax',
        inputs: ['last_hidden_state'],
        outputs: ['sentence_embedding'],
        attributes: { axes: [1], keepdims: 0 },
      },
    ],
    weights: [weights],
    inputs: bert,
    outputs: [hidden, { name: 'sentence_embedding', type: 'float', dims: ['batch', dimension] }],
  },
  /** Wants what came before, as models that write do. */
  writer: {
    nodes: [look],
    weights: [weights],
    inputs: [...bert, { name: 'past_key_values.0.key', type: 'float', dims: ['batch', 1] }],
    outputs: [hidden],
  },
  /** Knows no words but numbers. */
  picture: {
    nodes: [{ op: 'Identity', inputs: ['pixel_values'], outputs: ['logits'] }],
    weights: [],
    inputs: [{ name: 'pixel_values', type: 'float', dims: ['batch', 4] }],
    outputs: [{ name: 'logits', type: 'float', dims: ['batch', 4] }],
  },
  /** Has several answers, none of which is a vector of a text. */
  strange: {
    nodes: [
      { ...look, outputs: ['logits'] },
      { op: 'Identity', inputs: ['logits'], outputs: ['scores'] },
    ],
    weights: [weights],
    inputs: bert,
    outputs: [
      { ...hidden, name: 'logits' },
      { ...hidden, name: 'scores' },
    ],
  },
  /** Says nothing of anything. */
  mute: {
    nodes: [
      { op: 'Sub', inputs: ['words', 'words'], outputs: ['nothing'] },
      { ...look, inputs: ['nothing', 'input_ids'] },
    ],
    weights: [weights],
    inputs: bert,
    outputs: [hidden],
  },
  /** Takes all texts in one row and tells them apart by where each begins; here the first word of a text is its vector. */
  flat: {
    nodes: [
      { ...look, outputs: ['all'] },
      { op: 'Gather', inputs: ['all', 'offsets'], outputs: ['embeddings'] },
    ],
    weights: [weights],
    inputs: [
      { name: 'input_ids', type: 'int64', dims: ['tokens'] },
      { name: 'offsets', type: 'int64', dims: ['batch'] },
    ],
    outputs: [{ name: 'embeddings', type: 'float', dims: ['batch', dimension] }],
  },
  outside: {
    nodes: [look],
    weights: [{ ...weights, outside: 'model.onnx_data' }],
    inputs: bert,
    outputs: [hidden],
  },
} as const satisfies Record<string, ModelGraph>;

export const toyWeights = Buffer.from(weights.values.buffer);

/** What lies in the folder of a model as Hugging Face lays it out. */
export function toyFiles(model: ModelGraph = toyModels.bert): Readonly<Record<string, string | Buffer>> {
  return {
    'onnx/model.onnx': onnxModel(model),
    'tokenizer.json': JSON.stringify(toyTokenizer),
    'tokenizer_config.json': JSON.stringify({ model_max_length: 512, pad_token: '[PAD]' }),
    'config.json': JSON.stringify({ max_position_embeddings: 512 }),
  };
}

export async function layOut(
  folder: string,
  files: Readonly<Record<string, string | Buffer | undefined>>,
): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    if (content === undefined) continue;
    const file = join(folder, name);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
  }
}
