import { readFile } from 'node:fs/promises';
import { Tokenizer } from '@huggingface/tokenizers';
import type { TextRole } from './contract.ts';
import type { ModelHints } from './model-hints.ts';
import { unusableModel } from './unusable.ts';

/** Converts texts into token ids. */
export interface TokenEncoder {
  /** Returns at least one id and at most the model's maximum. */
  encode(text: string, role: TextRole): readonly number[];
  /** Id used for padding. */
  readonly padId: number;
}

/** Rejects with `search.model_unusable`. `isBare`: without special start and end tokens. */
export async function openEncoder(
  { folder, tokenizer: file }: { readonly folder: string; readonly tokenizer: string },
  { tokenizerConfig, maxTokens: longest, prompts }: ModelHints,
  isBare: boolean,
): Promise<TokenEncoder> {
  const tokenizer = await openTokenizer(folder, file, tokenizerConfig);
  const filler = padIdOf(tokenizer, tokenizerConfig);
  return {
    padId: filler,
    encode: (text, role) => {
      const { ids } = tokenizer.encode(prompts[role] + text, { add_special_tokens: !isBare });
      if (ids.length === 0) return [filler];
      // Keeps the last id, which usually marks the end of the text.
      return ids.length <= longest ? ids : [...ids.slice(0, longest - 1), ...ids.slice(-1)];
    },
  };
}

async function openTokenizer(folder: string, file: string, config: object): Promise<Tokenizer> {
  try {
    const tokenizer = new Tokenizer(JSON.parse(await readFile(file, 'utf8')), config);
    tokenizer.encode('a test');
    return tokenizer;
  } catch (reason) {
    throw unusableModel(
      folder,
      'its tokenizer.json cannot be read or has an unsupported type',
      'Copy tokenizer.json of the same model into the folder again, or choose another model.',
      reason,
    );
  }
}

function padIdOf(tokenizer: Tokenizer, { pad_token }: Readonly<Record<string, unknown>>): number {
  return (typeof pad_token === 'string' ? tokenizer.token_to_id(pad_token) : undefined) ?? 0;
}
