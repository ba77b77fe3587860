import { z } from 'zod';
import type { ModelEndpoint } from '../model/contract.ts';
import { joinUrl } from '../model/http-models.ts';
import { postJson, providerFailed } from '../model/post-json.ts';
import { normalised } from './normalised.ts';

/** Converts texts into unit vectors whose dot product is their semantic similarity. */
export interface Embedder {
  /** Vectors with different tags cannot be compared. */
  readonly tag: string;
  /** Returns vectors in the order of the texts. Rejects with `search.provider_failed`. */
  embed(texts: readonly string[], patience: number): Promise<readonly Float32Array[]>;
}

const vector = z.array(z.number()).min(1).max(8_192);
const openAiAnswer = z.object({ data: z.array(z.object({ embedding: vector })) });
const ollamaAnswer = z.object({ embeddings: z.array(vector) });

export function openAiEmbedder({ url, model, key }: ModelEndpoint): Embedder {
  return embedderAt(url, `openai ${url} ${model}`, async (texts, timeoutMs) => {
    const secret = key();
    const answer = await postJson({
      url: joinUrl(url, 'embeddings'),
      headers: secret === undefined ? {} : { authorization: `Bearer ${secret}` },
      body: { model, input: texts },
      timeoutMs,
    });
    const read = openAiAnswer.safeParse(answer);
    return read.success ? read.data.data.map(({ embedding }) => embedding) : undefined;
  });
}

export function ollamaEmbedder({ url, model, key }: ModelEndpoint): Embedder {
  return embedderAt(url, `ollama ${url} ${model}`, async (texts, timeoutMs) => {
    const secret = key();
    const answer = await postJson({
      url: joinUrl(url, 'api/embed'),
      headers: secret === undefined ? {} : { authorization: `Bearer ${secret}` },
      body: { model, input: texts },
      timeoutMs,
    });
    const read = ollamaAnswer.safeParse(answer);
    return read.success ? read.data.embeddings : undefined;
  });
}

function embedderAt(
  url: string,
  tag: string,
  ask: (texts: readonly string[], timeoutMs: number) => Promise<readonly (readonly number[])[] | undefined>,
): Embedder {
  return {
    tag,
    embed: async (texts, timeoutMs) => {
      const vectors = await ask(texts, timeoutMs);
      const [first] = vectors ?? [];
      const isWhole =
        vectors?.length === texts.length && vectors.every((one) => one.length === first?.length);
      if (vectors === undefined || !isWhole) throw providerFailed(url, 'its answer has an unexpected format');
      return vectors.map(unitVector);
    },
  };
}

function unitVector(numbers: readonly number[]): Float32Array {
  return normalised(Float32Array.from(numbers));
}
